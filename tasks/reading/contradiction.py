"""Whether a verdict put into words by a model says what the record says. Pure.

Strict on purpose: where it is in doubt the text is rejected, and the template speaks, which cannot
be wrong. A sentence that names a juror tells what that juror said; every other sentence speaks for
the council, and may endorse nothing but the option that was decided.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from contracts.opinion import Opinion
from contracts.question import Question
from contracts.verdict import Verdict
from tasks.reading.record_numbers import RecordNumbers
from tasks.reading.stance import Answer, read_stance

SHORTEST, LONGEST = 20, 3_000
"""Characters of a text."""

_SENTENCE_END = re.compile(r"(?<=[.!?…])[\"”’')]{0,2}\s{1,20}(?=\S)|\n{1,20}")
_NONE = re.compile(
    r"\bno (?:verdict|decision|quorum)\b|\bhung\b|\bundecided\b|\b(?:is|was|in a) tied?\b",
    re.IGNORECASE,
)
_UNANIMOUS = re.compile(r"(?<!not )(?<!non-)(?<!from )\bunanim\w{2,6}", re.IGNORECASE)
_NOBODY = re.compile(
    r"\b(?:no(?:body| one)? dissent\w{0,4}|without (?:any )?dissent|everyone agree\w{0,2}"
    r"|(?:all|every) (?:\w{1,10} )?(?:jurors?|seats?|members?) (?:agree|chose|choose|back|voted))",
    re.IGNORECASE,
)
_DISSENT = re.compile(r"\b(?:dissent|minority|lone voice|objection|held out)\w{0,4}", re.IGNORECASE)
_SIDES_WITH = re.compile(
    r"\b(?:is|are|was|were) (?:\w{1,12} )?(?:right|correct)\b|\b(?:rightly|correctly|wisely)\b"
    r"|\byou (?:should|must|ought|would|had better|are better)\b"
    r"|\b(?:I|we) (?:recommend|would|agree|should|advise|suggest)\b"
    r"|\bbetter (?:choice|option|advice|answer)\b|\boverrule\w{0,2}",
    re.IGNORECASE,
)
_MOVED = re.compile(
    r"\b(?:changed|switched|moved|came over|went) (?:\w{1,12} ){0,3}?"
    r"(?:mind|sides?|from|over|to|by)\b",
    re.IGNORECASE,
)
_UNCALIBRATED = re.compile(r"\b(?:not(?: yet)?|un|never)[ -]?calibrated", re.IGNORECASE)
_ADDRESS = re.compile(r"\b[a-z][a-z0-9+.-]{1,15}://|\bwww\.", re.IGNORECASE)


class OnRecord(NamedTuple):
    """What the words have to agree with."""

    question: Question
    verdict: Verdict
    opinions: Sequence[Opinion]

    @property
    def jurors(self) -> list[str]:
        """Names of the seats, each once."""
        return list(dict.fromkeys(opinion.juror for opinion in self.opinions))

    def stances(self, juror: str) -> set[str]:
        """Everything that a juror stood for in any round."""
        return {o.stance for o in self.opinions if o.juror == juror and o.stance}


def contradiction(text: str, record: OnRecord) -> str | None:
    """Return in words how `text` contradicts the record or leaves its dissent out; None if not."""
    if not SHORTEST <= len(text) <= LONGEST:
        return f"it has {len(text):,} characters"
    if _ADDRESS.search(text):
        return "it names an address"
    sentences = [part.strip() for part in _SENTENCE_END.split(text) if part.strip()]
    faults = (
        *_status_faults(text, record),
        *_omissions(text, record),
        *_stance_faults(sentences, record),
        *RecordNumbers(record.question, record.verdict, record.opinions).faults(sentences),
        *_juror_faults(sentences, record),
    )
    return next(iter(faults), None)


def _status_faults(text: str, record: OnRecord) -> Iterator[str]:
    verdict = record.verdict
    if verdict.decided and _NONE.search(text):
        yield "it says that there is no verdict"
    if not verdict.decided and not _NONE.search(text):
        yield "it does not say that there is no verdict"
    if verdict.status != "unanimous" and _UNANIMOUS.search(text):
        yield "it says unanimous"
    if verdict.dissents and _NOBODY.search(text):
        yield "it says that nobody dissents"
    if "calibrated" in text.casefold() and bool(_UNCALIBRATED.search(text)) == verdict.calibrated:
        yield "it is wrong about the calibration"


def _omissions(text: str, record: OnRecord) -> Iterator[str]:
    verdict = record.verdict
    if verdict.option is not None and verdict.decided and not _names(text, verdict.option, record):
        yield f"it does not name {verdict.option}"
    for dissent in verdict.dissents:
        if not _mentions(text, dissent.juror):
            yield f"it leaves out the dissent of {dissent.juror}"


def _names(text: str, option: str, record: OnRecord) -> bool:
    if " ".join(option.casefold().split()) in " ".join(text.casefold().split()):
        return True
    return _stance(text, record) == option


def _stance_faults(sentences: Sequence[str], record: OnRecord) -> Iterator[str]:
    verdict = record.verdict
    decided = verdict.option if verdict.decided else None
    dissenting = {dissent.option for dissent in verdict.dissents}
    for sentence in sentences:
        stance = _stance(sentence, record)
        if stance in {None, decided} or _tells_of_before(sentence, stance, record):
            continue
        named = [juror for juror in record.jurors if _mentions(sentence, juror)]
        held = set().union(*(record.stances(juror) for juror in named))
        if _SIDES_WITH.search(sentence):
            yield f"it sides with {stance}"
        elif named and stance not in held:
            yield f"it says {stance} of {', '.join(named)}"
        elif not named and not (_DISSENT.search(sentence) and stance in dissenting):
            yield f"it endorses {stance}"


def _tells_of_before(sentence: str, stance: str | None, record: OnRecord) -> bool:
    verdict = record.verdict
    earlier = [before for before in (verdict.before_debate,) if before]
    earlier += [verdict.arena.before] if verdict.arena else []
    told = re.search(r"\b(?:before|at first|initially|earlier)\b", sentence, re.IGNORECASE)
    return told is not None and stance in {before.option for before in earlier}


def _juror_faults(sentences: Sequence[str], record: OnRecord) -> Iterator[str]:
    dissenters = {dissent.juror for dissent in record.verdict.dissents}
    movers = {mind.juror for mind in record.verdict.changed_minds}
    for sentence in sentences:
        named = {juror for juror in record.jurors if _mentions(sentence, juror)}
        if named and re.search(r"\bdissent", sentence, re.IGNORECASE) and not named & dissenters:
            yield f"it says that {', '.join(sorted(named))} dissents"
        if named and _MOVED.search(sentence) and not named & movers:
            yield f"it says that {', '.join(sorted(named))} changed"


def _stance(text: str, record: OnRecord) -> str | None:
    return read_stance(Answer(None, text, ()), record.question, lettered=False).stance


def _mentions(text: str, name: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text, re.IGNORECASE) is not None
