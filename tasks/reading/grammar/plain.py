"""Untrusted prose as plain text: bounded, without invisible characters, markup or typography."""

import html
import re
import unicodedata

LIMIT = 8_000
"""Characters that are read: of a longer text its head and its tail, half each."""

_BLOCK = r"p|br|div|li|ul|ol|tr|td|h[1-6]|blockquote|pre"
_INLINE = (
    r"b|i|u|em|strong|code|span|mark|small|sub|sup|a|tt|font"
    r"|(?:final[_-]?)?(?:answer|position|choice|verdict|decision|stance|vote)"
)
_BLOCK_TAG = re.compile(rf"</?(?:{_BLOCK})(?:\s[^<>]{{0,200}})?/?>", re.IGNORECASE)
_INLINE_TAG = re.compile(rf"</?(?:{_INLINE})(?:\s[^<>]{{0,200}})?/?>", re.IGNORECASE)
_STRUCK = re.compile(
    r"~~[^~\n]{1,300}~~|<(s|del|strike)>[^<>]{1,300}</(?:s|del|strike)>", re.IGNORECASE
)
_LINK = re.compile(r"!?\[([^\[\]\n]{1,200})\]\([^()\s]{1,400}\)")
_BOXED = re.compile(r"\$?\\(?:boxed|text|textbf|mathbf|mathrm)\{([^{}\n]{1,200})\}\$?")
_EMPHASIS = re.compile(r"\*{2,3}|_{2,3}|`+")
_SLANTED = re.compile(
    r"(?<![\w*])\*(?=\S)([^*\n]{1,300})\*(?![\w*])|(?<!\w)_([^_\n]{1,300})_(?!\w)"
)
_FENCE = re.compile(r"^[ \t]*(?:```|~~~)\w{0,20}[ \t]*$", re.MULTILINE)
_LINE_LEAD = re.compile(r"^[ \t]*(?:>[ \t]*)*(?:#{1,6}[ \t]+|[-*+•‣◦▪–—][ \t]+)*", re.MULTILINE)
_UNSEEN = {"Cf", "Cs", "Co", "Cn"}
_SIGNS = str.maketrans({"№": "#", "™": "", "®": "", "©": "", "℠": ""})
_HYPHENS = "‐‑‒⁃−﹣－﹘"
_FOLD = str.maketrans(
    dict.fromkeys(_HYPHENS, "-")
    | dict.fromkeys("’‘‛ʼ´`′＇", "'")
    | dict.fromkeys("“”„‟«»″＂", '"')
    | dict.fromkeys("\u2028\u2029\x85\x0b\x0c", "\n")
    | {
        "—": " — ",
        "―": " — ",
        "…": "...",
        "⟶": "→",
        "➔": "→",
        "➜": "→",
        "×": "x",
        "≫": ">>",
        "≪": "<<",
    }
)
_SPACED_SIGN = re.compile(r"(?<=\b[A-Za-z])[ \t]+(?=\+\+(?!\w)|#(?!\w))")
_ANY_DASH = re.compile(r" ?[-—] ?")
_SPACED_DASH = re.compile(r"(?<=\s)(?:-{1,3}|–)(?=\s)|(?<!-)--(?!-)")


def shown(text: str) -> str:
    """Return `text` without characters that no reader sees, in composed compatibility form."""
    if text.isascii():
        return text
    visible = (c for c in text.translate(_SIGNS) if unicodedata.category(c) not in _UNSEEN)
    return unicodedata.normalize("NFKC", "".join(visible))


def bounded(text: str, limit: int = LIMIT) -> str:
    """Return `text`, or its head and its tail on lines of their own where it is longer."""
    if len(text) <= limit:
        return text
    half = limit // 2
    return f"{text[:half]}\n{text[-half:]}"


def folded(text: str) -> str:
    """Return `text` with one kind of hyphen, quote, apostrophe and line end."""
    typed = shown(text).translate(_FOLD)
    typed = _SPACED_SIGN.sub("", typed)
    dashed = _SPACED_DASH.sub("—", typed)
    return dashed.replace("–", "-")


def plain(text: str) -> str:
    """Return at most `LIMIT` characters of `text` as plain prose; linear in its length.

    Text that is struck out is gone, a link keeps its words, list and quote marks are dropped.
    """
    cut = html.unescape(bounded(text))
    cut = _STRUCK.sub(" ", _FENCE.sub("", cut))
    cut = _INLINE_TAG.sub("", _BLOCK_TAG.sub("\n", cut))
    cut = _BOXED.sub(r"\1", _LINK.sub(r"\1", cut))
    cut = _SLANTED.sub(r"\1\2", _EMPHASIS.sub("", cut))
    return folded(_LINE_LEAD.sub("", cut)).strip()


def key_of(text: str) -> str:
    """Return the form under which two spellings of one name are equal."""
    bare = folded(text)
    if not bare.isascii():
        wide = unicodedata.normalize("NFKD", bare)
        bare = "".join(c for c in wide if unicodedata.category(c) != "Mn")
    return _ANY_DASH.sub("-", " ".join(bare.casefold().split()))
