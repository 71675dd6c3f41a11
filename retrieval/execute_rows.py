"""Which rows go on to evidence: the cards and the best passages of the best documents first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from docs_agent.core.layers import D1
from docs_agent.core.plans import RetrievalPlan
from docs_agent.core.rows import Row
from docs_agent.core.store.protocol import Reader, RowFilter
from docs_agent.retrieval.fusion import Candidates, DocumentSignals, RowSignals
from docs_agent.retrieval.rerank import Reranked

SURE_DOCUMENTS: Final = 4
"""Best documents that are handed on with their card and their best passage, as far as the limit
allows."""
DESCRIBED: Final = 12
"""Best documents whose cards are read."""


class RankedDocument(NamedTuple):
    """One document in the order of retrieval."""

    path: str
    signals: DocumentSignals
    card: Row | None = None
    """Its catalogue row; None beyond the best few, and when it has none."""

    @property
    def score(self) -> float:
        return self.signals.score


def described(reader: Reader, ranked: Sequence[RankedDocument]) -> tuple[RankedDocument, ...]:
    """The same documents, the best of them with their cards."""
    best = tuple(document.path for document in ranked[:DESCRIBED])
    rows = reader.rows_of(RowFilter(layers=(D1,), paths=best)) if best else ()
    cards = {row.path: row for row in rows}
    return tuple(document._replace(card=cards.get(document.path)) for document in ranked)


def hand_on(
    plan: RetrievalPlan,
    reader: Reader,
    ranked: Sequence[RankedDocument],
    found: Candidates,
    reranked: Reranked | None,
) -> tuple[Row, ...]:
    """At most `plan.limit` rows, best first, with the figures that ranked them.

    Every one of the best documents keeps a row, then the limit is filled by score.
    """
    best = {document.path: document for document in ranked[: max(plan.limit, SURE_DOCUMENTS)]}
    cards = {
        path: document.card.row_id
        for path, document in best.items()
        if document.card is not None and D1 in plan.layers
    }
    scores = {row_id: best[path].score for path, row_id in cards.items()}
    passages: dict[str, int] = {}
    for row in found.rows.values():
        if row.path not in best or row.layer == D1 or row.layer not in plan.layers:
            continue
        score = _score(row, best[row.path].signals, found, reranked)
        leader = passages.setdefault(row.path, row.row_id)
        if (-score, row.row_id) < (-scores.get(leader, score), leader):
            passages[row.path] = row.row_id
        scores[row.row_id] = score
    first = _first(plan.limit, tuple(best), cards, passages)
    rest = sorted(scores, key=lambda i: (-scores[i], i))
    chosen = tuple(dict.fromkeys((*first, *rest)))[: plan.limit]
    rows = [_figured(row, plan, found, scores, best[row.path]) for row in reader.rows(chosen)]
    return tuple(sorted(rows, key=lambda row: (-row.score, row.layer_rank, row.path, row.row_id)))


def _first(
    limit: int, paths: Sequence[str], cards: Mapping[str, int], passages: Mapping[str, int]
) -> tuple[int, ...]:
    """Cards of the best documents and their best passages, document by document."""
    chosen: list[int] = []
    for path in paths[: min(SURE_DOCUMENTS, max(1, limit // 2))]:
        chosen += [kind[path] for kind in (cards, passages) if path in kind]
    return tuple(chosen)


def _score(
    row: RowSignals,
    document: DocumentSignals,
    found: Candidates,
    reranked: Reranked | None,
) -> float:
    """A passage's own signals on top of its page's."""
    own = document._replace(
        row=row.lexical,
        dense=found.dense_of(row),
        encoder=max(0.0, reranked.meaning.of_row(row.row_id)) if reranked else 0.0,
        nearness=reranked.words.of_row(row.row_id) if reranked else 0.0,
    )
    return own.score


def _figured(
    row: Row,
    plan: RetrievalPlan,
    found: Candidates,
    scores: Mapping[int, float],
    document: RankedDocument,
) -> Row:
    known = found.rows.get(row.row_id, RowSignals(row.row_id, row.path, row.layer))
    return replace(
        row,
        prefer_bonus=document.signals.bonus,
        layer_rank=plan.layers.index(row.layer),
        lexical_rank=known.lexical,
        structural_rank=document.signals.seed,
        distance=None if known.dense is None else 1.0 - known.dense,
        score=scores[row.row_id],
    )
