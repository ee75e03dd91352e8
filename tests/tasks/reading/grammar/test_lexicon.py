"""The phrases that the grammar knows."""

from collections import Counter

from tasks.reading.grammar.cues import Cue
from tasks.reading.grammar.lexicon import PHRASES
from tasks.reading.grammar.phrases import LINES


def test_a_phrase_does_one_thing():
    phrases = [
        phrase.strip()
        for lines in LINES.values()
        for phrase in "|".join(lines.split("\n")).split("|")
        if phrase.strip()
    ]
    assert [phrase for phrase, times in Counter(phrases).items() if times > 1] == []


def test_every_cue_has_words_and_the_longest_phrase_is_tried_first():
    assert {cue for rivals in PHRASES.values() for _, cue in rivals} == set(Cue)
    for rivals in PHRASES.values():
        lengths = [len(words) for words, _ in rivals]
        assert lengths == sorted(lengths, reverse=True)
