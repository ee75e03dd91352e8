"""Yes and no as they are said: plainly, in other languages, and in phrases that mean them."""

from collections.abc import Iterator, Sequence

from contracts.question import Option
from tasks.reading.grammar.names import Mention
from tasks.reading.grammar.tokens import Token, tokenise, words_of, wordset

_AFFIRMATIVE = {"yes", "agree", "support", "aye", "yea"}
_NEGATIVE = {"no", "disagree", "oppose", "nay"}


_Said = tuple[frozenset[tuple[str, ...]], frozenset[tuple[str, ...]]]


def _phrases(lines: str) -> frozenset[tuple[str, ...]]:
    spoken = "|".join(lines.strip().splitlines()).split("|")
    return frozenset(tuple(token.word for token in tokenise(phrase.strip())) for phrase in spoken)


_YES = _phrases("""
    yes|y|yep|yeah|yup|yea|aye|affirmative|oui|ja|jawohl|si|sim|da|да|tak|ano|hai|はい|是|是的|对
    可以|예|네|نعم|כן|ναι|evet|kylla|igen|haan|हाँ|jes|jah|agreed|agree|i agree|absolutely
    definitely|certainly|of course|sure thing|by all means|go ahead|go for it|do it|do so
    let's do it|let's|totally|undoubtedly|unquestionably|without question|without a doubt
    no doubt|without doubt|thumbs up|👍|✅|✔|✓|approved|quite so|no objection|no objections
    count me in|it makes sense|most certainly|in favour|in favor|a thousand times yes|👍🏻
    all in|hell yes|heck yes|for sure|you bet|it sure is|sounds good|sounds right
""")
_YES_IN_BRIEF = _phrases("""
    i am for it|for it|all for it|in favour of it|i am all for it|it has been|we should
    we must|you should|i would|i do|it is|it does|it should|they should|we do|it would
    we can|it can|it did|it has|it will|they can|they did|we will|exactly|naturally|positive
    sure|indeed|ok|okay|correct|true|we are|they are|i would say so|i think so
""")
_NO = _phrases("""
    no|n|nope|nah|nay|non|nein|nee|nej|nei|nao|нет|не|nie|nem|ei|いいえ|不|不是|不要|不行|否|아니요|아니오|لا
    לא|οχι|hayir|nahi|नहीं|absolutely not|definitely not|certainly not|of course not
    not at all|no way|under no circumstances|by no means|not really|not yet|not now
    i think not|i doubt it|i do not think so|disagree|i disagree|disagreed|hard pass|do not
    do not do it|better not|rather not|👎|❌|✗|✘|far from it|forget it|out of the question
    not a chance|no chance|not ever|probably not|surely not|clearly not|not in the least
    not in the slightest|hell no|heck no|absolutely no|no no|nothing of the kind
    nothing of the sort|it makes no sense|makes no sense|no thanks|no thank you|not today
    not this time|not particularly|i object|on no account|in no way|not by any means
    not under any circumstances|i say not|not on any account|absolutely never|please do not
    most certainly not|thumbs down|not worth it|not for now|not any time soon|negative on that
    let's not
""")
_NO_IN_BRIEF = _phrases("""
    we need not|it need not|against it|i am against it|it is not|it does not|it should not
    i do not|we do not|it would not|they should not|it can not|can not|it did not|it has not
    it will not|we could not|we will not|we can not|we should not|we must not|you should not
    i would not|never|hardly|against|opposed|negative|we are not|they are not|not so
    unlikely|not likely
""")
_LEADS = wordset("""
    well oh i 'd say would think my answer is vote it 's a an so and then please very the a
    emphatic emphatically firm hard clear strong definite resounding simply just still therefore
    honestly frankly personally again hence thus that will be to go with from me us here at this
    point really am 'm all totally strongly firmly completely fully personally quite rather very
    much one
""")
_BREAKS = {
    ".",
    ",",
    "!",
    "?",
    ";",
    ":",
    "—",
    "\n",
    "(",
    ")",
    "...",
    "but",
    "because",
    "since",
    "so",
}
_TIMES = {
    *("now", "yet", "today", "this", "quarter", "year", "month", "week", "time", "here", "really"),
    *("soon", "ever", "again", "at", "all", "the", "moment", "for", "present", "in", "my", "view"),
}
_UNTIL = {("until",), ("before",), ("unless",), ("while",), ("without",), ("till",)}
_OBJECTS = {"it", "this", "that", "idea", "proposal", "plan", "move", "the", "of", "to", "with"}
_SUBJECTS = {"it", "we", "they", "i", "this", "that", "you", "he", "she", "there", "from", "as"}
_BEFORE_NO = {
    *("is", "a", "say", "'s", "answer", "vote", "firm", "hard", "strong", "definite", "clear"),
    *(
        "resounding",
        "voting",
        "choose",
        "said",
        "big",
        "flat",
        "an",
        "emphatic",
        "remains",
        "still",
    ),
}


def poles(options: Sequence[Option]) -> tuple[int, int] | None:
    """Return the indices of the one option that says yes and of the one that says no."""
    firsts = [words_of(option.name)[:1] for option in options]
    yes = [index for index, first in enumerate(firsts) if first and first[0] in _AFFIRMATIVE]
    no = [index for index, first in enumerate(firsts) if first and first[0] in _NEGATIVE]
    return (yes[0], no[0]) if len(yes) == len(no) == 1 else None


_FEW, _BRIEF = 4, 16
"""Tokens: only in so short a clause does a `no` at its end stand for one, and only in so short an
answer do `it is` and `we should` stand for yes."""


def spoken(tokens: Sequence[Token], yes: int, no: int) -> Iterator[Mention]:
    """Yield the places where `tokens` say yes or no; a `no` before its noun is none."""
    brief = len(tokens) <= _BRIEF
    said = (_YES | _YES_IN_BRIEF, _NO | _NO_IN_BRIEF) if brief else (_YES, _NO)
    start = 0
    for end in range(len(tokens) + 1):
        if _ends_clause(tokens, end):
            yield from _in_clause(tokens, start, end, said, (yes, no))
            start = end + 1


def takes_back(tokens: Sequence[Token], asked: frozenset[str]) -> bool:
    """Tell whether a yes excepts what was asked (`yes, but not this quarter`)."""
    for at, token in enumerate(tokens):
        if token.word == "not" and at and tokens[at - 1].word in {"but", "just", "only"}:
            end = next((e for e in range(at, len(tokens)) if _ends_clause(tokens, e)), at)
            excepted = {token.word for token in tokens[at + 1 : end]}
            return bool(excepted) and excepted <= asked
    return False


def _ends_clause(tokens: Sequence[Token], end: int) -> bool:
    if end == len(tokens) or tokens[end].kind == "line":
        return True
    last = end + 1 == len(tokens) or tokens[end + 1].kind != "word"
    thinks_so = tokens[end].word == "so" and last  # not `so we should`
    return tokens[end].word in _BREAKS and not thinks_so


def _in_clause(
    tokens: Sequence[Token], start: int, end: int, said: _Said, poles: tuple[int, int]
) -> Iterator[Mention]:
    yes, no = poles
    known = said[0] | said[1]
    run = tuple(token.word for token in tokens[start:end])
    if {"yes", "no"} <= set(run):
        return
    lead = 0
    while lead < len(run) and run[lead] in _LEADS and run[lead:] not in known:
        lead += 1
    core = run[lead:]
    while len(core) > 1 and core[-1] in _TIMES | _OBJECTS and core not in known:
        core = core[:-1]
    at = start + lead
    if core in said[0]:
        yield Mention(at, at + len(core), yes, "name")
    elif core in said[1] or _is_denial(core):
        yield Mention(at, at + len(core), no, "name")
    else:
        yield from _within(tokens, start, end, yes, no)


def answered(words: Sequence[str]) -> int:
    """Return 1 where the words say yes and no more, -1 where they say no, else 0."""
    core = tuple(words)
    while core[:1] and core[0] in _LEADS and core not in _YES and core not in _NO:
        core = core[1:]
    return (core in _YES) - (core in _NO)


def _is_denial(core: tuple[str, ...]) -> bool:
    """Tell whether the clause is `not` with adverbs of time or degree (`not this quarter`)."""
    if core[:1] == ("not",) and core[1:2] in _UNTIL:
        return True
    return "not" in core and all(word in _TIMES or word == "not" for word in core)


def _within(tokens: Sequence[Token], start: int, end: int, yes: int, no: int) -> Iterator[Mention]:
    for at in range(start, end):
        word = tokens[at].word
        before = tokens[at - 1].word if at > start else ""
        after = tokens[at + 1].word if at + 1 < end else ""
        brief = end - start <= _FEW
        if word in {"yes", "yep", "yeah"}:
            yield Mention(at, end if at == start and after in _SUBJECTS else at + 1, yes, "name")
        elif word in {"no", "nope"}:
            if at == start and after in _SUBJECTS:
                yield Mention(at, end, no, "name")
            elif (not after or after in _SUBJECTS) and (before in _BEFORE_NO or brief):
                yield Mention(at, at + 1, no, "name")
