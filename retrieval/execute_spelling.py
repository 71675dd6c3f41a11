"""Words the index does not have, read as the nearest words it has, in either alphabet."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from docs_agent.core.text import normalize
from docs_agent.retrieval.execute_loanwords import same_word
from docs_agent.retrieval.execute_terms import Question, rarity

MIN_LENGTH: Final = 4
"""Letters; anything shorter is one slip away from too many words."""
TWO_SLIPS_FROM: Final = 8
"""Letters of a word in which two slips are still the same word."""
OTHER_INITIAL_FROM: Final = 6
"""Letters of a word whose first letter may be the wrong one."""
MAX_LENGTH: Final = 40
"""Letters; longer runs are no words."""


def correct(
    question: Question, vocabulary: Callable[[], Mapping[str, int]], documents: int
) -> Question:
    """The question with its unknown words corrected.

    vocabulary: stem → rows, called only when some word is unknown, since it is large.
    """
    acronyms = {s for t in question.terms if t.text.isupper() for s in t.stems}
    unknown = [
        s for s in question.idf if s not in question.known and s not in acronyms and _is_word(s)
    ]
    if not unknown:
        return question
    words = vocabulary()
    whole = {t.stems[0]: normalize(t.text) for t in question.terms if len(t.stems) == 1}
    found: dict[str, str] = {}
    for stem in unknown:
        near = _nearest(stem, words) or same_word(whole.get(stem, stem), words)
        near = near or same_word(stem, words)
        if near:
            found[stem] = near
    idf = {
        s: rarity(words[found[s]], documents) if s in found else value
        for s, value in question.idf.items()
    }
    return question._replace(idf=idf, corrections=found)


def _is_word(stem: str) -> bool:
    letters = stem.replace("_", "")
    return letters.isalpha() and MIN_LENGTH <= len(stem) <= MAX_LENGTH


def _nearest(stem: str, words: Mapping[str, int]) -> str:
    """The word with the fewest slips, then with the same first letter, then the most frequent."""
    from rapidfuzz.distance import OSA
    from rapidfuzz.process import extract

    slips = 2 if len(stem) >= TWO_SLIPS_FROM else 1
    near = extract(stem, words.keys(), scorer=OSA.distance, score_cutoff=slips, limit=None)
    candidates = [
        (int(distance), word[0] != stem[0], -words[word], word)
        for word, distance, _ in near
        if _is_word(word) and (word[0] == stem[0] or len(stem) >= OTHER_INITIAL_FROM)
    ]
    return min(candidates)[3] if candidates else ""
