"""Options pointed at by their letter, or by their place: `(B)`, `option 2`, `the latter`."""

from collections.abc import Iterator, Sequence

from contracts.question import letter
from tasks.reading.grammar.names import Mention
from tasks.reading.grammar.tokens import Token

_DRESSING = {"option", "choice", "answer", "letter", "candidate", "alternative", "variant"}
_LINKS = {"is", ":", "=", "-", "would", "be", "#", "number", "no", "."}
_VERBS_AFTER_A = {
    *("is", "has", "was", "would", "will", "wins", "beats", "because", "since", "over", "and"),
    *("but", "or", "rather", "for", "it", "with", "not", "seems", "looks", "should", "then"),
}
_FIRST = {"first": 0, "1st": 0, "second": 1, "2nd": 1, "third": 2, "3rd": 2, "fourth": 3}
_PLACES = {"one", "option", "choice", "alternative", "candidate", "answer", "of"}
_NUMBERS = {"1": 0, "2": 1, "3": 2, "4": 3, "5": 4, "6": 5, "one": 0, "two": 1, "three": 2}
_PAIR = 2


def letters(tokens: Sequence[Token], options: int) -> Iterator[Mention]:
    """Yield the letters that stand for one of the first `options` options."""
    by_letter = {letter(index): index for index in range(options)}
    single = len([token for token in tokens if token.kind != "mark"]) == 1
    for at, token in enumerate(tokens):
        index = by_letter.get(token.shown.upper())
        if index is None or not token.shown.isascii():
            continue
        dressed = _dressed(tokens, at)
        if single or dressed or (token.shown.isupper() and _stands_alone(tokens, at)):
            yield Mention(at, at + 1, index, "name")


def places(
    tokens: Sequence[Token], options: int, named: Sequence[Mention] = ()
) -> Iterator[Mention]:
    """Yield `the first option`, `option 2`, `the latter` as mentions.

    Where the text has `named` options before, `former` and `latter` go by its own order.
    """
    for at, token in enumerate(tokens):
        order = list(dict.fromkeys(mention.option for mention in named if mention.end <= at))
        if token.word in {"former", "latter"}:
            order = order if len(order) == _PAIR else list(range(options)) * (not order)
            if len(order) == _PAIR:
                yield Mention(at, at + 1, order[token.word == "latter"], "alias")
        elif not named:
            yield from _numbered(tokens, at, options)


def _numbered(tokens: Sequence[Token], at: int, options: int) -> Iterator[Mention]:
    word, after = tokens[at].word, _word(tokens, at + 1)
    index = _place(word, after, options, alone=_alone(tokens, at))
    end = at + 1 + (after in _PLACES)
    if index is None and word in _DRESSING | {"#"}:
        index = _NUMBERS.get(after)
        end = at + 2
    if index is not None and index < options:
        yield Mention(at, end, index, "alias")


def _place(word: str, after: str, options: int, *, alone: bool) -> int | None:
    if word == "last" and (after in _PLACES - {"of"}):
        return options - 1
    if word in _FIRST and (after in _PLACES - {"of"} or alone):
        return _FIRST[word]
    return None


def _word(tokens: Sequence[Token], at: int) -> str:
    return tokens[at].word if 0 <= at < len(tokens) else ""


def _alone(tokens: Sequence[Token], at: int) -> bool:
    """Tell whether the text is `first`, `the second` and no more."""
    rest = [token.word for token in tokens[:at] if token.kind == "word"]
    return rest in ([], ["the"]) and all(token.kind == "mark" for token in tokens[at + 1 :])


def _dressed(tokens: Sequence[Token], at: int) -> bool:
    """Tell whether the letter is written as one: `(b)`, `b)`, `option b`, `answer: b`."""
    before, after = _word(tokens, at - 1), _word(tokens, at + 1)
    if (before, after) in {("(", ")"), ("[", "]"), ('"', '"'), ("'", "'")}:
        return True
    starts = at == 0 or before in {".", "\n", ":", ";", ","}
    if after == ")" and starts and not tokens[at + 1].gap:
        return True
    back = at - 1
    while back > 0 and tokens[back].word in _LINKS:
        back -= 1
    linked = back < at - 1 and tokens[at].shown.isupper()
    return back >= 0 and tokens[back].word in _DRESSING and (back == at - 1 or linked)


def _stands_alone(tokens: Sequence[Token], at: int) -> bool:
    """Tell whether a bare capital is a letter, not the article `A`, the pronoun `I`, an initial."""
    shown, before, after = tokens[at].shown, _word(tokens, at - 1), _word(tokens, at + 1)
    tied = at + 1 < len(tokens) and not tokens[at + 1].gap and after in {"-", "'s", "'", "/", "&"}
    led = before in {"-", "/", "&"} and not tokens[at].gap
    if tied or led:
        return False
    ends = not after[:1].isalnum() and after != "'d"
    if shown == "I":
        return at > 0 and ends and before in {":", "is", "say", "choose", "pick", "be"}
    initial = at == 0 or before in {".", "!", "?", ":", "\n", ";", '"'}
    if shown == "A" and initial:
        return ends or after in _VERBS_AFTER_A or (after.endswith("s") and len(after) > 3)  # noqa: PLR2004
    return True
