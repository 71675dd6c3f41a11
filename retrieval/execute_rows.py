"""Which rows go on to evidence: the cards and the best passages of the best documents first."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from docs_agent.core.layers import D1
from docs_agent.core.plans import RetrievalPlan
from docs_agent.core.rows import Row
from docs_agent.core.store.protocol import Reader, RowFilter
from docs_agent.retrieval.fusion import Candidates, DocumentSignals, RowSignals
from docs_agent.retrieval.rerank import Similarity

SURE_DOCUMENTS: Final = 4
"""Best documents that are handed on with their card and their best passage, as far as the limit
allows."""


@dataclass(frozen=True, slots=True)
class RankedDocument:
    """One document in the order of retrieval."""

    path: str
    signals: DocumentSignals

    @property
    def score(self) -> float:
        return self.signals.score


def hand_on(
    plan: RetrievalPlan,
    reader: Reader,
    ranked: tuple[RankedDocument, ...],
    found: Candidates,
    similarity: Similarity | None,
) -> tuple[Row, ...]:
    """At most `plan.limit` rows, best first, with the figures that ranked them.

    Every one of the best documents keeps a row, then the limit is filled by score.
    """
    best = ranked[: max(plan.limit, SURE_DOCUMENTS)]
    signals = {d.path: d.signals for d in best}
    cards = {
        row.path: row.row_id
        for row in reader.rows_of(RowFilter(layers=(D1,), paths=tuple(signals)))
        if D1 in plan.layers
    }
    scores = {row_id: signals[path].score for path, row_id in cards.items()}
    own: dict[str, list[tuple[float, int]]] = {path: [] for path in signals}
    for row in found.rows.values():
        if row.path in signals and row.layer != D1:
            score = _score(row, signals[row.path], found, similarity)
            scores[row.row_id] = score
            own[row.path].append((-score, row.row_id))
    chosen = _first(plan.limit, [d.path for d in best], cards, own)
    rest = sorted(scores, key=lambda i: (-scores[i], i))
    chosen = tuple(dict.fromkeys((*chosen, *rest)))[: plan.limit]
    rows = [_figured(row, plan, found, scores, signals) for row in reader.rows(chosen)]
    return tuple(sorted(rows, key=lambda row: (-row.score, row.layer_rank, row.path, row.row_id)))


def _first(
    limit: int,
    paths: list[str],
    cards: dict[str, int],
    own: dict[str, list[tuple[float, int]]],
) -> tuple[int, ...]:
    """Cards of the best documents and their best passages, document by document."""
    chosen: list[int] = []
    for path in paths[: min(SURE_DOCUMENTS, max(1, limit // 2))]:
        chosen += [cards[path]] if path in cards else []
        chosen += [row_id for _, row_id in sorted(own[path])[:1]]
    return tuple(chosen)


def _score(
    row: RowSignals,
    document: DocumentSignals,
    found: Candidates,
    similarity: Similarity | None,
) -> float:
    """A passage's own signals on top of its page's."""
    return replace(
        document,
        row=row.lexical,
        dense=found.dense_of(row),
        encoder=max(0.0, similarity.of_row(row.row_id)) if similarity else 0.0,
    ).score


def _figured(
    row: Row,
    plan: RetrievalPlan,
    found: Candidates,
    scores: dict[int, float],
    signals: dict[str, DocumentSignals],
) -> Row:
    known = found.rows.get(row.row_id, RowSignals(row.row_id, row.path, row.layer))
    document = signals[row.path]
    return replace(
        row,
        prefer_bonus=document.bonus,
        layer_rank=plan.layers.index(row.layer),
        lexical_rank=known.lexical,
        structural_rank=document.seed,
        distance=None if known.dense is None else 1.0 - known.dense,
        score=scores[row.row_id],
    )
