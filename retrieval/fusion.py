"""How the signals about a document add up.

All signals are absolute shares, so that one that knows nothing about a question stays silent by
itself. BM25 is divided by what a document with every word of the question would collect: a
question of which the index knows no word, such as one in the other language, gives zeros and
leaves the decision to the vectors. Measured on the FastAPI questions (MRR@10) and XQuAD (R@1, same
language / across): per-query standardised scores .835, .96 / .69; these shares .858, .95 / .77.
The weights are round numbers in the middle of a wide plateau.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from docs_agent.core.layers import D1
from docs_agent.core.store.protocol import Hit, LexicalWeights, Reader, RowFilter
from docs_agent.retrieval.execute_terms import CORRECTED_WEIGHT, WEAK_WEIGHT, Question

WEIGHTS: Final = LexicalWeights(title=3.0, section=2.0, path=1.0, body=1.0)
SATURATION: Final = 2.2
"""What BM25 gives at most for one word of idf 1: k1 + 1."""
FULL_MATCH: Final = 0.7
"""Share that the best page gets of a word's mass where BM25 gives nothing: what BM25 gives the best
page for other words."""
PAGE_WEIGHT: Final = 1.0
ROW_WEIGHT: Final = 0.5
DENSE_WEIGHT: Final = 0.5
ENCODER_WEIGHT: Final = 1.0
NEARNESS_WEIGHT: Final = 0.7
SEED_WEIGHT: Final = 1.0
"""For an exactly named document (`execute_preferences`)."""


class RowSignals(NamedTuple):
    """What is known of one candidate row."""

    row_id: int
    path: str
    layer: str
    lexical: float = 0.0
    """Share of the question's idf mass by BM25, 0.0 to about 1.0."""
    dense: float | None = None
    """Cosine of the row's vector and the question's; None = not among the nearest."""


class Candidates(NamedTuple):
    """All rows that any signal brought in."""

    rows: Mapping[int, RowSignals]
    dense_floor: float
    """The lowest cosine that was reported: what an unreported row has at most."""

    @property
    def pages(self) -> dict[str, float]:
        """Lexical share of each page as a whole."""
        return {r.path: r.lexical for r in self.rows.values() if r.layer == D1 and r.lexical}

    def joined(self, other: Candidates) -> Candidates:
        """Both together; what this one knows of a row goes first, and so does its floor."""
        return Candidates({**other.rows, **self.rows}, self.dense_floor)

    def dense_of(self, row: RowSignals) -> float:
        return max(0.0, self.dense_floor if row.dense is None else row.dense)

    def row_score(self, row: RowSignals, pages: Mapping[str, float]) -> float:
        """The row with its page, before re-ranking."""
        own = 0.0 if row.layer == D1 else row.lexical
        return (
            PAGE_WEIGHT * pages.get(row.path, 0.0)
            + ROW_WEIGHT * own
            + DENSE_WEIGHT * self.dense_of(row)
        )


class DocumentSignals(NamedTuple):
    """What is known of one document."""

    page: float = 0.0
    row: float = 0.0
    """Best lexical share of its other rows."""
    dense: float = 0.0
    encoder: float = 0.0
    """Best cosine of its sentence windows; the lowest seen when it was not re-ranked."""
    nearness: float = 0.0
    """Best share of the question that a window says in words near its own (`rerank_words`); the
    lowest seen when it was not re-ranked."""
    bonus: float = 0.0
    seed: float = 0.0

    @property
    def lexical(self) -> float:
        return PAGE_WEIGHT * self.page + ROW_WEIGHT * self.row

    @property
    def retrieved(self) -> float:
        """What words and vectors say, and the plan's preferences."""
        return (
            self.lexical
            + DENSE_WEIGHT * self.dense
            + ENCODER_WEIGHT * self.encoder
            + NEARNESS_WEIGHT * self.nearness
            + self.bonus
        )

    @property
    def score(self) -> float:
        """With what the plan names."""
        return self.retrieved + SEED_WEIGHT * self.seed


def gather(
    reader: Reader,
    question: Question,
    vector: Sequence[float] | None,
    layers: Iterable[str],
    where: RowFilter,
    limit: int,
) -> Candidates:
    """Candidates of some layers by words and by vector; `limit` per layer and signal."""
    rows: dict[int, RowSignals] = {}
    floor: list[float] = []
    for layer in layers:
        lexical = _lexical(reader, layer, question, where, limit)
        dense = reader.dense(layer, vector, where, limit) if vector is not None else ()
        cosines = {hit.row_id: 1.0 - hit.value for hit in dense}
        floor.extend(cosines.values())
        places = {hit.row_id: hit.path for hit in dense} | {i: p for i, (p, _) in lexical.items()}
        for row_id, path in places.items():
            share = lexical.get(row_id, (path, 0.0))[1]
            rows[row_id] = RowSignals(row_id, path, layer, share, cosines.get(row_id))
    return Candidates(rows, min(floor, default=0.0))


def _lexical(
    reader: Reader, layer: str, question: Question, where: RowFilter, limit: int
) -> dict[int, tuple[str, float]]:
    """Share of the question's mass by row: words as asked; at a discount those of asking and
    corrected ones; one by one those that BM25 holds worthless.

    BM25 adds up over words, so searches of different weight add up as well.
    """
    flat = question.flat if layer == D1 else frozenset()
    asked = [s for s in question.asked if s not in flat]
    searches = (
        (tuple(s for s in asked if s not in question.weak), 1.0),
        (tuple(s for s in asked if s in question.weak), WEAK_WEIGHT),
        (question.corrected, CORRECTED_WEIGHT),
    )
    found: dict[int, tuple[str, float]] = {}

    def add(hit: Hit, share: float) -> None:
        found[hit.row_id] = (hit.path, found.get(hit.row_id, ("", 0.0))[1] + share)

    for stems, weight in searches:
        for hit in reader.lexical(layer, stems, where, WEIGHTS, limit) if stems else ():
            add(hit, weight * max(0.0, hit.value) / (SATURATION * question.mass))
    for stem in sorted(flat):
        hits = reader.lexical(layer, (stem,), where, WEIGHTS, limit)
        best = max((hit.value for hit in hits), default=0.0)
        for hit in hits if best > 0.0 else ():
            add(hit, FULL_MATCH * question.idf[stem] / question.mass * hit.value / best)
    return found


def documents(candidates: Candidates) -> dict[str, DocumentSignals]:
    """Signals of each candidate document, before re-ranking."""
    page = candidates.pages
    row: dict[str, float] = {}
    dense: dict[str, float] = {}
    for signals in candidates.rows.values():
        path = signals.path
        if signals.layer != D1:
            row[path] = max(row.get(path, 0.0), signals.lexical)
        dense[path] = max(dense.get(path, 0.0), candidates.dense_of(signals))
    return {
        path: DocumentSignals(page.get(path, 0.0), row.get(path, 0.0), dense[path])
        for path in dense
    }
