"""Homes say what they should, hold no key, and nothing of anybody else's is lost."""

import json
import stat

import pytest
from ruamel.yaml import YAML

from contracts.errors import ConfigError, Misconfigured
from contracts.juror import Endpoint
from tasks.providers import hermes_config, hermes_home
from tasks.providers.hermes_files import HomePlan, changes, merged_yaml, write_home

ROUTER = Endpoint(
    provider="hermes",
    model="acme/judge-1:free",
    base_url="https://openrouter.ai/api/v1",
    api_key_env="OPENROUTER_API_KEY",
    temperature=0.3,
    max_tokens=900,
)
OLLAMA = Endpoint(
    provider="hermes", model="llama3", base_url="http://127.0.0.1:11434/v1", locality="local"
)
BUILT_IN = Endpoint(provider="hermes", model="gpt-5", hermes_provider="OpenAI Codex")


def config_of(plan):
    return YAML(typ="safe").load(plan.files["config.yaml"])


def test_a_juror_knows_its_endpoint_and_nothing_else(tmp_path):
    config = config_of(hermes_home.juror_plan(tmp_path, ROUTER))
    assert config["model"]["provider"] == "custom:council-openrouter-ai"
    assert config["providers"] == {
        "council-openrouter-ai": {
            "api": "https://openrouter.ai/api/v1",
            "key_env": "OPENROUTER_API_KEY",
            "default_model": "acme/judge-1:free",
            "models": {"acme/judge-1:free": {"context_length": 65_536}},
            "extra_body": {"max_tokens": 900, "temperature": 0.3},
        }
    }
    assert config["memory"] == {"memory_enabled": False, "user_profile_enabled": False}
    assert config["skills"] == {"external_dirs": []}
    assert config["platform_toolsets"]["cli"] == ["context_engine"]


def test_nothing_is_installed_probed_or_retried_behind_our_back(tmp_path):
    for plan in (
        hermes_home.juror_plan(tmp_path, ROUTER),
        hermes_home.server_plan(tmp_path, [ROUTER], 1234),
        hermes_home.foreman_plan(tmp_path, [ROUTER], tmp_path / "skills"),
    ):
        config = config_of(plan)
        assert config["agent"] == {"api_max_retries": 1, "environment_probe": False}
        assert config["security"] == {"allow_lazy_installs": False, "tirith_enabled": False}
        assert config["model_catalog"] == {"enabled": False}
        assert config["model"]["context_length"] >= 64_000


def test_a_local_seat_asks_ollama_for_the_whole_window(tmp_path):
    config = config_of(hermes_home.juror_plan(tmp_path, OLLAMA))
    assert config["model"]["ollama_num_ctx"] == 65_536
    body = config["providers"]["council-127-0-0-1-11434"]["extra_body"]
    assert body["options"] == {"num_ctx": 65_536}
    assert "ollama_num_ctx" not in config_of(hermes_home.juror_plan(tmp_path, ROUTER))["model"]


def test_a_provider_that_hermes_brings_along_needs_no_address(tmp_path):
    config = config_of(hermes_home.juror_plan(tmp_path, BUILT_IN))
    assert (config["model"]["provider"], config["providers"]) == ("openai-codex", {})


def test_an_endpoint_that_names_neither_is_refused(tmp_path):
    with pytest.raises(Misconfigured, match="base_url, or hermes_provider"):
        hermes_home.juror_plan(tmp_path, Endpoint(provider="hermes", model="x"))


def test_openai_itself_takes_its_own_name_for_the_limit():
    openai = ROUTER.model_copy(update={"base_url": "https://api.openai.com/v1"})
    assert "max_completion_tokens" in hermes_config.address(openai)["extra_body"]


def test_endpoints_that_differ_in_a_setting_have_different_homes(tmp_path):
    others = [
        ROUTER.model_copy(update=change)
        for change in (
            {"temperature": 0.9},
            {"max_tokens": 5},
            {"model": "b"},
            {"base_url": "https://x.org/v1"},
            {"api_key_env": "OTHER"},
            {"locality": "local"},
        )
    ]
    homes = {hermes_home.juror_home(tmp_path, each) for each in (ROUTER, *others)}
    assert len(homes) == 1 + len(others)


def test_what_hermes_does_not_see_makes_no_new_home(tmp_path):
    slower = ROUTER.model_copy(update={"timeout_seconds": 3.0, "max_concurrency": 2})
    assert hermes_home.juror_home(tmp_path, slower) == hermes_home.juror_home(tmp_path, ROUTER)


@pytest.mark.parametrize("model", ["../../etc", "a/b\0c", "x" * 5000, "…", "Ünïcode/Model"])
def test_no_model_name_leads_out_of_the_homes(tmp_path, model):
    endpoint = ROUTER.model_copy(update={"model": model})
    home = hermes_home.juror_home(tmp_path, endpoint)
    assert home.parent == tmp_path / "hermes" / "jurors"
    assert len(home.name) < 80


def test_the_server_routes_every_seat_and_sends_the_rest_nowhere(tmp_path):
    config = config_of(hermes_home.server_plan(tmp_path, [ROUTER, OLLAMA, BUILT_IN], 4321))
    extra = config["platforms"]["api_server"]["extra"]
    names = [hermes_config.route_name(each) for each in (ROUTER, OLLAMA, BUILT_IN)]
    assert (extra["host"], extra["port"]) == ("127.0.0.1", 4321)
    assert extra["model_routes"] == {
        names[0]: {
            "model": "acme/judge-1:free",
            "provider": f"custom:{names[0]}",
            "base_url": "https://openrouter.ai/api/v1",
        },
        names[1]: {
            "model": "llama3",
            "provider": f"custom:{names[1]}",
            "base_url": "http://127.0.0.1:11434/v1",
        },
        names[2]: {"model": "gpt-5", "provider": "openai-codex"},
    }
    assert config["model"]["provider"] == "custom:nowhere"
    assert config["providers"]["nowhere"]["api"] == "http://127.0.0.1:9/v1"


def test_two_seats_that_the_server_cannot_tell_apart_are_named(tmp_path):
    warmer = ROUTER.model_copy(update={"temperature": 1.0})
    with pytest.raises(ConfigError, match=r"acme/judge-1:free .* different max_tokens"):
        hermes_home.server_plan(tmp_path, [ROUTER, warmer], 1)
    assert hermes_home.server_plan(tmp_path, [ROUTER, ROUTER], 1)


def test_the_foreman_has_the_memory_the_skills_and_every_address(tmp_path):
    skills = tmp_path / "skills"
    plan = hermes_home.foreman_plan(tmp_path, [ROUTER, OLLAMA], skills)
    config = config_of(plan)
    assert config["memory"]["memory_enabled"]
    assert config["skills"]["external_dirs"] == [str(skills)]
    assert set(config["providers"]) == {"council-openrouter-ai", "council-127-0-0-1-11434"}
    assert (config["model"]["default"], config["model"]["max_tokens"]) == ("acme/judge-1:free", 900)
    assert "answer from these entries" in plan.files["SOUL.md"]


def test_one_name_never_stands_for_two_addresses(tmp_path):
    one = ROUTER.model_copy(update={"hermes_provider": "lab"})
    other = one.model_copy(update={"base_url": "https://elsewhere.org/v1"})
    with pytest.raises(ConfigError, match="different addresses or keys"):
        hermes_home.foreman_plan(tmp_path, [one, other], tmp_path)


def test_no_key_is_written(tmp_path, monkeypatch):
    monkeypatch.setenv("OPENROUTER_API_KEY", "sk-or-very-secret")
    for plan in (
        hermes_home.juror_plan(tmp_path, ROUTER),
        hermes_home.server_plan(tmp_path, [ROUTER], 1),
        hermes_home.foreman_plan(tmp_path, [ROUTER], tmp_path),
    ):
        write_home(plan)
    written = [file.read_text() for file in tmp_path.rglob("*") if file.is_file()]
    assert written
    assert not [text for text in written if "very-secret" in text]


def test_files_are_the_owners_alone(tmp_path):
    plan = hermes_home.juror_plan(tmp_path, ROUTER)
    write_home(plan)
    assert stat.S_IMODE(plan.home.stat().st_mode) == 0o700
    modes = {stat.S_IMODE(file.stat().st_mode) for file in plan.home.iterdir()}
    assert modes == {0o600}


def test_writing_twice_changes_nothing(tmp_path):
    plan = hermes_home.juror_plan(tmp_path, ROUTER)
    assert {change.file.name for change in write_home(plan)} == {"config.yaml", "SOUL.md"}
    before = {file: file.stat().st_mtime_ns for file in plan.home.iterdir()}
    assert write_home(plan) == ()
    assert {file: file.stat().st_mtime_ns for file in plan.home.iterdir()} == before


def test_what_council_wrote_is_replaced_without_a_copy(tmp_path):
    home = tmp_path / "h"
    write_home(HomePlan(home, {"config.yaml": "one"}))
    (change,) = write_home(HomePlan(home, {"config.yaml": "two"}))
    assert (change.before, change.after, change.foreign) == ("one", "two", False)
    assert sorted(file.name for file in home.iterdir()) == ["config.yaml", "council-files.json"]


def test_what_somebody_else_wrote_is_shown_and_kept(tmp_path):
    home = tmp_path / "h"
    write_home(HomePlan(home, {"config.yaml": "one\n"}))
    (home / "config.yaml").write_text("by hand\n")
    plan = HomePlan(home, {"config.yaml": "two\n"})
    (planned,) = changes(plan)
    assert planned.foreign
    assert "-by hand\n+two\n" in planned.diff
    assert (home / "config.yaml").read_text() == "by hand\n"
    (change,) = write_home(plan)
    assert change.backup is not None
    assert change.backup.read_text() == "by hand\n"
    assert (home / "config.yaml").read_text() == "two\n"


def test_copies_of_the_same_content_do_not_pile_up(tmp_path):
    home = tmp_path / "h"
    for _ in range(3):
        write_home(HomePlan(home, {"config.yaml": "ours"}))
        (home / "config.yaml").write_text("theirs")
    write_home(HomePlan(home, {"config.yaml": "ours"}))
    assert len(list(home.glob("config.yaml.before-council-*"))) == 1


def test_a_diff_shows_no_secret(tmp_path):
    (tmp_path / "config.yaml").write_text("api_key: sk-very-secret\nAPI_TOKEN: 'abc'\nport: 1\n")
    (change,) = changes(HomePlan(tmp_path, {"config.yaml": "port: 2\n"}))
    assert "very-secret" not in change.diff
    assert "abc" not in change.diff
    assert "-api_key: ***" in change.diff
    assert "-port: 1" in change.diff


def test_the_persons_own_home_is_left_alone_until_they_ask(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    own = tmp_path / ".hermes"
    own.mkdir()
    (own / "config.yaml").write_text("# mine\nmodel: x\n")
    plan = hermes_home.user_plan([ROUTER], tmp_path / "skills")
    with pytest.raises(ConfigError, match="your own Hermes home"):
        write_home(plan)
    assert (own / "config.yaml").read_text() == "# mine\nmodel: x\n"
    assert [file.name for file in own.iterdir()] == ["config.yaml"]
    (change,) = write_home(plan, into_user_home=True)
    assert change.backup.read_text() == "# mine\nmodel: x\n"


def test_a_link_to_the_persons_own_home_is_their_home(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / ".hermes").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / ".hermes")
    with pytest.raises(ConfigError):
        write_home(HomePlan(tmp_path / "link", {"config.yaml": "x"}))


MINE = """\
# my own
model: "mine"   # yes
providers:
  lab: {api: 'http://lab/v1', api_key: sk-1}
skills:
  external_dirs:
  - ~/skills   # keep
"""


def test_the_persons_own_configuration_keeps_all_that_is_in_it():
    merged = merged_yaml(MINE, {"council-x": {"api": "http://x/v1"}}, ["/council/skills"], "f")
    for line in MINE.splitlines():
        assert line in merged.splitlines()
    config = YAML(typ="safe").load(merged)
    assert config["providers"]["council-x"] == {"api": "http://x/v1"}
    assert config["skills"]["external_dirs"] == ["~/skills", "/council/skills"]
    assert merged_yaml(merged, {"council-x": {"api": "http://x/v1"}}, ["/council/skills"], "f") == (
        merged
    )


def test_an_empty_configuration_is_filled():
    config = YAML(typ="safe").load(merged_yaml("", {"a": {"api": "u"}}, ["/s"], "f"))
    assert config == {"providers": {"a": {"api": "u"}}, "skills": {"external_dirs": ["/s"]}}


def test_a_section_that_was_left_empty_is_filled():
    merged = merged_yaml("providers:\nskills:\n", {"a": {"api": "u"}}, ["/s"], "f")
    assert YAML(typ="safe").load(merged)["providers"] == {"a": {"api": "u"}}


@pytest.mark.parametrize("text", ["a: [", "- a\n- b\n", "providers: []\n", "skills: 3\n", "word"])
def test_a_configuration_that_is_none_is_named_and_not_changed(text):
    with pytest.raises(ConfigError, match=r"config\.yaml"):
        merged_yaml(text, {"a": {"api": "u"}}, ["/s"], "config.yaml")


def test_a_file_that_is_no_text_is_named(tmp_path):
    (tmp_path / "config.yaml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ConfigError, match=r"config\.yaml"):
        changes(HomePlan(tmp_path, {"config.yaml": "x"}))


def test_a_home_that_cannot_be_written_is_named(tmp_path):
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(ConfigError, match="cannot be written"):
        write_home(HomePlan(tmp_path / "file" / "home", {"config.yaml": "x"}))


def test_the_configuration_reads_the_same_as_json(tmp_path):
    text = hermes_home.juror_plan(tmp_path, ROUTER).files["config.yaml"]
    assert text.startswith("# Written by Council")
    assert json.loads(text.partition("\n")[2]) == YAML(typ="safe").load(text)
