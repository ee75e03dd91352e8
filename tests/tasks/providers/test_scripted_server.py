"""The scripted server answers over real HTTP, breaks where the script says so, and keeps no key."""

import asyncio
import json
import subprocess
import sys

import httpx
import pytest
from pydantic import ValidationError

from tasks.providers.script import FAULTS, Step
from tasks.providers.scripted_server import ScriptedServer


def post(server, model="ada", **body):
    messages = [{"role": "user", "content": "Which database?"}]
    with httpx.Client(trust_env=False, timeout=5) as client:
        return client.post(
            f"{server.base_url}/chat/completions",
            json={"model": model, "messages": messages, **body},
            headers={"Authorization": "Bearer sk-very-secret"},
        )


def events_of(response):
    lines = [line for line in response.text.splitlines() if line.startswith("data: {")]
    return [json.loads(line.removeprefix("data: ")) for line in lines]


def test_a_text_is_answered_as_a_completion_with_usage():
    with ScriptedServer({"ada": "Use Postgres."}) as server:
        answer = post(server).json()
    assert answer["choices"][0]["message"]["content"] == "Use Postgres."
    assert answer["choices"][0]["finish_reason"] == "stop"
    assert answer["model"] == "ada"
    assert answer["usage"]["prompt_tokens"] > 0


def test_steps_are_played_in_order_and_the_last_repeats():
    steps = [{"fault": "rate_limited", "retry_after": 7}, {"opinion": {"position": "Postgres"}}]
    with ScriptedServer({"ada": steps}) as server:
        first, second, third = post(server), post(server), post(server)
    assert (first.status_code, first.headers["Retry-After"]) == (429, "7")
    for answer in (second, third):
        content = answer.json()["choices"][0]["message"]["content"]
        assert json.loads(content) == {"position": "Postgres"}


def test_the_star_stands_for_every_other_model():
    with ScriptedServer({"ada": "A", "*": "any"}) as server:
        contents = [
            post(server, m).json()["choices"][0]["message"]["content"] for m in ("ada", "x")
        ]
    assert contents == ["A", "any"]


def test_a_model_outside_the_script_is_not_found():
    with ScriptedServer({"ada": "A"}) as server:
        assert post(server, "bob").status_code == 404


def test_a_function_sees_the_request_and_may_be_async():
    async def later(body):
        await asyncio.sleep(0)
        return Step(text=body["messages"][0]["content"][::-1])

    with ScriptedServer({"ada": lambda body: body["model"] * 2, "bob": later}) as server:
        assert post(server).json()["choices"][0]["message"]["content"] == "adaada"
        assert post(server, "bob").json()["choices"][0]["message"]["content"] == "?esabatad hcihW"


def test_a_stream_carries_the_whole_answer_the_reason_and_the_usage_that_was_asked_for():
    text = "Use Postgres, because its transactions are sound – söund."
    with ScriptedServer({"ada": text}) as server:
        response = post(server, stream=True, stream_options={"include_usage": True})
    events = events_of(response)
    assert response.headers["content-type"] == "text/event-stream"
    deltas = [e["choices"][0]["delta"].get("content", "") for e in events if e["choices"]]
    assert "".join(deltas) == text
    assert events[-2]["choices"][0]["finish_reason"] == "stop"
    assert events[-1]["usage"]["completion_tokens"] > 0
    assert response.text.endswith("data: [DONE]\n\n")


def test_a_tool_call_is_sent_whole_and_streamed():
    step = {"tool_calls": [{"name": "write_file", "arguments": {"path": "a.txt"}}]}
    with ScriptedServer({"ada": step}) as server:
        whole = post(server).json()["choices"][0]
        streamed = events_of(post(server, stream=True))
    assert whole["finish_reason"] == "tool_calls"
    function = whole["message"]["tool_calls"][0]["function"]
    assert json.loads(function["arguments"]) == {"path": "a.txt"}
    deltas = [e["choices"][0]["delta"] for e in streamed]
    assert any(d.get("tool_calls", [{}])[0].get("function") == function for d in deltas)


@pytest.mark.parametrize("wire", ["reset", "cut"])
@pytest.mark.parametrize("stream", [False, True])
def test_a_broken_wire_is_a_broken_wire(wire, stream):
    with (
        ScriptedServer({"ada": {"text": "Use Postgres.", "wire": wire}}) as server,
        pytest.raises(httpx.TransportError),
    ):
        post(server, stream=stream)


def test_a_server_with_a_hanging_request_still_closes():
    with (
        ScriptedServer({"ada": {"fault": "hang"}}) as server,
        pytest.raises(httpx.TimeoutException),
        httpx.Client(trust_env=False, timeout=0.2) as client,
    ):
        client.post(f"{server.base_url}/chat/completions", json={"model": "ada"})


def test_models_are_listed_with_their_context_length():
    with ScriptedServer({"ada": "A", "*": "B"}, context_length=65_536) as server:
        listing = httpx.get(f"{server.base_url}/models", trust_env=False).json()
        one = httpx.get(f"{server.base_url}/models/ada", trust_env=False).json()
    assert listing["data"] == [{"id": "ada", "object": "model", "context_length": 65_536}]
    assert one["id"] == "ada"


def test_every_request_is_kept_without_its_key():
    with ScriptedServer({"ada": "A"}) as server:
        post(server, temperature=0.5)
    (seen,) = server.asked("ada")
    assert seen.body["temperature"] == 0.5
    assert seen.headers["authorization"] == "***"
    assert "sk-very-secret" not in seen.model_dump_json()


def test_a_wrong_key_is_refused_where_one_is_asked_for():
    with ScriptedServer({"ada": "A"}, api_key="other") as server:
        assert post(server).status_code == 401
    with ScriptedServer({"ada": "A"}, api_key="sk-very-secret") as server:
        assert post(server).status_code == 200


async def test_it_serves_on_the_running_loop_too():
    async with (
        ScriptedServer({"ada": "A", "bob": {"fault": "hang"}}) as server,
        httpx.AsyncClient(trust_env=False) as client,
    ):
        response = await client.post(f"{server.base_url}/chat/completions", json={"model": "ada"})
        assert response.json()["choices"][0]["message"]["content"] == "A"
        hanging = client.post(f"{server.base_url}/chat/completions", json={"model": "bob"})
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(hanging, 0.2)


def test_a_taken_port_is_told_at_once():
    with (
        ScriptedServer({"ada": "A"}) as server,
        pytest.raises(OSError, match="in use"),
        ScriptedServer({"ada": "A"}, port=server.port),
    ):
        pass


def test_an_unknown_fault_names_those_there_are():
    with pytest.raises(ValidationError, match="rate_limited"):
        Step(fault="earthquake")


@pytest.mark.parametrize("name", sorted(FAULTS))
def test_every_named_fault_is_a_step(name):
    assert Step(fault=name).fault == name


def test_a_named_fault_can_be_changed():
    assert Step(fault="rate_limited", status=503).status == 503


def test_the_command_serves_a_script_file(tmp_path):
    script = tmp_path / "script.json"
    script.write_text(json.dumps({"models": {"ada": ["Use Postgres."]}}))
    command = [sys.executable, "-m", "tasks.providers.scripted_server", str(script)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            base_url = process.stdout.readline().strip()
            body = {"model": "ada", "messages": []}
            answer = httpx.post(f"{base_url}/chat/completions", json=body, trust_env=False).json()
        finally:
            process.terminate()
    assert answer["choices"][0]["message"]["content"] == "Use Postgres."
