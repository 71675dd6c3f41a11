"""Word by word: how much of the question a window says, in its own words or in words near them.

BM25 knows a word or does not; the encoder sees whole sentences and loses the one word that
decides. Between them each word of the question looks for the nearest word of the window. That
"chart" stands near "diagram" and «шаблон» near "template" is read from a table of word vectors, in
which a window costs next to nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from docs_agent.core.embed.protocol import Encoder, floats, text_key
from docs_agent.core.store.protocol import Reader
from docs_agent.core.text import stem, tokens
from docs_agent.retrieval.execute_terms import CORRECTED_WEIGHT, Question

if TYPE_CHECKING:
    from docs_agent.retrieval.rerank import Remember

UNRELATED: Final = 0.2
"""Cosine of two words up to which they have nothing in common."""


def words_of(text: str) -> dict[str, str]:
    """Stem of each word and part of an identifier, with one word that has it."""
    found: dict[str, str] = {}
    for token in tokens(text):
        if token.is_identifier:
            found.setdefault(token.whole, "")
        for part in token.parts:
            found[stem(part)] = part
    return found


def nearness(
    question: Question,
    said: Sequence[Mapping[str, str]],
    encoder: Encoder,
    reader: Reader,
    remember: Remember | None,
) -> tuple[float, ...]:
    """Of each text, the share of the question's idf mass that it says, 0.0 to 1.0.

    said: the words of the texts (`words_of`). A word itself counts in full, a corrected one
    `CORRECTED_WEIGHT`, another word by its cosine above UNRELATED. The figures are kept for the
    next time the question is asked of these texts.
    """
    asked = _asked(question)
    if not asked or not said:
        return (0.0,) * len(said)
    weights = {s: question.idf[s] for s in asked}
    key = text_key(repr((weights, question.mass, question.corrections, said)))
    kind = f"{encoder.words_fingerprint}:nearness"
    kept = reader.cached_vectors(kind, [key]).get(key, b"")
    if len(kept) != 4 * len(said):
        kept = _computed(question, asked, said, encoder)
        if remember is not None:
            remember(kind, {key: kept})
    return tuple(floats(kept))


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
    idf = np.array([question.idf[s] for s in asked], dtype=np.float32)
    shares = np.zeros(len(said), dtype="<f4")
    for number, own in enumerate(said):
        best = likeness[:, [column[s] for s in own if s in column]].max(axis=1, initial=0.0)
        shares[number] = best @ idf / question.mass
    return shares.tobytes()
