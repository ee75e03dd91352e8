"""An answer given in running words: the letter it settles on, its reasons, how sure it is."""

import re

from contracts.question import Question
from tasks.reading.clean import without_fences
from tasks.reading.confidence_text import read_confidence
from tasks.reading.failures import says_something
from tasks.reading.fields import MAX_REASONS, MAX_TEXT, Fields, items_of
from tasks.reading.labelled import is_plain, read_labels, read_tags

_OPTION = r"(?i:option|choice|answer|letter|alternative)"
_WRAP = r"[\s*_`\"'“‘\[({$\\:]{0,12}"
_LETTER = r"(?P<letter>[A-Z])(?![\w'’])"
_STOP = (
    r"(?=[ \t]*(?:[*_`\"”\])}.,;:!?。，；\n]|$|[-–—(]|(?i:because|as|since|for|with|over|and I)\b))"
    r"(?!\W{0,3}(?:,|/|&|(?i:and|or)\b)\s?\(?[A-HJ-Z]\)?\s?(?:[.,;!?]|$))"
)
_THING = (
    r"(?i:answer|solution|vote|choice|pick|verdict|decision|selection|ballot|stance|recommendation"
    r"|conclusion|preference|respuesta|réponse|antwort|risposta|resposta|ответ)"
)
_VERB = r"(?i:choose|chose|pick|picked|select|vote(?: for)?|go with|going with|opt for|prefer"
_VERB += r"|recommend|endorse|back)"
_IS = r"[ \t*_]{0,4}(?i:(?:is|are|would be|remains|stays|es|est|ist|è|é)\b|[:=：])[ \t]{0,4}"
_OF = r"(?:[ \t](?!not\b|n't\b|or\b|and\b)[\w'’-]{1,20}){0,5}?"
_HEDGE = (
    r"(?i:(?:now|still|clearly|actually|likely|probably|most likely|therefore|thus|indeed) ){0,2}"
)
_STATED = re.compile(
    rf"\b{_THING}{_OF}{_IS}{_HEDGE}(?:{_OPTION}\b)?{_WRAP}{_LETTER}{_STOP}", re.MULTILINE
)
_CHOSEN = re.compile(
    r"(?<!\bif )(?<!\bIf )(?<!hen )(?<!less )(?<!ould )\b(?i:I|we)(?i:['’](?:d|ll|m|ve)"
    r"|[ \t](?:would|will|have|am|still|must|now)){0,2}[ \t]{1,3}"
    rf"{_VERB}[ \t]{{1,3}}(?:{_OPTION}\b)?{_WRAP}{_LETTER}{_STOP}",
    re.MULTILINE,
)
_CROWNED = re.compile(
    rf"(?<![\w'’]){_LETTER}[*_`\"”\])]{{0,6}}[ \t]"
    rf"(?i:is (?:my|the)(?: final| correct| best| right)?) {_THING}\b"
)
_BOXED = re.compile(r"\\boxed\s?\{\s?(?:\\(?:text|mathrm|textbf)\{)?\(?(?P<letter>[A-Z])\)?[\s}]")
_RANKED = re.compile(r"\[\[(?P<letter>[A-Z])\]\]")
_CHINESE = re.compile(
    r"(?<![不没未])(?:答案|回答|正解|答え|选择|選擇|选|選|投给)(?:应该)?(?:是|为|為|は|：|:)?\s?"
    r"[(（「【]?(?P<letter>[A-Z])(?![\w、，]{0,2}[A-Z])"
)
_LAST = re.compile(r"\((?P<letter>[A-Z])\)[\s.*_]{0,6}\Z")
_SEVERAL_LAST = re.compile(r"\([A-Z]\)\W{0,3}(?:(?:and|or|to)\W{1,3})?\([A-Z]\)\W{0,6}\Z")
_BARE = re.compile(rf"[\W_]{{0,12}}(?:{_OPTION}\b)?[\W_]{{0,12}}(?P<letter>[A-Za-z])[\W_]{{0,12}}")
_BARE_LINE = re.compile(rf"{_BARE.pattern}$", re.MULTILINE)
_LEADING = re.compile(
    rf"[\s*_`\"'(\[]{{0,8}}(?:{_OPTION}[ \t]{{1,3}})?(?P<letter>[A-Z])"
    r"(?:[*_`]{0,3}[)\].:]{1,3}[*_`]{0,3}|[*_`]{1,3}|(?=\n|\Z)|[ \t][-–—][ \t])(?=\s|$)"
)
_MARKED = re.compile(r"(?<![\w(])([A-Z])[)\].:](?=\s|$)")
_NEXT_TURN = re.compile(
    r"^[ \t*#>]{0,8}(?i:question|problem|next question|q|human|user|input)"
    r"[ \t]{0,2}\d{0,4}[*_]{0,2}[ \t]{0,2}[:.]",
    re.MULTILINE,
)
_SURE = re.compile(
    r"(?i:(?P<before>\d{1,3}(?:[.,]\d{1,3})?[ \t]?(?:%|percent))[ \t](?:confiden|sure|certain)"
    r"|\bconfiden\w{2,6}(?:[ \t]?(?:level|score|is|of|at|about|around|[:=~(])){0,4}[ \t]?"
    r"(?P<after>\d{0,3}[.,]?\d{1,3}[ \t]?(?:%|/[ \t]?\d{1,3}|(?![\w]))))"
)
_PARAGRAPH = re.compile(r"\n[ \t]*\n")
_LINE_OR_SENTENCE = re.compile(r"[\n.!?。！？](?=[^\n.!?。！？]*\Z)")
_COURTESY = re.compile(
    r"\W*(?i:(?:i )?hope (?:this|that)|let me know|feel free|happy to|please (?:let|note|feel)"
    r"|if you (?:have|need|want|would))\b"
)
_OWN = re.compile(
    r"(?i:\b(?:my (?:own )?(?:answer|verdict|vote|choice|position|recommendation|view)"
    r"|i(?:'d|’d| would|'ll| will| therefore| strongly| firmly| thus){0,2} (?:choose|recommend|vote"
    r"|pick|prefer|go with|opt|conclude|side|agree|disagree))\b)"
)
_SETTLES = re.compile(
    r"(?i:\b(?:therefore|thus|hence|in conclusion|in summary|to conclude|overall|ultimately"
    r"|in short|all in all|on balance)\b)"
)
_LONG = 700
_LONGEST_POSITION = 2_000


def read_prose(text: str, question: Question, *, cut: bool = False, broken: bool = False) -> Fields:
    """Return what a reply without an answer object says.

    A letter counts where it stands alone, behind a label, or in a sentence that settles on it;
    what an option's name means in a sentence is left to the stance reader.

    Args:
        text: the reply.
        question: with its options, if it has any.
        cut: the text was cut off; only what it had settled before its last line or sentence counts.
        broken: it was meant to be an object; only its labelled parts count.
    """
    names = question.option_names
    shown = _own_turn(without_fences(_settled(text) if cut else text)).strip()
    told = read_tags(shown, names)
    rest = ""
    if told is None or not told.decision:
        told, rest = read_labels(shown, names)
    fields = told or Fields()
    found = None if is_plain(fields.choice, names) else _letter(shown, len(names))
    if found:
        fields = fields._replace(choice=found, position=fields.position or fields.choice)
        rest = rest or shown
    if not fields.decision and (first := _first_letter(shown, len(names))):
        fields, rest = first._replace(confidence=fields.confidence), shown
    if not fields.decision and not cut and not broken:
        fields = _whole(fields, rest or shown)
    return _argued(fields, rest, shown)


def _settled(text: str) -> str:
    """Return a cut text without its last line or sentence, which may be half a one."""
    ends = _LINE_OR_SENTENCE.search(text[-MAX_TEXT:])
    return text[: max(0, len(text) - MAX_TEXT) + ends.start() + 1] if ends else ""


def _own_turn(text: str) -> str:
    """Return `text` up to where it goes on to make up a next question of its own."""
    settled = _STATED.search(text) or _BARE_LINE.match(text)
    turn = _NEXT_TURN.search(text, settled.end()) if settled else None
    return text[: turn.start()] if turn else text


def _letter(text: str, n_options: int) -> str | None:
    """Return the option's letter that `text` settles on, upper case; None without one."""
    bare = _BARE.fullmatch(text) if len(text) < 60 else None  # noqa: PLR2004
    if bare and _listed(bare["letter"], n_options):
        return bare["letter"].upper()
    for pattern in (_STATED, _BOXED, _RANKED, _CROWNED, _CHOSEN, _CHINESE, _LAST):
        letters = [match["letter"] for match in pattern.finditer(text)]
        letters = [found for found in letters if _listed(found, n_options)]
        if letters and not (pattern is _LAST and _SEVERAL_LAST.search(text[-40:])):
            return letters[-1]
    return None


def _first_letter(text: str, n_options: int) -> Fields | None:
    """Return a reply that begins with a letter, as in `B) MongoDB`, unless it lists several."""
    leading = _LEADING.match(text)
    if leading is None or not _listed(leading["letter"], n_options):
        return None
    marked = {letter for letter in _MARKED.findall(text) if _listed(letter, n_options)}
    if marked - {leading["letter"]}:
        return None
    named = text[leading.end() :].strip().partition("\n")[0]
    return Fields(choice=leading["letter"], position=named[:_LONGEST_POSITION] or None)


def _listed(found: str, n_options: int) -> bool:
    return 0 <= ord(found.upper()) - ord("A") < n_options


def _whole(fields: Fields, text: str) -> Fields:
    """Take the words themselves as the position: all of a short text, the end of a long one."""
    if not says_something(text):
        return fields
    if len(text) <= _LONG:
        return fields._replace(position=text.strip() or None)
    paragraphs = [part.strip() for part in _PARAGRAPH.split(text) if part.strip()]
    said = [part for part in paragraphs if not _COURTESY.match(part)] or paragraphs
    own = [part for part in said if _OWN.search(part)]
    settling = [part for part in said if _SETTLES.search(part)]
    position = (own or settling or said)[-1]
    others = [part for part in said if part is not position]
    return fields._replace(
        position=position[-_LONGEST_POSITION:], reasons=fields.reasons or _bounded(others)
    )


def _argued(fields: Fields, rest: str, text: str) -> Fields:
    reasons = fields.reasons
    if not reasons:
        body = rest if fields.choice else text
        items = [item for part in _PARAGRAPH.split(body) for item in items_of(part.strip())]
        reasons = _bounded(items) if fields.choice or len(items) > 1 else ()
    confidence = fields.confidence
    sure = None if confidence is not None else _SURE.search(text)
    if sure:
        confidence = read_confidence(sure["before"] or sure["after"])
    return fields._replace(reasons=reasons, confidence=confidence)


def _bounded(items: list[str]) -> tuple[str, ...]:
    told = (item.strip()[:MAX_TEXT] for item in items)
    return tuple(item for item in told if len(item) > 2)[:MAX_REASONS]  # noqa: PLR2004
