"""What a yes-or-no question proposes, so that an answer without yes or no can be read."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tasks.reading.grammar import forms
from tasks.reading.grammar.names import Mention
from tasks.reading.grammar.plain import plain
from tasks.reading.grammar.tokens import Token, tokenise, wordset
from tasks.reading.grammar.verbs import ACTIONS, HOLDING, STOP

_MODALS = wordset("""
    should shall must ought can could may might will would do does did shouldn't
""")
_BE = wordset("is are was were be")
_SUBJECTS = wordset("we i they you he she it one people there")
_WRONG = wordset("""
    mistake wrong unwise bad risky premature foolish dangerous unethical irresponsible unfair
    harmful overkill unreasonable crazy folly error waste reckless immoral illegal unacceptable
    unnecessary pointless problem inadvisable terrible awful horrible dreadful lousy unjustified
    inappropriate imprudent insane stupid
""")
_RIGHT = wordset("""
    great excellent brilliant good wise right worth smart better sensible safe ok okay fine
    reasonable advisable acceptable ethical fair worthwhile time beneficial prudent justified
    appropriate moral legal harmless necessary sane desirable
""")
_GAINS = wordset("benefit benefits advantages pros gain gains upside upsides reward rewards value")
_PAINS = wordset("""
    risk risks cost costs downside downsides drawback drawbacks disadvantages cons danger dangers
    harm harms pain
""")
_BESIDE = 4
_OPPOSITES = {
    "accept": ("reject", "decline", "refuse"),
    "add": ("remove", "drop"),
    "allow": ("ban", "forbid", "block", "prohibit", "deny"),
    "approve": ("reject", "deny", "decline", "veto"),
    "ban": ("allow", "permit"),
    "continue": ("stop", "halt", "end"),
    "cut": ("raise", "increase"),
    "drop": ("keep", "support", "maintain", "retain"),
    "enable": ("disable",),
    "expand": ("shrink", "contract"),
    "lower": ("raise", "increase"),
    "merge": ("separate",),
    "open": ("close",),
    "raise": ("lower", "cut", "reduce"),
    "remove": ("keep", "retain"),
    "reject": ("accept", "approve"),
    "sign": ("decline", "refuse", "reject"),
    "split": ("merge",),
    "succeed": ("fail",),
    "work": ("fail",),
    "pass": ("fail",),
    "fail": ("succeed", "pass"),
    "win": ("lose",),
    "lose": ("win",),
    "improve": ("worsen",),
    "comply": ("violate",),
    "survive": ("fail",),
    "start": ("stop",),
    "stop": ("continue",),
}
_STATES = wordset("""
    succeed work scale fit help matter pay exist pass comply suffice meet need improve violate
    infringe apply break win lose arrive happen survive deliver hold fail qualify
""")
_LIKE = {
    "adopt": ("embrace", "use"),
    "drop": ("remove", "retire", "discontinue", "deprecate"),
    "migrate": ("move", "switch"),
    "raise": ("increase", "hike"),
    "cut": ("reduce", "lower"),
    "lower": ("reduce", "cut"),
    "launch": ("ship", "release"),
    "ship": ("launch", "release"),
}
_MOVING = ("change", "drop", "leave", "move", "switch", "stop", "replace", "remove", "act", "quit")
_AHEAD = ("go ahead", "proceed", "do it", "go for it", "do so", "press ahead", "move forward")
_BACK = (
    *("hold off", "stay put", "leave it as is", "leave it as it is", "leave it alone", "as is"),
    *("status quo", "do nothing", "stand still", "leave things", "walk away"),
)


Meaning = dict[tuple[str, ...], int]


class Proposition(NamedTuple):
    """Words that affirm what is asked (+1) or deny it (-1), by how surely they do."""

    predicates: Meaning
    """Of a question that judges: is it wrong, would it be a mistake, is it compliant."""
    acts: Meaning
    """Of a question about an act: should we migrate."""
    judgements: Meaning
    """Praise and blame, which affirm and deny an act where nothing else is said."""


def proposition(text: str) -> Proposition:
    """Return what the question proposes; empty where its form is not known."""
    words = _sentence(tokenise(plain(text)))
    at, sign, opener = _opening(words)
    rest = words[at:]
    if opener in _BE or rest[:1] == ["be"]:
        return _judging(rest, sign)
    if at and words[at - 1] in _SUBJECTS and rest and rest[0] not in STOP | ACTIONS | _STATES:
        return Proposition({}, _acts(rest[0], sign), _judgements(sign))
    bases = [base for word in rest if (base := _base(word))]
    verb = next(iter(bases), None) or next((word for word in rest if word in _STATES), None)
    if verb is None:
        last = next((word for word in reversed(rest) if word.endswith(("ed", "en"))), None)
        return Proposition(_predicate(last, sign) if last else {}, {}, {})
    acts = _acts(verb, sign) if bases else _states(verb, sign)
    kept = {name: way for name, way in acts.items() if way == sign or name[0] not in words}
    return Proposition({}, kept, _judgements(sign))


def _sentence(tokens: Sequence[Token]) -> list[str]:
    """Return the words of the last question, or of the last sentence."""
    kept: list[str] = []
    chosen: list[str] = []
    for token in tokens:
        if token.word in {"?", ".", "!"} or token.kind == "line":
            chosen, kept = kept or chosen, []
            if token.word == "?":
                continue
        elif token.kind != "mark":
            kept.append(token.word)
    return kept or chosen


def _opening(words: Sequence[str]) -> tuple[int, int, str]:
    """Return where the proposition begins, after `should we`, -1 for `we should not`, the verb."""
    for at, word in enumerate(words):
        if word not in _MODALS | _BE:
            continue
        inverted = at == 0 or words[at - 1] not in _SUBJECTS
        step, sign = at + 1, 1
        if step < len(words) and words[step] == "not":
            step, sign = step + 1, sign if inverted else -1
        if inverted and step < len(words) and words[step] in _SUBJECTS:
            step += 1
        if step < len(words) and words[step] == "not":
            step, sign = step + 1, -1
        return step, sign, word
    return 0, 1, ""


def _judging(rest: Sequence[str], sign: int) -> Proposition:
    judged = next((word for word in rest if word in _WRONG | _RIGHT), None)
    if judged is None:
        content = [word for word in rest if word not in STOP and word not in _BE]
        return Proposition(_predicate(content[-1], sign) if content else {}, {}, {})
    value = -1 if judged in _WRONG else 1
    predicates: Meaning = {(word,): -sign * value for word in _WRONG}
    predicates |= {(word,): sign * value for word in _RIGHT}
    predicates |= dict.fromkeys(((prefix + judged,) for prefix in forms.NEGATIVE_PREFIXES), -sign)
    after = list(rest)[list(rest).index(judged) + 1 :]
    verb = next((word for word in [*after, *rest] if _base(word)), None)
    acts = _acts(_base(verb) or "", sign * value) if verb else {}
    return Proposition(predicates, acts, {})


def _predicate(word: str, sign: int) -> Meaning:
    denied = dict.fromkeys(((prefix + word,) for prefix in forms.NEGATIVE_PREFIXES), -sign)
    return denied | _spread({word: sign})


def _base(word: str | None) -> str | None:
    """Return the act that `word` is a form of."""
    if word is None or word in ACTIONS:
        return word
    ending = next((ending for ending in ("ing", "ed") if word.endswith(ending)), None)
    if ending is None:
        return None
    stem = word[: -len(ending)]
    for base in (stem, f"{stem}e", stem[:-1]):
        if base in ACTIONS:
            return base
    return None


def _states(verb: str, sign: int) -> Meaning:
    return _spread({verb: sign} | dict.fromkeys(_OPPOSITES.get(verb, ()), -sign))


def _acts(verb: str, sign: int) -> Meaning:
    against = _OPPOSITES.get(verb, ())
    against += _MOVING if verb in HOLDING else tuple(HOLDING)
    words = {word: -sign for word in against if word != verb}
    words |= dict.fromkeys((verb, *_LIKE.get(verb, ())), sign)
    spread = _spread(words)
    spread |= {tuple(phrase.split()): sign for phrase in _AHEAD}
    if verb not in HOLDING:
        spread |= {tuple(phrase.split()): -sign for phrase in _BACK}
    return spread


def _judgements(sign: int) -> Meaning:
    blame: Meaning = {(word,): -sign for word in _WRONG}
    blame |= {("too", word): -sign for word in ("soon", "early", "late")}
    return blame | {(word,): sign for word in _RIGHT - {"better", "time"}} | {("time", "to"): sign}


def balance(tokens: Sequence[Token]) -> int:
    """Return 1 where the benefits outweigh the risks, -1 where the risks do, else 0."""
    for at, token in enumerate(tokens):
        if token.word in {"outweigh", "outweighs", "outweighed"}:
            before = {token.word for token in tokens[max(0, at - _BESIDE) : at]}
            after = {token.word for token in tokens[at + 1 : at + 1 + _BESIDE]}
            up = bool(before & _GAINS and after & _PAINS)
            down = bool(before & _PAINS and after & _GAINS)
            return (up - down) * (-1 if "not" in before else 1)
    return 0


def _spread(words: dict[str, int]) -> Meaning:
    """Return the words in all their forms; the first meaning given stays."""
    spread: dict[tuple[str, ...], int] = {}
    for word, sign in words.items():
        for form in forms.all_forms(word):
            spread.setdefault((form,), sign)
    return spread | {(word,): sign for word, sign in words.items()}


def affirmed(
    tokens: Sequence[Token],
    names: Meaning,
    yes: int,
    no: int,
    asked: frozenset[str] = frozenset(),
) -> Iterator[Mention]:
    """Yield where `names` stand in `tokens`, as mentions of option `yes` or of option `no`.

    An act whose object is a name that was not `asked` about is another act.
    """
    found: list[Mention] = []
    longest = max((len(name) for name in names), default=0)
    at = 0
    while at < len(tokens):
        hit = _longest(tokens, at, names, longest)
        end = hit[0] if hit else at + 1
        if hit and not _has_other_object(tokens, end, asked):
            mention = Mention(at, end, yes if hit[1] > 0 else no, "part")
            if found and _is_its_subject(tokens, found[-1], mention):
                found.pop()
            if not found or not _is_its_object(tokens, found[-1], mention):
                found.append(mention)
        at = end
    yield from found


def _has_other_object(tokens: Sequence[Token], end: int, asked: frozenset[str]) -> bool:
    after = tokens[end] if end < len(tokens) else None
    return bool(asked and after and after.shown[:1].isupper() and after.word not in asked)


def _is_its_subject(tokens: Sequence[Token], named: Mention, verb: Mention) -> bool:
    """Tell whether the verb says what is to happen to `named` (`the migration should wait`)."""
    between = [token.word for token in tokens[named.end : verb.start]]
    modal = bool(between) and between[0] in {"should", "must", "can", "has", "needs", "could"}
    plain = set(between) <= {"should", "must", "can", "has", "needs", "could", "to", "be", "not"}
    return named.option != verb.option and modal and plain


def _longest(
    tokens: Sequence[Token], at: int, names: Meaning, longest: int
) -> tuple[int, int] | None:
    for size in range(min(longest, len(tokens) - at), 0, -1):
        sign = names.get(tuple(token.word for token in tokens[at : at + size]))
        if sign is not None:
            return at + size, sign
    return None


def _is_its_object(tokens: Sequence[Token], verb: Mention, named: Mention) -> bool:
    """Tell whether `named` is what the verb before is about (`postpone the migration`)."""
    if verb.option == named.option or tokens[verb.start].word.startswith(("keep", "continu")):
        return False
    between = {token.word for token in tokens[verb.end : named.start]}
    return between <= {"the", "this", "that", "any", "our", "a", "such", "from"}
