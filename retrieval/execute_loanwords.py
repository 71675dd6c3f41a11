"""The same word in the other alphabet: вебсокет and websocket, докер and docker.

Russian speakers write foreign terms by ear, documents keep them in Latin letters, and the other way
round. Both are reduced to how they sound and then compared.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from docs_agent.core.text import sound

MIN_SOUND: Final = 4
"""Letters of a sound form; shorter ones meet by chance."""
ONE_SLIP_FROM: Final = 6
"""Letters of a sound form in which one difference is still the same word."""

VOWELS: Final = "aeiou"
MAX_ENDING: Final = 2
"""Letters of an ending, such as a plural's."""


def same_word(asked: str, words: Iterable[str]) -> str:
    """The stem of the other alphabet that sounds like a word; empty when there is none.

    asked: in normal form and not stemmed, since stemmers take foreign words for inflected ones
    (токен → ток). The closest in sound goes first, then the one first in the alphabet.
    """
    from rapidfuzz.distance import OSA

    latin, said = asked.isascii(), sound(asked)
    if len(said) < MIN_SOUND:
        return ""
    slips = 1 if len(said) >= ONE_SLIP_FROM else 0
    near = []
    for word in words:
        # Cheap tests first: the vocabulary is large.
        if word.isascii() == latin or abs(len(word) - len(said)) > 3 or not word.isalpha():
            continue
        heard = sound(word)
        if heard[:1] != said[:1] or len(heard) < MIN_SOUND:
            continue
        if not latin and heard[-1] in VOWELS and _root(said) == _root(heard):
            near.append((int(said != heard), word))
            continue
        distance = OSA.distance(_ending_cut(said, heard), heard, score_cutoff=slips)
        if distance <= slips:
            near.append((distance, word))
    return min(near)[1] if near else ""


def _root(heard: str) -> str:
    """A sound form without the vowels by which it is declined: kafka, кафки, кафкой."""
    root = heard.rstrip(VOWELS)
    return root if len(root) >= MIN_SOUND else heard


def _ending_cut(said: str, heard: str) -> str:
    """A long word without the ending that stemming took from the other."""
    if len(heard) >= ONE_SLIP_FROM and 0 < len(said) - len(heard) <= MAX_ENDING:
        return said[: len(heard)]
    return said
