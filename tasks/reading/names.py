"""Names of options, compared as people read them: case, width, accents and dressing aside."""

import unicodedata


def key_of(text: str) -> str:
    """Return the form under which two spellings of one name are equal."""
    wide = unicodedata.normalize("NFKD", text)
    shown = "".join(c for c in wide if unicodedata.category(c) not in {"Cf", "Mn"})
    dashed = "".join("-" if unicodedata.category(c) == "Pd" else c for c in shown)
    return " ".join(dashed.replace("\u2212", "-").casefold().split()).strip(" .!?,;:*`\"'()[]")
