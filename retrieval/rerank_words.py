"""Word by word: how much of the question a window says, in its own words or in words near them.

BM25 knows a word or does not; the encoder sees whole sentences and loses the one word that
decides. Between them each word of the question looks for the nearest word of the window. That
"chart" stands near "diagram" and «шаблон» near "template" is read from a table of word vectors, in
which a window costs next to nothing.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from docs_agent.core.embed.protocol import Encoder, floats, text_key
from docs_agent.core.store.protocol import Reader
from docs_agent.core.text import stem, tokens
from docs_agent.retrieval.execute_terms import CORRECTED_WEIGHT, Question

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from docs_agent.retrieval.rerank import Remember

UNRELATED: Final = 0.2
"""Cosine of two words up to which they have nothing in common."""


def nearness(
    question: Question,
    texts: Sequence[str],
    encoder: Encoder,
    reader: Reader,
    remember: Remember | None,
) -> tuple[float, ...]:
    """Of each text, the share of the question's idf mass that it says, 0.0 to 1.0.

    A word itself counts in full, a corrected one `CORRECTED_WEIGHT`, another word by its cosine
    above UNRELATED. The figures are kept for the next time the question is asked of these texts.
    """
    asked = _asked(question)
    if not asked or not texts:
        return (0.0,) * len(texts)
    weights = {word: question.idf[s] for s, word in asked.items()}
    key = text_key("\0".join((repr(weights), repr(question.corrections), *texts)))
    kind = f"{encoder.words_fingerprint}:nearness"
    kept = reader.cached_vectors(kind, [key]).get(key, b"")
    if len(kept) != 4 * len(texts):
        kept = _computed(question, asked, texts, encoder)
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
    question: Question, asked: Mapping[str, str], texts: Sequence[str], encoder: Encoder
) -> bytes:
    import numpy as np

    said = [{part for token in tokens(text) for part in token.parts} for text in texts]
    words = sorted(set().union(*said))
    place = {word: number for number, word in enumerate(words)}
    vectors = encoder.words([*asked.values(), *words])
    likeness = vectors[: len(asked)] @ vectors[len(asked) :].T
    likeness = np.clip((likeness - UNRELATED) / (1.0 - UNRELATED), 0.0, 1.0)
    _same_words(likeness, question, asked, words)
    idf = np.array([question.idf[s] for s in asked], dtype=np.float32)
    shares = array("f")
    for own in said:
        columns = [place[word] for word in own]
        best = likeness[:, columns].max(axis=1, initial=0.0)
        shares.append(float(best @ idf) / question.mass)
    return np.array(shares, dtype="<f4").tobytes()


def _same_words(
    likeness: NDArray[np.float32], question: Question, asked: Mapping[str, str], words: list[str]
) -> None:
    """What is known of words without vectors: one stem is one word, a slip is a slip."""
    columns: dict[str, list[int]] = {}
    for number, word in enumerate(words):
        columns.setdefault(stem(word), []).append(number)
    for row, s in enumerate(asked):
        if s in question.corrections:
            meant = columns.get(question.corrections[s], [])
            likeness[row, meant] = CORRECTED_WEIGHT
        likeness[row, columns.get(s, [])] = 1.0
