"""Arguments that try to instruct whoever weighs them: found, and made harmless. Pure, linear.

Three guards stand before a scorer. What is found here makes an attack void and strikes a rebuttal.
What is not found is shown neutral, inside a boundary that is a hash of all it encloses. And a score
counts only with a check word that stands outside the boundary, which a text that dictates the
whole answer cannot know. What remains is plain persuasion in a wording that nobody foresaw.
"""

import re
import unicodedata
from collections.abc import Sequence

MAX_TEXT = 4_000
"""Characters that are looked at; what a bout shows is shorter."""

_INVISIBLE = re.compile(
    r"[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f"
    r"\u3164\ufeff\uffa0\ufff9-\ufffb]|[\U000e0000-\U000e0fff]"
)
_UNSEEN = (
    r"[\u202a-\u202e\u2066-\u2069]|[\U000e0000-\U000e007f]|[\u200b-\u200f\u2060-\u2064\ufeff]{3}"
)
_UNSEEN_SIGNS = re.compile(_UNSEEN)
_HIDDEN = re.compile(
    _UNSEEN + r"|<!--|display\s{0,3}:\s{0,3}none|visibility\s{0,3}:\s{0,3}hidden"
    r"|font-size\s{0,3}:\s{0,3}0|[\x00-\x08\x0e-\x1f\x7f]"
)
_LOOKALIKES = str.maketrans(
    "авекмнорстухіјѕԁӏАВЕКМНОРСТУХІЈЅαβεικνορτυχΑΒΕΖΗΙΚΜΝΟΡΤΥΧ",
    "abekmhopctyxijsdlABEKMHOPCTYXIJSabeiknoptuxABEZHIKMNOPTYX",
)
_OPAQUE = re.compile(r"[^\s]{80,}")
_RULE = re.compile(r"[=\-_#*~`<>|\[\]{}]{3,}")

_JUDGE = (
    r"(?:scor|rat|grad|mark|choos|chos|pick|select|prefer|declar|favou?r|award|vot|rank|crown|deem)"
    r"(?:e|es|ed|ing|s|n|en)?"
)
_SIDE = (
    r"(?:(?:side|text|argument|party|speaker|debater|candidate|entry|response|statement)\s{1,3}"
    r"[\"'(]?(?:a|b|one|two|1|2)\b"
    r"|(?:this|my|our)\s(?:own\s)?(?:side|attack|entry|text|submission|response)\b"
    r"|(?:the\s)?(?:first|second|former|latter|other|opposing|attacking|defending)\s"
    r"(?:side|text|argument|entry|speaker|response)\b)"
)
_PARTY = r"the\s(?:attack|attacker|critic|challenger|rebuttal|reply|defence|defense|defender)\b"
_MUST_WIN = (
    r"(?:must|should|shall|has\sto|deserves\sto|ought\sto)\s(?:always\s)?(?:win|prevail"
    r"|be\s(?:scored|rated|graded|chosen|picked|preferred|declared|favou?red|ranked))"
)
_WINS = (
    rf"(?:wins?|won|{_MUST_WIN}|is\s(?:the\s|clearly\s|always\s|objectively\s){{0,2}}"
    r"(?:winner|stronger|better|best|victor|(?:correct|right)\sone))"
)
_READER = (
    r"(?:scorers?|graders?|raters?|evaluators?|assessors?|arbiters?|adjudicators?|referees?"
    r"|(?:dear|attention|to\sthe|note\sto|hey)\s{1,2}(?:judges?|jurors?|reviewers?|readers?|model|ai"
    r"|assistant|llm))"
)
_OLD_ORDERS = (
    r"(?:previous|prior|above|earlier|preceding|foregoing|existing|other)\s(?:\w{1,12}\s)?"
    r"(?:instruction|prompt|message|text|rule|context|direction|order|guideline|side|question)s?\b"
    r"|(?:the|all)\s(?:above|foregoing|preceding)\b"
    r"|(?:your|system|scoring|judging|developer)\s(?:\w{1,12}\s)?"
    r"(?:instruction|prompt|guideline|rule|criteri|direction|message|task)\w{0,3}\b"
    r"|the\s(?:other\sside|rebuttal|reply|opposing\s\w{1,12})\b"
)
_LETTER = r"[\"'(*]{0,3}\b[ab]\b[\"')*]{0,3}"
_ALONE = (
    r"(?=\s(?:wins?|won|as|is|over|not|instead|now|always|every|higher|first)\b"
    r"|\s?[.,;:!?)\]]|\s?$)"
)

_SIGNS: tuple[tuple[str, re.Pattern[str]], ...] = (
    (
        "it names the side that is to win",
        re.compile(
            rf"\b{_SIDE}.{{0,30}}?\b{_WINS}\b|\b{_JUDGE}\b.{{0,25}}?\b{_SIDE}"
            rf"|\b{_PARTY}\s{_MUST_WIN}\b|\b(?:{_JUDGE}(?:\sfor)?|side\swith)\s{_PARTY}"
            r"|\b(?:declar|crown|announc|nam|scor|mark|rat)(?:e|ed|es|ing|s)?\b.{0,30}?"
            r"\b(?:the\s|as\s){1,2}(?:winner|stronger|victor)\b"
        ),
    ),
    (
        "it speaks to whoever weighs it",
        re.compile(
            rf"\b{_READER}\b.{{0,60}}?\b(?:must|should|shall|please|need\sto|have\sto|are\sto"
            rf"|{_JUDGE}|answer|output|reply|respond|return)\b"
        ),
    ),
    (
        "it tries to set instructions aside",
        re.compile(
            r"\b(?:ignore|disregard|forget|override|bypass|overrule|discard|discount)\b"
            rf"(?:\s\w{{1,12}}){{0,3}}?\s(?:{_OLD_ORDERS})"
            r"|\b(?:rebuttal|reply|other\sside)\s(?:must|should|can)\sbe\s(?:ignored|disregarded)\b"
            r"|\b(?:new|updated|revised|actual)\s(?:system\s)?(?:instructions?|task|orders?)\s?[:=]"
            r"|\byou\sare\snow\s(?:a|an|the|in)\b|\bfrom\snow\son,?\syou\b"
            r"|\bact\sas\s(?:a|an|the|if\syou\swere)\s(?:\w{1,12}\s)?(?:judge|scorer|grader"
            r"|assistant|evaluator)\b|\byour\s(?:only|sole|new|real|actual)\s(?:task|job|duty|goal)\b"
        ),
    ),
    (
        "it forges a message of another role",
        re.compile(
            r"<\|[\w /-]{1,40}\|?>|\[/?(?:inst|system|sys|user|assistant)\]|<</?sys>>"
            r"|</?(?:system|assistant|user|instructions?|prompt|developer)\b[^>\n]{0,40}>"
            r"|(?:^|[\n.!?])\s{0,5}[#*>\s]{0,6}(?:system|assistant|developer|user|human)"
            r"(?:\s(?:message|prompt|note|notice|override|update|instruction)s?)?\s?[*]{0,2}[:\]>]"
            r"|\b(?:system|developer)\s(?:message|note|notice|override|instruction)s?\s?[:\]=]"
        ),
    ),
    (
        "it forges a boundary",
        re.compile(
            r"={4,}|-{3,}\s?(?:begin|end|start|stop)\b"
            r"|\bend\sof\s(?:the\s)?(?:data|side|sides|arguments?|input|material|prompt|debate)\b"
            r"|(?:^|\n)\s{0,5}(?:side\s[ab]|end|question|context|options|attack)\s[0-9a-f]{8,}"
        ),
    ),
    (
        "it forges an answer",
        re.compile(
            r"[\"'](?:stronger|winner|check|weight|choice|verdict|score)[\"']\s?:"
            r"|\b(?:stronger|winner)\s?[:=]\s?[\"']?(?:a|b|side)\b"
        ),
    ),
)
_BARE_LETTER = re.compile(
    rf"\b(?:{_JUDGE}|answer|output|reply|respond|return|say|write|print)\s?[:=]?\s"
    rf"(?:for\s|with\s|option\s)?{_LETTER}{_ALONE}|{_LETTER}\s{_WINS}\b"
    rf"|\byour\s\w{{1,12}}\s(?:is|must\sbe|should\sbe|has\sto\sbe)\s{_LETTER}{_ALONE}"
)


def why_instructing(text: str, options: Sequence[str] = (), raw: str = "") -> str | None:
    """Return how `text` tries to instruct whoever reads it; None for an argument.

    Args:
        text: as a model wrote it, of which the first `MAX_TEXT` characters count.
        options: of the question. Where one of them is called A or B, the bare letter says nothing.
        raw: the reply that it was read from, which may hide what reading takes out.
    """
    head = text[:MAX_TEXT]
    if _HIDDEN.search(head) or _UNSEEN_SIGNS.search(raw):
        return "it hides text"
    plain = folded(head)
    for why, sign in _SIGNS:
        if sign.search(plain):
            return why
    lettered = any(re.search(r"\b[ab]\b", option.casefold()) for option in options)
    if not lettered and _BARE_LETTER.search(plain):
        return "it names the side that is to win"
    return None


def neutral(text: str, limit: int) -> str:
    """Return `text` on one line of at most `limit` characters, with nothing in it but words.

    No control or invisible characters, no line of its own, no row of signs that could pass for a
    boundary, a fence or a role, no long run without a blank in which a message could be packed.
    """
    shown = unicodedata.normalize("NFKC", text[:MAX_TEXT])
    shown = "".join(" " if unicodedata.category(c) in {"Cc", "Cs", "Co"} else c for c in shown)
    shown = _OPAQUE.sub("[…]", _RULE.sub(" ", _INVISIBLE.sub("", shown)))
    shown = " ".join(shown.split())
    return shown if len(shown) <= limit else shown[: limit - 1].rstrip() + "…"


def folded(text: str) -> str:
    """Return `text` as it is compared: one case, Latin letters for their doubles, none unseen."""
    plain = unicodedata.normalize("NFKC", text).translate(_LOOKALIKES)
    plain = _INVISIBLE.sub("", plain).casefold()
    return re.sub(r"[ \t]{1,200}", " ", plain.replace("’", "'"))
