"""The numbers that a verdict's record holds, and those of a text that it does not. Pure."""

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal, InvalidOperation

from contracts.opinion import Opinion
from contracts.question import Question
from contracts.verdict import Verdict

_NUMBER = re.compile(r"(?<![\w.])(\d{1,15}(?:[.,]\d{1,12}){0,4})(\s?%|\s?percent\b)?")
_WORDS = {
    word: number
    for number, word in enumerate(
        ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"], start=2
    )
}
_WORD = "|".join(["one", *_WORDS])
_COUNTED = re.compile(
    rf"\b({'|'.join(_WORDS)})"
    r"(?= (?:\w{1,12} )?(?:of|jurors?|seats?|votes?|voices?|members?|dissent))",
    re.IGNORECASE,
)
_SPLIT = re.compile(
    r"(?<![\w.])(\d{1,3})(?:\s?[–—:-]\s?|\s(?:to|against|versus)\s)(\d{1,3})(?![\w%])"
)
_SPLIT_WORDS = re.compile(
    rf"\b({_WORD}) (?:votes? )?(?:to|against|versus) ({_WORD})\b", re.IGNORECASE
)
_CONFIDENCE = re.compile(r"\bconfiden|\bprobab|\bcertain|\bsure\b", re.IGNORECASE)
_SOURCE_CHARS = 200_000


class RecordNumbers:
    """All numbers of one verdict: its own, and those in what was asked and said."""

    def __init__(self, question: Question, verdict: Verdict, opinions: Sequence[Opinion]) -> None:
        """Collect them."""
        said = [question.text, *question.option_names]
        for opinion in opinions:
            said += [opinion.juror, opinion.position or "", opinion.changed_by or ""]
            said += opinion.reasons
        self._source = "\n".join(said)[:_SOURCE_CHARS]
        self._stated = {_percent(o.confidence) for o in opinions if o.confidence is not None}
        self._verdict = verdict
        self._splits = {_plain_split(verdict.split)}
        self._confidence = _percents(verdict.confidence)
        earlier = [verdict.before_debate] if verdict.before_debate else []
        earlier += [verdict.arena.before] if verdict.arena else []
        for before in earlier:
            self._splits.add(_plain_split(before.split))
            self._confidence |= _percents(before.confidence)
        found = {(number, bool(unit)) for number, unit in _numbers(self._source)}
        self._percent = self._confidence | self._shares() | {n for n, unit in found if unit}
        self._count = self._counts() | {number for number, _ in found}

    def faults(self, sentences: Sequence[str]) -> Iterator[str]:
        """Yield each number that is not of the record, in words."""
        for sentence in sentences:
            yield from self._split_faults(sentence)
            yield from self._number_faults(sentence)
            for word in _COUNTED.findall(sentence):
                if Decimal(_WORDS[word.lower()]) not in self._count:
                    yield f"it counts {word.lower()}"

    def _number_faults(self, sentence: str) -> Iterator[str]:
        rest = _SPLIT.sub(" ", sentence)
        for number, unit in _numbers(rest):
            if unit and _CONFIDENCE.search(sentence):
                known = self._confidence | self._stated
            else:
                known = self._percent if unit else self._count | self._fractions()
            if number not in known:
                yield f"it says {number:f}{'%' if unit else ''}"

    def _split_faults(self, sentence: str) -> Iterator[str]:
        for found in _SPLIT.finditer(sentence):
            if f"{found[1]}–{found[2]}" not in self._splits and found[0] not in self._source:
                yield f"it says {found[0]}"
        for one, other in _SPLIT_WORDS.findall(sentence):
            numbers = (str({"one": 1, **_WORDS}[word.lower()]) for word in (one, other))
            if "–".join(numbers) not in self._splits:
                yield f"it says {one} to {other}"

    def _counts(self) -> set[Decimal]:
        verdict = self._verdict
        camps = [int(n) for n in re.findall(r"\d+", verdict.split)]
        lists = (verdict.dissents, verdict.changed_minds, verdict.failed_seats, verdict.ballots)
        counts = {verdict.seats, verdict.n_outcomes, sum(camps), *camps, *map(len, lists)}
        weights = {round(vote.weight, 2) for b in verdict.ballots for vote in b.votes}
        weights |= {round(ballot.weight, 2) for ballot in verdict.ballots}
        return {Decimal(n) for n in counts} | {_decimal(str(weight)) for weight in weights}

    def _shares(self) -> set[Decimal]:
        return set().union(*(_percents(ballot.share) for ballot in self._verdict.ballots))

    def _fractions(self) -> set[Decimal]:
        return {
            _decimal(f"{self._verdict.confidence:.2f}"),
            _decimal(f"{self._verdict.confidence:.3f}"),
        }


def _numbers(text: str) -> Iterator[tuple[Decimal, str]]:
    for number, unit in _NUMBER.findall(text):
        try:
            yield _decimal(number), unit
        except InvalidOperation:
            continue


def _decimal(text: str) -> Decimal:
    """Return the value of digits; `1,000` is a thousand, `1.5` one and a half."""
    return Decimal(text.replace(",", "")).normalize()


def _percents(share: float) -> set[Decimal]:
    return {_percent(share), _decimal(f"{share * 100:.1f}")}


def _percent(share: float) -> Decimal:
    return _decimal(f"{share:.0%}".removesuffix("%"))


def _plain_split(split: str) -> str:
    return re.sub(r"\s?[–—-]\s?", "–", split)
