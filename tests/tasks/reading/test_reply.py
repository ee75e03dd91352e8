"""What a raw reply is read into, kind by kind. The replies are made up after public reports."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contracts.question import Option, Question
from tasks.reading.clean import MAX_CHARS
from tasks.reading.reply import read_reply

OPTIONS = (Option(name="PostgreSQL", aliases=("Postgres",)), Option(name="MongoDB"))
CLOSED = Question(
    text="Which database should hold the billing ledger?", options=OPTIONS, options_source="given"
)
OPEN = Question(text="How should we store the billing ledger?")
REASONS = ("ACID transactions", "mature tooling")
PLAIN = json.dumps({"position": "PostgreSQL", "reasons": list(REASONS), "confidence": 0.8})
OTHER = '{"position": "MongoDB", "reasons": ["draft"], "confidence": 0.5}'


def read(raw, question=CLOSED, **known):
    return read_reply(raw, question, **known)


def is_whole_answer(reply):
    said = (reply.choice or reply.position, reply.reasons, reply.confidence)
    return (reply.status, *said) == ("ok", "PostgreSQL", REASONS, 0.8)


WRAPPED = {
    "nothing": PLAIN,
    "fence": f"```json\n{PLAIN}\n```",
    "fence in capitals": f"~~~JSON5\n{PLAIN}\n~~~",
    "fence never closed": f"```json\n{PLAIN}",
    "language word": f"json\n{PLAIN}",
    "prose": f"Here is my vote.\n\n{PLAIN}\n\nHappy to elaborate!",
    "prose with braces": f"From {{PostgreSQL, MongoDB}}, {{limits}}:\n{PLAIN}\nP.S. {{position}}.",
    "another language": f"Voici mon vote :\n{PLAIN}\nCordialement.",
    "byte order mark and NUL": f"\ufeff\x00{PLAIN}\x00",
    "line ends of another system": PLAIN.replace(", ", ",\r\n"),
    "terminal colours": f"\x1b[32m{PLAIN}\x1b[0m",
    "thought": f"<think>{OTHER} or not {{</think>\n{PLAIN}",
    "thought in capitals, twice": f"<THINK>{{a}}</THINK>\n<Think lang='x'>{OTHER}</Think>{PLAIN}",
    "thought by another name": f"<mm:reasoning>{OTHER}</mm:reasoning>{PLAIN}",
    "thought in a thought": f"<thinking><thinking>a</thinking>{OTHER}</thinking>{PLAIN}",
    "thought in brackets": f"[THINK]{OTHER}[/THINK]{PLAIN}",
    "thought closed only": f"maybe {OTHER} hmm</think>\n{PLAIN}",
    "thought in a details block": "<details type='reasoning'>\n<summary>Thought for 3 s</summary>\n"
    f"{OTHER}\n</details>\n{PLAIN}",
    "thought on a terminal": f"Thinking...\n{OTHER}\n...done thinking.\n\n{PLAIN}",
    "thought in a box": f"┌─ Reasoning ─┐\n {OTHER}\n└───┘\n{PLAIN}",
    "thought in a channel": f"<|channel|>analysis<|message|>{OTHER}<|end|><|start|>assistant"
    f"<|channel|>final<|message|>{PLAIN}<|return|>",
    "box and session line": f"⚠ config: unknown key\n╭─ Agent ──╮\n{PLAIN}\n╰───╯\n\nsession_id: 1",
    "chat tokens": f"<|im_start|>assistant\n{PLAIN}<|im_end|>\n<|endoftext|>",
    "a turn that it made up": f"{PLAIN}<|im_end|>\n<|im_start|>user\nAnd?<|im_end|>\n"
    f"<|im_start|>assistant\n{OTHER}",
    "list of one": f"[[{PLAIN}]]",
    "outer key": f'{{"result": {{"answer": {PLAIN}}}}}',
    "string": json.dumps(PLAIN),
    "string in a string": json.dumps(json.dumps(PLAIN)),
    "string under a key": json.dumps({"answer": PLAIN}),
    "escaped quotes": PLAIN.replace('"', '\\"'),
    "HTML entities": PLAIN.replace('"', "&quot;"),
    "lost first brace": f"```json\n{PLAIN[1:]}\n```",
    "doubled braces": f"{{{PLAIN}}}",
    "tool call": json.dumps({"name": "vote", "arguments": json.loads(PLAIN)}),
    "tool call with text": json.dumps({"function": {"name": "vote", "arguments": PLAIN}}),
    "tool call in tags": f'<tool_call>\n{{"name": "vote", "arguments": {PLAIN}}}\n</tool_call>',
    "tool call by marker": f'[TOOL_CALLS][{{"name": "vote", "arguments": {PLAIN}}}]',
    "chat completion": json.dumps(
        {"choices": [{"message": {"role": "assistant", "content": PLAIN}}]}
    ),
    "message": json.dumps({"type": "message", "content": [{"type": "text", "text": PLAIN}]}),
    "candidate": json.dumps({"candidates": [{"content": {"parts": [{"text": PLAIN}]}}]}),
    "result of a program": json.dumps({"type": "result", "is_error": False, "result": PLAIN}),
    "echoed schema": '{"type": "object", "properties": {"position": {"type": "string"}}}\n' + PLAIN,
    "echoed form": '{"position": "<your position>", "reasons": ["..."], "confidence": 0.0}\n'
    + PLAIN,
    "example before": f"Example: {OTHER}\nMy answer: {PLAIN}",
    "fenced example": f"## Format\n```json\n{OTHER}\n```\n## Final answer\n```\n{PLAIN}\n```",
    "draft before": f"Draft: {OTHER}\nFinal: {PLAIN}",
    "correction after": f"{OTHER}\n\nWait, that is wrong. Corrected:\n{PLAIN}",
    "another's answer before": f"Juror B said {OTHER}. I do not agree:\n{PLAIN}",
    "counter-example after": f"{PLAIN}\nFor example, {OTHER} would have been worse.",
    "twice the same": f"{PLAIN}\n{PLAIN}",
    "one part a line": '{"position": "PostgreSQL"}\n{"reasons": ["ACID transactions", "mature '
    'tooling"]}\n{"confidence": 0.8}',
    "XML": "<ballot><position>PostgreSQL</position><reasons><reason>ACID transactions</reason>"
    "<reason>mature tooling</reason></reasons><confidence>80%</confidence></ballot>",
    "parameters in tags": "<function=vote>\n<parameter=choice>\nPostgreSQL\n</parameter>\n"
    '<parameter=reasons>["ACID transactions", "mature tooling"]</parameter>\n'
    "<parameter=confidence>0.8</parameter>\n</function>",
    "named parameters": '<invoke name="vote"><parameter name="choice">PostgreSQL</parameter>'
    "<parameter name='reasons'>- ACID transactions\n- mature tooling</parameter>"
    '<parameter name="confidence">0.8</parameter></invoke>',
    "pairs": "<tool_call>vote\n<arg_key>choice</arg_key><arg_value>PostgreSQL</arg_value>\n"
    "<arg_key>reasons</arg_key><arg_value>- ACID transactions\n- mature tooling</arg_value>\n"
    "<arg_key>confidence</arg_key><arg_value>0.8</arg_value></tool_call>",
    "YAML": "```yaml\nposition: PostgreSQL\nreasons:\n  - ACID transactions\n  - mature tooling\n"
    "confidence: 0.8\n```",
    "TOML": 'position = "PostgreSQL"\nreasons = ["ACID transactions", "mature tooling"]\n'
    "confidence = 0.8",
    "function call": 'vote(position="PostgreSQL", reasons=["ACID transactions", "mature tooling"], '
    "confidence=0.8)",
    "labels": "**Position:** PostgreSQL\n**Reasons:**\n- ACID transactions\n- mature tooling\n"
    "**Confidence:** 80%",
    "headings": "## Position\nPostgreSQL\n\n## Reasons\n1. ACID transactions\n2. mature tooling\n\n"
    "## Confidence\n8/10",
    "keys in another case": '{"Position": "PostgreSQL", "Reasons": "- ACID transactions\\n- mature '
    'tooling", "CONFIDENCE": "0.8"}',
    "other keys": '{"decision": "PostgreSQL", "certainty": "80%", "rationale": '
    '["ACID transactions", "mature tooling"]}',
    "German keys": '{"antwort": "PostgreSQL", "konfidenz": "0,8", "gründe": '
    '["ACID transactions", "mature tooling"]}',
    "keys in Chinese": '{"立场": "PostgreSQL", "理由": ["ACID transactions", "mature tooling"], '
    '"置信度": 0.8}',
    "numbered reasons": '{"position": "PostgreSQL", "reasons": {"1": "ACID transactions", "2": '
    '"mature tooling"}, "confidence": 0.8}',
    "two megabytes of braces before": "step {i} of {n}; " * 120_000 + "\n" + PLAIN,
    "two megabytes of braces after": PLAIN + "\n" + "step {i} of {n}; " * 120_000,
    "fifty thousand objects before": '{"step": 1}\n' * 50_000 + PLAIN,
}


@pytest.mark.parametrize("raw", WRAPPED.values(), ids=WRAPPED.keys())
def test_the_answer_is_found_in_every_wrapping(raw):
    assert is_whole_answer(read(raw)), read(raw)


NO_ANSWER = {
    "none": (None, "empty"),
    "nothing": ("", "empty"),
    "blanks": ("\n " * 1500, "empty"),
    "unseen characters": ("\u200b\ufeff\xa0", "empty"),
    "dots": ("...", "empty"),
    "empty fence": ("```json\n```", "empty"),
    "null": ("null", "empty"),
    "None": ("None", "empty"),
    "sentinel": ("(empty)", "empty"),
    "sentinel in words": ("[No response]", "empty"),
    "sentinel in an object": ('{"position": "N/A", "reasons": ["x"]}', "empty"),
    "report of emptiness": ("⚠️ No reply: the model returned empty content", "empty"),
    "empty object": ("{}", "empty"),
    "blank position": ('{"position": "", "reasons": [], "confidence": 0}', "declined"),
    "no position": ('{"position": null}', "declined"),
    "none of them, no other": ('{"choice": "none", "position": ""}', "declined"),
    "thought only": (f"<think>{PLAIN}</think>", "empty"),
    "thought never closed": (f"<think>First {OTHER} but then again", "unreadable"),
    "analysis only": ("<|channel|>analysis<|message|>PostgreSQL, I think", "unreadable"),
    "schema": (
        '{"type": "object", "properties": {"position": {"type": "string"}}}',
        "not_an_answer",
    ),
    "form": ('{"position": "...", "reasons": ["..."], "confidence": 0.0}', "not_an_answer"),
    "form with choices": ('{"position": "PostgreSQL|MongoDB", "confidence": 0.5}', "not_an_answer"),
    "form with or": ('{"choice": "A or B", "position": "your answer"}', "not_an_answer"),
    "our own form": (
        '{"choice": "A letter of an option, or \\"none\\"", "position": "answer in one sentence"}',
        "not_an_answer",
    ),
    "example only": (f"Example:\n{OTHER}", "not_an_answer"),
    "question": (CLOSED.text, "not_an_answer"),
    "question and options": (f"{CLOSED.text}\nA) PostgreSQL\nB) MongoDB\n", "not_an_answer"),
    "other tool": ('{"name": "web_search", "arguments": {"query": "PostgreSQL"}}', "not_an_answer"),
    "event stream": ('data: {"delta": "Po"}\n\ndata: {"delta": "st"}\n', "not_an_answer"),
    "two answers": ('{"position": "PostgreSQL"}{"position": "MongoDB"}', "unreadable"),
    "list of two": ('[{"position": "PostgreSQL"}, {"position": "MongoDB"}]', "unreadable"),
    "one key twice": ('{"position": "PostgreSQL", "position": "MongoDB"}', "unreadable"),
    "one key in two cases": ('{"Choice": "A", "choice": "B"}', "unreadable"),
    "two choices": ('{"choice": ["A", "B"]}', "unreadable"),
    "broken beyond repair": ('{"x": "y" "z", but "w"}}} : 5}', "unreadable"),
    "braces": ("{" * 1_000_000, "unreadable"),
    "nested lists": ("[" * 100_000 + "]" * 100_000, "unreadable"),
    "nested objects": ('{"a":' * 100_000, "truncated"),
    "quotes": ('"' * 1_000_000, "unreadable"),
}


@pytest.mark.parametrize(("raw", "status"), NO_ANSWER.values(), ids=NO_ANSWER.keys())
def test_what_is_no_answer_is_called_by_its_name(raw, status):
    reply = read(raw)
    assert reply.status == status, reply
    assert (reply.choice, reply.position, reply.reasons, reply.confidence) == (None, None, (), None)
    assert reply.kind
    assert reply.detail


def test_the_providers_own_signs_come_first():
    assert read(PLAIN, refusal="I can't help with that.").status == "refused"
    assert read(PLAIN, finish_reason="content_filter").status == "refused"
    assert read(PLAIN, http_status=503).kind == "server_error"
    assert read("Bad key", http_status=401).kind == "auth"
    assert read("partial", finish_reason="error").status == "not_an_answer"
    assert read('{"message": {"content": null, "refusal": "I can\'t."}}').status == "refused"


FAILURES = {
    "HTTP 401: credential rejected": "auth",
    "API call failed after 3 retries: upstream rate limit reached": "rate_limited",
    "API call failed after 3 retries: HTTP 429: slow down": "rate_limited",
    "<!DOCTYPE html><html><head><title>502 Bad Gateway</title></head>": "server_error",
    '{"error": {"message": "Rate limit reached", "code": 429}}': "rate_limited",
    '[{"error": {"code": 503, "message": "The model is overloaded"}}]': "server_error",
    '{"is_error": true, "result": "API Error: 529"}': "server_error",
    '{"position": "HTTP 401: credential rejected", "confidence": 0}': "auth",
    "Traceback (most recent call last):\n  File 'x'\nValueError: PostgreSQL": "failed",
}


@pytest.mark.parametrize(("raw", "kind"), FAILURES.items())
def test_an_error_in_the_answers_place_is_no_answer_and_keeps_its_kind(raw, kind):
    reply = read(raw)
    assert (reply.status, reply.kind) == ("not_an_answer", kind)


REFUSALS = [
    "I'm sorry, but I can't assist with that.",
    '{"position": "I cannot answer this", "reasons": [], "confidence": 0}',
    '{"choice": null, "position": "Je ne peux pas répondre à cette question."}',
    "I can't help choose between PostgreSQL and MongoDB.",
    "申し訳ありませんが、お答えできません。",
]


@pytest.mark.parametrize("raw", REFUSALS)
def test_a_refusal_is_one_in_prose_and_in_objects(raw):
    assert read(raw).status == "refused"


@pytest.mark.parametrize("raw", ["ANSWER: Don't know", "I cannot decide.", '{"choice": "abstain"}'])
def test_a_juror_may_decline(raw):
    assert read(raw).status == "declined"


def test_a_choice_that_is_stated_outweighs_words_of_doubt():
    assert read('{"choice": "A", "position": "I cannot be sure, but this one"}').choice == "A"
    assert read("I'm sorry, I can't discuss vendors. Answer: B").choice == "B"


LETTERS = (
    "B|(B)|B.|**B**|b|Option B|option b|[B]|`B`|B)|Answer: B|**Answer: (B)**|Answer: b.|ANSWER=B"
    "|Answer - B|Answer : B|Final answer: **B**|The answer is B.|The answer is (B), I am sure."
    "|The correct answer is **B**.|The answer to the question is most likely (B).|\\boxed{B}"
    "|$\\boxed{\\text{B}}$|[[B]]|I choose B.|I'd pick (B)|I vote for option B because of joins."
    "|My vote: B|Verdict: B|B is my answer.|So it must be this one. (B)|<answer>B</answer>"
    "|Answer：B|答案：B|答案是B|我选择B。"
    "|assistant: B|Réponse : B|Antwort: B|### Answer\nB|Answer:\n\nB|# Final Answer\n\n**B**"
    "|```\nB\n```|Choice: B\nReason: documents|B\n\nBecause documents fit.|A looks fine.\nANSWER: B"
    "|Answer: the question is which is safer with money here.\nA looks fine.\nANSWER: B"
    "|The answer is (B).\n\nQuestion: Which is heavier?\nA) x\nB) y\nThe answer is (A)."
    '|{"answer": "B"}|{"choice": "(B)"}|{"vote": ["B"]}|{"choice": {"letter": "B", "text": "M"}}'
    "|<s> [OUT] Reasons. FINAL ANSWER: B [/OUT]"
    "|╭─ ⚕ Hermes ──╮\n│ Answer: B │\n╰────╯\n\nsession_id: 1"
)


@pytest.mark.parametrize("raw", LETTERS.split("|"))
def test_a_letter_is_found_in_every_dressing(raw):
    assert (read(raw).choice or "").upper().removeprefix("OPTION ") == "B", read(raw)


NO_LETTERS = [
    "A good case can be made for both.",
    "A better fit is MongoDB.",
    "I think so.",
    "The answer is a tough one.",
    "The answer is not B.",
    "If I choose B, the joins suffer.",
    "I would never choose B.",
    "The answer is (A) and (B).",
    "The answer is A, B.",
    "The answer is I.",
    "A) PostgreSQL\nB) MongoDB",
    "A: no. B: yes.",
    "不选B。",
    "Any of these could be argued.",
]


@pytest.mark.parametrize("raw", NO_LETTERS)
def test_letters_that_are_no_choice_are_left_alone(raw):
    reply = read(raw)
    assert reply.choice is None, reply


def test_the_pronoun_is_an_option_only_as_a_letter_by_itself():
    nine = tuple(Option(name=f"V{index}") for index in range(1, 10))
    valves = Question(text="Which valve is stuck?", options=nine)
    assert read("The answer is C; I measured it twice.", valves).choice == "C"
    assert read("The answer is I.", valves).choice == "I"


def test_the_last_letter_counts_when_a_juror_corrects_itself():
    assert read("The answer is A. Wait, no joins. The answer is B.").choice == "B"


YES_NO = Question(text="Migrate?", options=(Option(name="Yes"), Option(name="No")))
REPLICAS = Question(text="How many replicas?", options=(Option(name="3"), Option(name="5")))


@pytest.mark.parametrize(
    ("raw", "question", "choice"),
    [
        ('{"position": false, "reasons": ["risk"]}', YES_NO, "No"),
        ('{"answer": true}', YES_NO, "Yes"),
        ('{"position": 3}', REPLICAS, "3"),
        ('{"position": 3.0}', REPLICAS, "3"),
        ("3", REPLICAS, "3"),
        ('{"choice": "None"}', Question(text="?", options=(Option(name="None"),)), "None"),
        ("N/A", Question(text="?", options=(Option(name="N/A"),)), "N/A"),
        ("401", Question(text="?", options=(Option(name="401"),)), "401"),
        ("HTTP 403", Question(text="?", options=(Option(name="HTTP 403"),)), "HTTP 403"),
        ('{"position": "👍"}', OPEN, "👍"),
    ],
)
def test_answers_that_look_like_blanks_errors_or_values_count_where_they_are_options(
    raw, question, choice
):
    reply = read(raw, question)
    assert reply.status == "ok"
    assert (reply.choice or reply.position) == choice


def test_choice_and_position_are_kept_apart_for_the_stance_reader():
    reply = read('{"choice": "A", "position": "MongoDB", "scores": {"MongoDB": 9}}')
    assert (reply.choice, reply.position) == ("A", "MongoDB")
    none = read('{"choice": "none", "position": "Use SQLite", "reasons": ["simple"]}')
    assert (none.status, none.choice, none.position) == ("ok", "none", "Use SQLite")


def test_a_letter_with_a_name_behind_it_keeps_both():
    reply = read("B) PostgreSQL\n\nBecause of joins.")
    assert (reply.choice, reply.position) == ("B", "PostgreSQL")


def test_of_a_long_text_the_paragraph_that_takes_a_side_is_the_position():
    filler = "Ledgers have been kept in many ways over the centuries, and each had its price. " * 6
    reply = read(
        f"{filler}\n\nI would choose PostgreSQL here.\n\n{filler}\n\nLet me know if I can help!"
    )
    assert reply.position == "I would choose PostgreSQL here."
    assert reply.reasons


def test_who_was_moved_says_by_what():
    moved = read('{"choice": "B", "changed": true, "moved_by": "the point about joins"}')
    assert (moved.changed, moved.changed_by) == (True, "the point about joins")
    stayed = read('{"choice": "B", "changed": false, "moved_by": "nothing"}')
    assert (stayed.changed, stayed.changed_by) == (False, None)


@pytest.mark.parametrize(
    ("reasons", "expected"),
    [
        ("null", ()),
        ('"ACID transactions"', ("ACID transactions",)),
        ('["ACID\\ntransactions", "mature\\ttooling"]', ("ACID\ntransactions", "mature\ttooling")),
        ('["ACID", null, 3, ["nested"], "", "..."]', ("ACID", "3", "nested")),
        ('[{"title": "ACID", "detail": "no lost rows"}]', ("ACID: no lost rows",)),
        ('["run ```VACUUM``` nightly", "<think>slow</think> path"]', None),
    ],
)
def test_reasons_come_in_any_shape(reasons, expected):
    reply = read(f'{{"position": "PostgreSQL", "reasons": {reasons}, "confidence": 0.8}}')
    assert reply.reasons == (tuple(json.loads(reasons)) if expected is None else expected)


def test_a_cut_answer_is_never_taken_for_a_whole_one():
    whole = {
        "reasons": ["MongoDB tempts"],
        "confidence": 0.85,
        "position": "MongoDB is not the one",
    }
    text = json.dumps(whole)
    for length in range(1, len(text) - 1):
        for finish_reason in ("length", "stop"):
            assert read(text[:length], finish_reason=finish_reason).status != "ok", text[:length]


def test_of_a_cut_answer_what_was_whole_counts_and_is_flagged():
    for length in range(1, len(PLAIN)):
        reply = read(PLAIN[:length])
        if reply.status == "ok":
            assert reply.position == "PostgreSQL"
            assert reply.flags == ("truncated",)
            assert reply.confidence is None
            assert reply.reasons == REASONS[: len(reply.reasons)]
        else:
            assert reply.status in ("empty", "truncated"), (PLAIN[:length], reply)


def test_a_complete_answer_stands_although_the_words_after_it_were_cut():
    reply = read(f"{PLAIN}\n\nTo elaborate, the main consid", finish_reason="length")
    assert is_whole_answer(reply)
    assert reply.flags == ("truncated",)


def test_a_revision_that_was_cut_off_takes_the_answer_before_it_along():
    assert read(f'{OTHER}\nOn reflection, revised: {{"position": "Post').status == "truncated"


def test_cut_prose_counts_only_where_it_had_settled():
    assert read("I think that PostgreSQL is the", finish_reason="length").status == "truncated"
    assert read("My answer is PostgreSQL, tho", finish_reason="length").status == "truncated"
    settled = read("Answer: B\n\nThe ledger nee", finish_reason="length")
    assert (settled.choice, settled.flags) == ("B", ("prose", "truncated"))


def test_prose_keeps_its_words_its_reasons_and_its_certainty():
    reply = read("PostgreSQL, I am 90% sure.\n\n- ACID transactions\n- mature tooling", OPEN)
    assert reply.status == "ok"
    assert reply.position
    assert reply.position.startswith("PostgreSQL")
    assert reply.confidence == 0.9
    assert REASONS[0] in reply.reasons
    assert "prose" in reply.flags


def test_a_prompt_given_back_is_an_echo_and_an_answer_after_it_counts():
    prompt = f'{CLOSED.text}\nA) PostgreSQL\nB) MongoDB\nSay {{"choice": "A", "confidence": 0.5}}.'
    assert read(prompt, prompt=prompt).kind == "echo"
    assert read(prompt[:60], prompt=prompt).kind == "echo"
    assert read(f'{prompt}\n{{"choice": "B", "confidence": 0.9}}', prompt=prompt).choice == "B"
    assert read(f"{CLOSED.text}\nA) PostgreSQL\nB) MongoDB\n\nAnswer: B").choice == "B"


def test_words_of_another_juror_may_be_said_again():
    said = "PostgreSQL is the safer of the two with money, because its transactions hold."
    prompt = f"{CLOSED.text} Your earlier answer: {said} Weigh the arguments."
    assert read(said, prompt=prompt).status == "ok"
    assert read("Weigh the arguments.", prompt=prompt).status == "ok"
    assert read("transactions hold. Weigh the arguments.", prompt=prompt).kind == "echo"


def test_an_open_question_always_has_a_position():
    for raw in ('{"choice": "SQLite"}', "FINAL ANSWER: SQLite", "SQLite"):
        assert read(raw, OPEN).position == "SQLite"


def test_only_replies_that_another_try_may_mend_are_worth_a_repair():
    assert read("{" * 50).worth_a_repair
    assert read(PLAIN[:20]).worth_a_repair
    assert read(CLOSED.text).worth_a_repair
    assert not read("HTTP 401: credential rejected").worth_a_repair
    assert not read("I'm sorry, but I can't assist with that.").worth_a_repair
    assert not read(PLAIN).worth_a_repair


def test_lone_surrogates_are_replaced_and_pairs_are_joined():
    reply = read(
        '{"position": "PostgreSQL", "reasons": ["a \\ud83d b", "c \\ud83d\\ude00", "d \ud83d"]}'
    )
    assert reply.reasons == ("a \ufffd b", "c 😀", "d \ufffd")


def test_a_reply_beyond_the_bound_keeps_its_end():
    assert is_whole_answer(read("x {y} " * (MAX_CHARS // 3) + PLAIN))


PIECES = st.sampled_from(
    [
        *'{}[]":,\\\n ',
        *(PLAIN, OTHER, "<think>", "</think>", "```json\n", "Answer: ", "B", '"position": '),
        *('"choice": "A"', "I cannot help", "HTTP 500", "“", "：", "&quot;", '\\"', "\ud83d", "│"),
    ]
)


@settings(deadline=None)
@given(
    st.text() | st.lists(PIECES, max_size=30).map("".join),
    st.sampled_from([CLOSED, OPEN, YES_NO]),
    st.sampled_from([None, "stop", "length"]),
    st.none() | st.text(max_size=40),
)
def test_any_text_gives_one_reply_that_can_be_kept(raw, question, finish_reason, prompt):
    reply = read(raw, question, finish_reason=finish_reason, prompt=prompt)
    assert (reply.status == "ok") == (reply.kind is None) == bool(reply.choice or reply.position)
    assert reply.confidence is None or 0 <= reply.confidence <= 1
    assert list(reply.flags) == sorted(set(reply.flags))
    assert json.dumps(reply.model_dump(mode="json"), ensure_ascii=False).encode("utf-8")
    assert reply == read(raw, question, finish_reason=finish_reason, prompt=prompt)
