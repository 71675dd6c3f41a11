"""Word by word: how much of the question a window says, in its own words or in words near them.

BM25 knows a word or does not; the encoder sees whole sentences and loses the one word that
decides. Between them each word of the question looks for the nearest word of the window. That
"chart" stands near "diagram" and «шаблон» near "template" is read from a table of word vectors, in
which a window costs next to nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from operator import mul
from typing import TYPE_CHECKING, Final, NamedTuple

from docs_agent.core.embed.protocol import Encoder, text_key
from docs_agent.core.store.protocol import Reader
from docs_agent.core.text import stem, tokens
from docs_agent.retrieval.execute_terms import CORRECTED_WEIGHT, Question

if TYPE_CHECKING:
    from docs_agent.retrieval.rerank import Remember

UNRELATED: Final = 0.2
"""Cosine of two words up to which they have nothing in common."""
_ITSELF: Final = 255
"""Likeness of a word to itself, as it is kept: a byte a word."""


def words_of(text: str) -> dict[str, str]:
    """Stem of each word and part of an identifier, with one word that has it."""
    found: dict[str, str] = {}
    for token in tokens(text):
        if token.is_identifier:
            found.setdefault(token.whole, "")
        for part in token.parts:
            found[stem(part)] = part
    return found


class Told(NamedTuple):
    """How near some texts come to each word of a question."""

    weights: tuple[float, ...]
    """Share of the question's idf mass of each word."""
    likeness: bytes
    """Of the first text to each word, then of the second, and so on; 255 = the word itself."""

    def of_text(self, number: int) -> float:
        """Share of the question that one text says, 0.0 to 1.0."""
        return self.of_texts((number,))

    def of_texts(self, numbers: Iterable[int]) -> float:
        """Share of the question that some texts say together."""
        size = len(self.weights)
        rows = [self.likeness[n * size : (n + 1) * size] for n in numbers]
        best = [max(column) for column in zip(*rows, strict=True)]
        return float(sum(map(mul, self.weights, best))) / _ITSELF


def told(
    question: Question,
    said: Sequence[Mapping[str, str]],
    encoder: Encoder,
    reader: Reader,
    remember: Remember | None,
) -> Told:
    """How near each text comes to the words of the question.

    said: the words of the texts (`words_of`). A word itself counts in full, a corrected one
    `CORRECTED_WEIGHT`, another word by its cosine above UNRELATED. The figures are kept for the
    next time the question is asked of these texts.
    """
    asked = _asked(question)
    weights = tuple(question.idf[s] / question.mass for s in asked)
    if not asked or not said:
        return Told(weights, bytes(len(asked) * len(said)))
    key = text_key(repr((asked, question.corrections, said)))
    kind = f"{encoder.words_fingerprint}:told"
    kept = reader.cached_vectors(kind, [key]).get(key, b"")
    if len(kept) != len(asked) * len(said):
        kept = _computed(question, asked, said, encoder)
        if remember is not None:
            remember(kind, {key: kept})
    return Told(weights, kept)


def _asked(question: Question) -> dict[str, str]:
    """Each stem of the question that is a word or part of one, with that word."""
    return {
        s: part
        for term in question.terms
        for token in tokens(term.text)
        for part in token.parts
        if (s := stem(part)) in question.idf
    }


def _computed(
    question: Question,
    asked: Mapping[str, str],
    said: Sequence[Mapping[str, str]],
    encoder: Encoder,
) -> bytes:
    import numpy as np

    words = {s: word for own in said for s, word in own.items() if word}
    column = {s: number for number, s in enumerate(words)}
    vectors = encoder.words([*asked.values(), *words.values()])
    likeness = vectors[: len(asked)] @ vectors[len(asked) :].T
    likeness = np.clip((likeness - UNRELATED) / (1.0 - UNRELATED), 0.0, 1.0)
    for row, s in enumerate(asked):
        # What is known of words without vectors: one stem is one word, a slip is a slip.
        if (meant := column.get(question.corrections.get(s, ""))) is not None:
            likeness[row, meant] = CORRECTED_WEIGHT
        if (same := column.get(s)) is not None:
            likeness[row, same] = 1.0
    figures = (likeness * _ITSELF).round().astype(np.uint8)
    best = [
        figures[:, [column[s] for s in own if s in column]].max(axis=1, initial=0) for own in said
    ]
    return b"".join(row.tobytes() for row in best)
