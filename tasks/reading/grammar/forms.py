"""Forms that one word, or one name, is met in: number, tense, spelling, well-known short names."""

from collections.abc import Iterator
from itertools import chain

NEGATIVE_PREFIXES = ("non", "dis", "un", "in", "im", "il", "ir")

_IRREGULAR = {
    "buy": ("bought",),
    "build": ("built",),
    "choose": ("chose", "chosen"),
    "do": ("doing", "does", "done"),
    "freeze": ("froze", "frozen"),
    "give": ("gave", "given"),
    "hold": ("held",),
    "keep": ("kept",),
    "leave": ("left",),
    "make": ("made",),
    "rewrite": ("rewrote", "rewritten"),
    "sell": ("sold",),
    "spend": ("spent",),
    "stick": ("stuck",),
    "stop": ("stopped", "stopping"),
    "take": ("took", "taken"),
    "withdraw": ("withdrew", "withdrawn"),
    "write": ("wrote", "written"),
}
_SAME = (
    "amazon web services|aws",
    "artificial intelligence|ai",
    "c#|csharp|c sharp",
    "c++|cpp|c plus plus|cplusplus",
    "continuous integration|ci",
    "elasticsearch|elastic search",
    "european union|eu",
    "f#|fsharp|f sharp",
    "friday|fri",
    "go|golang",
    "gray|grey",
    "google cloud|google cloud platform|gcp",
    "javascript|js|ecmascript",
    "large language model|llm",
    "los angeles|l.a",
    "machine learning|ml",
    "microsoft azure|azure",
    "monday|mon",
    "mongodb|mongo",
    ".net|dotnet|dot net",
    "new york|new york city|nyc",
    "objective-c|objc|obj-c",
    "postgresql|postgres|pg|psql",
    "proof of concept|poc",
    "python|py",
    "q1|first quarter|1st quarter",
    "q2|second quarter|2nd quarter",
    "q3|third quarter|3rd quarter",
    "q4|fourth quarter|4th quarter|last quarter",
    "rabbitmq|rabbit",
    "san francisco|sf",
    "scikit-learn|sklearn",
    "sql server|mssql|ms sql|microsoft sql server",
    "kubernetes|k8s|kube",
    "tensorflow|tf",
    "thursday|thu|thur|thurs",
    "tuesday|tue|tues",
    "typescript|ts",
    "united kingdom|uk|u.k|great britain|britain",
    "united states|us|usa|u.s|u.s.a|united states of america",
    "visual studio code|vs code|vscode",
    "work from home|wfh",
)
_GROUPS = tuple(tuple(line.split("|")) for line in _SAME)
KNOWN = {name: tuple(n for n in group if n != name) for group in _GROUPS for name in group}
"""Short and long names of widely known things: name → its others."""

_TECH_SUFFIXES = ("db", "mq", ".js", "js", "lang")
_SHORT, _LONG = 3, 4
_VOWELS = "aeiou"


def inflected(verb: str, *, nouns: bool = True) -> Iterator[str]:
    """Yield the forms of a verb in which it names the same act; with `nouns`, `approval` too."""
    yield from _IRREGULAR.get(verb, ())
    stem = verb.removesuffix("e")
    if verb.endswith("y") and verb[-2:-1] not in _VOWELS:
        yield from (f"{verb[:-1]}ies", f"{verb[:-1]}ied", f"{verb}ing")
        return
    yield from (f"{verb}s", f"{stem}es", f"{stem}ed", f"{stem}ing")
    if nouns:
        yield from (f"{stem}ion", f"{stem}al", f"{stem}ation", f"{verb}ment", f"{stem}er")
    if verb[-1:] not in "aeiouwxy" and verb[-2:-1] in _VOWELS and verb[-3:-2] not in _VOWELS:
        yield from (f"{verb}{verb[-1]}ing", f"{verb}{verb[-1]}ed")


def numbered(noun: str) -> Iterator[str]:
    """Yield the plural of a noun, or the singular where it is one."""
    if noun.endswith("ies") and len(noun) > _LONG:
        yield f"{noun[:-3]}y"
    elif noun.endswith(("ses", "xes", "ches", "shes")):
        yield from (noun[:-2], noun[:-1])
    elif noun.endswith("s") and not noun.endswith(("ss", "us", "is")) and len(noun) > _SHORT:
        yield noun[:-1]
    elif noun.endswith("y") and noun[-2:-1] not in _VOWELS:
        yield f"{noun[:-1]}ies"
    elif len(noun) > 1:
        yield f"{noun}es" if noun.endswith(("s", "x", "ch", "sh")) else f"{noun}s"


def respelled(word: str) -> Iterator[str]:
    """Yield British and American spellings of a word, and umlauts written with an e."""
    for one, two in (("isation", "ization"), ("ising", "izing"), ("ise", "ize"), ("our", "or")):
        if len(word) > len(one) + 2:
            if word.endswith(one):
                yield word[: -len(one)] + two
            elif word.endswith(two):
                yield word[: -len(two)] + one
    if word.endswith("tre"):
        yield f"{word[:-3]}ter"


def umlauts(shown: str) -> str:
    """Return `shown` in lower case with ä, ö, ü written as ae, oe, ue."""
    return shown.casefold().translate({ord("ä"): "ae", ord("ö"): "oe", ord("ü"): "ue"})


def shortened(words: tuple[str, ...]) -> Iterator[str]:
    """Yield short forms of a name: k8s, initials, the name without DB, MQ or js."""
    if len(words) > 1 and all(word[:1].isalpha() for word in words):
        yield "".join(word[0] for word in words)
        content = [word[0] for word in words if word not in {"of", "and", "the", "for", "as"}]
        if 1 < len(content) < len(words):
            yield "".join(content)
        return
    word = words[0] if words else ""
    if word.isalpha() and len(word) >= _SHORT:
        yield f"{word}.js"
    if len(word) > _LONG + 1 and word.isalpha():
        yield f"{word[0]}{len(word) - 2}{word[-1]}"
    for suffix in _TECH_SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= _LONG:
            yield word.removesuffix(suffix)


def other_names(name: str) -> tuple[str, ...]:
    """Return widely known other names of `name` (folded), multi-word ones with spaces."""
    return KNOWN.get(name, ())


def all_forms(word: str) -> frozenset[str]:
    """Return every form of `word` as a verb and as a noun, itself included."""
    return frozenset(chain((word,), inflected(word), numbered(word), respelled(word)))
