"""Options found in prose: by name, alias, well-known short form or a word of their own."""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from contracts.question import Option
from tasks.reading.grammar.naming import Entry, Level, entries
from tasks.reading.grammar.tokens import Token
from tasks.reading.grammar.verbs import AFTER_VERB, FUNCTION

SEVERAL = -1
"""Stands for the option of a mention that fits more than one."""

_VERSIONED = re.compile(r"([a-z][a-z.+#-]{2,60}?)v?\d[\d.]{0,12}")
_TYING = {"-", " ", "/", "&", "'"}
_LONGEST = 14
_JOINED = 4
_SHORT = 2
_NEAR = 5
_RANK: dict[Level, int] = {"name": 0, "alias": 1, "part": 2}


class Mention(NamedTuple):
    """Tokens `start` to `end` (excluded) that stand for an option, or against it."""

    start: int
    end: int
    option: int
    """Index of the option, or `SEVERAL`."""
    level: Level
    sign: int = 1


class Namebook:
    """What the options of one question are called."""

    def __init__(self, options: Sequence[Option]) -> None:
        """Index every name, alias and derived form; linear in their number."""
        self._book: dict[str, Entry] = {}
        found: dict[str, list[Entry]] = defaultdict(list)
        for key, entry in entries(options):
            found[key].append(entry)
        for key, rivals in found.items():
            best = min(_RANK[entry.level] for entry in rivals)
            top = [entry for entry in rivals if _RANK[entry.level] == best]
            if len({(entry.option, entry.sign) for entry in top}) == 1:
                self._book[key] = top[0]
            elif any(entry.given for entry in top):
                self._book[key] = top[0]._replace(option=SEVERAL)

    def mentions(self, tokens: Sequence[Token]) -> list[Mention]:
        """Return the mentions in `tokens`, left to right, the longest at each place."""
        found: list[Mention] = []
        at = 0
        lower = all(token.shown == token.shown.lower() for token in tokens)
        while at < len(tokens):
            mention = self._at(tokens, at, lower=lower)
            if mention:
                found.append(mention)
            at = mention.end if mention else at + 1
        return found

    def nearest(self, tokens: Sequence[Token]) -> list[Mention]:
        """Return words that are one slip away from the name of exactly one option."""
        names = [(key, entry) for key, entry in self._book.items() if _may_be_misspelt(key, entry)]
        found: list[Mention] = []
        for at, token in enumerate(tokens):
            if token.word in self._book:
                continue  # it is no slip, and was not taken for a name
            hits = {entry.option for key, entry in names if _one_slip(token.word, key)}
            if len(hits) == 1:
                found.append(Mention(at, at + 1, hits.pop(), "alias"))
        return found

    def _at(self, tokens: Sequence[Token], start: int, *, lower: bool) -> Mention | None:
        for end, words in reversed(list(_runs(tokens, start))):
            entry = self._entry(words, _marks_in(tokens, start, end))
            if entry is None or not _whole(tokens, start, end):
                continue
            if entry.case and not _is_name_use(tokens, start, end, entry.case, lower=lower):
                continue
            return Mention(start, end, entry.option, entry.level, entry.sign)
        return None

    def _entry(self, words: tuple[str, ...], marks: set[str]) -> Entry | None:
        joined, tied = "".join(words), marks == {"-"}
        for key in (joined, *(() if marks - _TYING else _looser(joined))):
            entry = self._book.get(key)
            if entry and (len(words) == 1 or words == entry.words or tied or _joinable(words)):
                return entry
        return None


def _looser(joined: str) -> Iterator[str]:
    """Yield `joined` without marks inside, and a name without its version (`python3.11`)."""
    if not joined.isalpha() and any(character.isalpha() for character in joined):
        bare = joined.replace(".", "").replace("'", "").replace("_", "")
        if bare != joined:
            yield bare
        if not joined[-1].isalpha() and (match := _VERSIONED.fullmatch(joined)):
            yield match[1]


def _joinable(words: tuple[str, ...]) -> bool:
    """Tell whether `micro services` may be read as one word; `no SQL` may not."""
    return len(words) <= _JOINED and not FUNCTION.intersection(words)


def _runs(tokens: Sequence[Token], start: int) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Yield (end, words) of the runs of words from `start`, across hyphens, commas, brackets."""
    words: list[str] = []
    for end in range(start, min(start + _LONGEST, len(tokens))):
        token = tokens[end]
        if token.kind in {"word", "number"}:
            words.append(token.word)
            yield end + 1, tuple(words)
        elif not words or token.word not in {"-", "/", "(", ")", ",", ":", "&", "'"}:
            return


def _whole(tokens: Sequence[Token], start: int, end: int) -> bool:
    """Tell whether no hyphen ties the run to a word that changes it (`C-level`, `ex-Kafka`)."""
    short = end - start == 1 and len(tokens[start].word) <= _SHORT
    tied_before = start > 1 and tokens[start - 1].word == "-" and not tokens[start - 1].gap
    if tied_before and not tokens[start].gap:
        before = tokens[start - 2].word
        if short or before in {"ex", "anti", "post", "pre", "pseudo", "quasi", "un", "never"}:
            return False
    tied_after = end + 1 < len(tokens) and tokens[end].word == "-" and not tokens[end].gap
    if tied_after and not tokens[end + 1].gap:
        after = tokens[end + 1].word
        return not (short or after in {"compatible", "like", "style", "esque", "inspired"})
    return not (end < len(tokens) and _grows(tokens[end - 1], tokens[end]))


def _marks_in(tokens: Sequence[Token], start: int, end: int) -> set[str]:
    """Return what parts the words of a run: marks, and a blank for white space."""
    marks = {token.word for token in tokens[start:end] if token.kind == "mark"}
    return marks | ({" "} if any(token.gap for token in tokens[start + 1 : end]) else set())


def _grows(last: Token, after: Token) -> bool:
    """Tell whether a name goes on without space (`C` in `C#`, `GPT-4` in `GPT-4o`)."""
    lettered = last.kind == "number" and after.kind == "word" and not after.word.startswith("'")
    return not after.gap and (lettered or after.word in {"#", "+"})


def _starts_sentence(tokens: Sequence[Token], at: int) -> bool:
    return at == 0 or tokens[at - 1].word in {".", "!", "?", ":", ";", "—", '"', "...", "\n"}


def _is_name_use(tokens: Sequence[Token], start: int, end: int, case: str, *, lower: bool) -> bool:
    """Tell whether an ordinary word (`go`, `us`, `rest`) stands as a name here."""
    shown = tokens[start].shown
    after = tokens[end].word if end < len(tokens) else "."
    before = tokens[start - 1].word if start else "."
    if shown == case and case != case.lower():
        loud = case.isupper() and not lower and len(case) > 1
        led = end < len(tokens) and tokens[end].shown[:1].isupper()
        verb = (after in AFTER_VERB and len(case) > 1) or led
        return loud or not _starts_sentence(tokens, start) or not verb
    if lower or case == case.lower():
        ended = not after[:1].isalnum()
        led = before in {"use", "choose", "pick", "with", "in", "is", "adopt", "prefer", "than"}
        return ended and (led or not before[:1].isalnum())
    return False


def _may_be_misspelt(key: str, entry: Entry) -> bool:
    return entry.level != "part" and entry.sign > 0 and len(key) > _NEAR and key.isalpha()


def _one_slip(word: str, name: str) -> bool:
    """Tell whether one letter is missing, added, wrong or swapped, after the first one."""
    if word == name or word[:1] != name[:1] or abs(len(word) - len(name)) > 1:
        return False
    if len(word) < _NEAR or any(c.isdigit() for c in word):
        return False
    at = next((i for i, (a, b) in enumerate(zip(word, name, strict=False)) if a != b), len(name))
    one, two = word[at:], name[at:]
    swapped = one[:2] == two[1::-1] and one[2:] == two[2:]
    return swapped or one[1:] == two[1:] or one[1:] == two or one == two[1:]
