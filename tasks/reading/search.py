"""Which of many short texts are about some words. Pure.

A word of the query counts in a text where a word begins with it (`auth` finds `authorization`), and
weighs more the fewer texts it is found in: inverse document frequency, Spärck Jones 1972.
"""

import math
import re
from collections.abc import Sequence

from tasks.reading.grammar.tokens import wordset

MAX_WORDS = 20
_WORD = re.compile(r"[^\W_]+")
_COMMON = wordset("""
a about an and any are as at be but by can could council decide decided did do does for from had
has have how i if in is it its me my of on or our should so than that the their them then there
they this to us was we were what when which who why will with would you your
""")


def query_words(query: str) -> tuple[str, ...]:
    """Return the words of a query that tell texts apart; all of them where no other is left."""
    words = list(dict.fromkeys(_WORD.findall(query.casefold())))
    return tuple([word for word in words if word not in _COMMON] or words)[:MAX_WORDS]


def rank(query: str, texts: Sequence[str]) -> list[int]:
    """Return the indices of the texts that hold a word of the query, best first.

    Of texts that are equally good the earlier one comes first.
    """
    words = query_words(query)
    padded = [" " + " ".join(_WORD.findall(text.casefold())) for text in texts]
    found = [{word for word in words if f" {word}" in text} for text in padded]
    weight = {
        word: math.log(1 + len(texts) / max(1, sum(word in hits for hits in found)))
        for word in words
    }
    scores = [sum(weight[word] for word in hits) for hits in found]
    hits = [index for index, score in enumerate(scores) if score > 0]
    return sorted(hits, key=lambda index: (-scores[index], index))
