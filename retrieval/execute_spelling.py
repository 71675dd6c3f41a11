"""Words the index does not have, read as the nearest words it has, in either alphabet."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import islice, pairwise, takewhile
from typing import Final

from docs_agent.core.text import normalize, stem, tokens
from docs_agent.retrieval.execute_loanwords import same_word
from docs_agent.retrieval.execute_terms import MAX_TOKENS, Question, rarity

MIN_LENGTH: Final = 4
"""Letters; anything shorter is one slip away from too many words."""
TWO_SLIPS_FROM: Final = 8
"""Letters of a word in which two slips are still the same word."""
OTHER_INITIAL_FROM: Final = 6
"""Letters of a word whose first letter may be the wrong one."""
MAX_LENGTH: Final = 40
"""Letters; longer runs are no words."""
FAMILIES: Final = ((6, 3), (5, 2))
"""Letters that two stems share at the beginning, and the most that each may have besides, to be
one family. Of Russian only, whose stems keep apart what English ones join (`отправка`,
`отправляет`); fewer letters join strangers (`контракт`, `контроль`)."""

_ROOT: Final = min(root for root, _ in FAMILIES)


def correct(
    question: Question, vocabulary: Callable[[], Mapping[str, int]], documents: int
) -> Question:
    """The question with its unknown words corrected.

    vocabulary: stem → rows, called only when some word is unknown, since it is large.
    """
    acronyms = {s for t in question.terms if t.text.isupper() for s in t.stems}
    unknown = [
        s
        for s in question.idf
        if s not in question.known and s not in acronyms and (s.isalpha() or _is_word(s))
    ]
    if not unknown:
        return question
    words = vocabulary()
    whole = {t.stems[0]: normalize(t.text) for t in question.terms if len(t.stems) == 1}
    joined = _joined(question.text, words)
    found: dict[str, str] = {}
    for s in unknown:
        near = _form(whole.get(s, ""), words) or joined.get(s, "")
        if not near and _is_word(s):
            near = _nearest(s, words) or same_word(whole.get(s, s), words)
            near = near or same_word(s, words) or _relative(s, words)
        if near:
            found[s] = near
    idf = {
        s: rarity(words[found[s]], documents) if s in found else value
        for s, value in question.idf.items()
    }
    return question._replace(idf=idf, corrections=found)


def _form(word: str, words: Mapping[str, int]) -> str:
    """The word itself where it is a stem of the index: short forms are cut further than long ones
    (`занят`, `занято`)."""
    return word if len(word) >= MIN_LENGTH and word in words else ""


def _joined(text: str, words: Mapping[str, int]) -> dict[str, str]:
    """Stem → the one word of the index that it and its neighbour make (`roll back`, `rollback`)."""
    found: dict[str, str] = {}
    for first, second in pairwise(islice(tokens(text), MAX_TOKENS)):
        one = stem(normalize(first.text + second.text))
        if first.text.isalpha() and second.text.isalpha() and one in words:
            for part in (first, second):
                found.setdefault(stem(normalize(part.text)), one)
    return found


def _relative(stem: str, words: Mapping[str, int]) -> str:
    """The word of the same family that shares most letters, then the most frequent one."""
    if stem.isascii():
        return ""
    shared = {
        word: _common(stem, word)
        for word in words
        if word[:_ROOT] == stem[:_ROOT] and _is_word(word)
    }
    family = [
        (-letters, -words[word], word)
        for word, letters in shared.items()
        if any(
            letters >= root and max(len(stem), len(word)) - letters <= rest
            for root, rest in FAMILIES
        )
    ]
    return min(family)[2] if family else ""


def _common(one: str, other: str) -> int:
    """Letters that two words share at the beginning."""
    same = takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False))
    return sum(1 for _ in same)


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
