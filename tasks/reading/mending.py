"""Repair of an object's syntax, taken only where it cannot have changed what is said."""

import re
from typing import Any

import json_repair

_OPENING = "“”„«»‹›「『＂`‘’"
_CLOSING = "”“»«›‹」』＂`’‘"
_ODD_DELIMITER = re.compile(
    rf"[{{\[,:(]\s*[{_OPENING}]|\"\s*[：，]|[：，]\s*\"|\"\s*=>?\s*[\"\[\d]"
)
_OPEN_QUOTE = re.compile(rf"([{{\[,:：，(=>]\s*)[{_OPENING}]")
_CLOSE_QUOTE = re.compile(rf"[{_CLOSING}](\s*(?:[:,}}\])：，]|=>?))")
_WIDE_COLON = re.compile(r"\"\s*(?:：|=>?)\s*")
_WIDE_COMMA = re.compile(r"(?<=[\"\]}\dle])\s*，\s*(?=\")")
_NOISE = re.compile(r"[\s\"'“”„«»‹›‘’「」『』＂`\\]+")
_ESCAPED = re.compile(r"\\(?:[nrtbf]|u([0-9a-fA-F]{4}))")
_NEXT_KEY = re.compile(r"[,;]?(?:[^,{}\[\]:=：]{1,80}[:=：]|[}\])]|\Z)")


def mended(source: str, original: str) -> dict[str, Any] | None:
    """Return the object that `source` was meant to be; None when that takes guessing.

    `json_repair` mends the syntax (quotes, commas, comments, names without quotes). A text among
    the outermost values is believed only where it stands in the original between its key and the
    next one, whole: a repair that ends a sentence early could turn an answer round.

    Args:
        source: the object, its brackets closed.
        original: the text that it was taken from, from its beginning on.
    """
    odd = _ODD_DELIMITER.search(source) is not None
    plain = _plain_syntax(source) if odd else source
    try:
        value = json_repair.loads(plain)
    except Exception:  # noqa: BLE001  a guess that fails, however it fails, is no answer
        return None
    if not isinstance(value, dict):
        return None
    flat = _flat(_plain_syntax(original) if odd else original)
    texts = ((key, item) for key, item in value.items() if isinstance(item, str))
    return value if all(_stands(flat, str(key), item) for key, item in texts) else None


def _plain_syntax(source: str) -> str:
    """Return `source` with typographic and wide delimiters made plain, inner quotes left alone."""
    quoted = _CLOSE_QUOTE.sub(r'"\1', _OPEN_QUOTE.sub(r'\1"', source))
    return _WIDE_COMMA.sub(", ", _WIDE_COLON.sub('": ', quoted))


def _flat(text: str) -> str:
    return _NOISE.sub("", _ESCAPED.sub(_unescaped, text))


def _unescaped(match: re.Match[str]) -> str:
    code = match.group(1)
    return chr(int(code, 16)) if code else ""


def _stands(flat: str, key: str, value: str) -> bool:
    wanted = _NOISE.sub("", value)
    for opening in (f"{_flat(key)}:{wanted}", f"{_flat(key)}={wanted}"):
        at = flat.find(opening)
        if at >= 0 and _NEXT_KEY.match(flat, at + len(opening)):
            return True
    return False
