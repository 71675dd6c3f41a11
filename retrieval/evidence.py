"""From ranked documents to the few that support an answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from docs_agent.core.evidence import Dropped, Evidence, EvidenceSet
from docs_agent.core.plans import RetrievalPlan
from docs_agent.core.routes import FIND_FILES, RouteResult
from docs_agent.core.rows import Row
from docs_agent.retrieval.evidence_scores import breakdown, is_generic
from docs_agent.retrieval.execute import Execution
from docs_agent.retrieval.execute_features import missing_terms, naming_stems, of_document
from docs_agent.retrieval.execute_filters import values
from docs_agent.retrieval.execute_rows import RankedDocument
from docs_agent.retrieval.gate import ASKED, needed, support

MAX_SUMMARIES: Final = 3
MAX_FILES: Final = 4
MAX_RANKED: Final = 10
CONSIDERED: Final = 30
"""Best documents of retrieval that are scored."""
RELATIVE_FLOOR: Final = 0.5
"""Share of the best score below which a document supports nothing."""
SAID_ELSEWHERE: Final = 0.75
"""Share of what is asked about a named document that another one must say to be put before it: more
than a corrected word counts."""
FULL_SCORE: Final = {"words": 700, "vectors": 300, "reranked": 600}
"""Points of a document that surely answers, by the signals that took part."""


class _Scored(NamedTuple):
    document: RankedDocument
    rows: tuple[Row, ...]
    points: dict[str, int]

    @property
    def path(self) -> str:
        return self.document.path

    @property
    def score(self) -> int:
        return sum(self.points.values())


def assemble(
    execution: Execution, route: RouteResult, plan: RetrievalPlan, *, limit: int | None = None
) -> EvidenceSet:
    """The documents that support an answer, best first, and why the others do not.

    limit: how many at most; 3 summaries, or 4 files for a file look-up, when not given. A document
    the plan names goes first; a specific one goes before a generic one that is about as good.
    """
    scored = sorted(
        (_scored(document, execution, route) for document in execution.documents[:CONSIDERED]),
        key=lambda item: (-item.score, item.path),
    )
    hinted = bool(values(plan, "target_doc_hints"))
    size = limit or (MAX_FILES if route.subintent == FIND_FILES else MAX_SUMMARIES)
    kept = [item for item in scored if item.rows and item.score > 0]
    floor = RELATIVE_FLOOR * kept[0].score if kept else 0.0
    chosen = [
        item
        for item in kept[:size]
        if item.score >= floor or (hinted and item.points["target_doc_boost"] > 0)
    ]
    if hinted:
        chosen = _carrier_first(chosen, execution, route)
    missing = missing_terms(
        execution.question,
        execution.contained,
        [item.path for item in chosen],
        route.anchors,
        execution.filed,
    )
    return EvidenceSet(
        evidence=tuple(
            _evidence(item, execution, hinted, primary=item is chosen[0]) for item in chosen
        ),
        ranked_paths=tuple(item.path for item in scored[:MAX_RANKED]),
        dropped=tuple(
            Dropped(item.path, item.score, _reason(item, floor, size, chosen))
            for item in scored[:MAX_RANKED]
            if item not in chosen
        ),
        relaxations=execution.relaxations,
        features={**execution.features, **_figures(chosen, execution, route)},
        missing_terms=missing.nowhere,
        apart_terms=missing.apart,
    )


def _carrier_first(
    chosen: list[_Scored], execution: Execution, route: RouteResult
) -> list[_Scored]:
    """The evidence with the first document in front that speaks of what is asked, when the named
    one does not: what is told of a thing need not stand in the document of its name.

    Such a document has every name by which the question calls the thing, and would be enough
    without any. An endpoint or a file that is written out is asked of its own document.
    """
    anchors = route.anchors
    if not chosen or anchors.endpoint_paths or anchors.file_names:
        return chosen
    names = naming_stems(anchors) & frozenset(execution.question.idf)

    def carries(item: _Scored) -> bool:
        figures = {**execution.features, **_figures([item], execution, route)}
        return figures["asked"] >= SAID_ELSEWHERE and support(figures) >= needed(figures)

    if not names or execution.features.get("same_language", 1.0) == 0.0:
        return chosen
    if _figures(chosen, execution, route)["asked"] >= ASKED:
        return chosen
    for item in chosen[1:]:
        if names <= execution.contained.get(item.path, frozenset()) and carries(item):
            return [item, *(other for other in chosen if other is not item)]
    return chosen


def _figures(
    chosen: Sequence[_Scored], execution: Execution, route: RouteResult
) -> Mapping[str, float]:
    """Figures of the first document of the evidence, which need not be the first of retrieval."""
    if not chosen:
        return {}
    return of_document(execution.question, chosen[0].document, execution.contained, route.anchors)


def _scored(document: RankedDocument, execution: Execution, route: RouteResult) -> _Scored:
    rows = tuple(row for row in execution.rows if row.path == document.path)
    return _Scored(document, rows, breakdown(document, execution.question, route, rows))


def _evidence(item: _Scored, execution: Execution, hinted: bool, *, primary: bool) -> Evidence:
    card = item.document.card
    name = item.path.rpartition("/")[2]
    identity = card.metadata.get("document_id") if card else None
    return Evidence(
        path=item.path,
        title=(card.title if card else "") or name.rpartition(".")[0] or name,
        document_id=str(identity or item.path),
        score=item.score,
        confidence=_confidence(item.score, execution),
        match_reason=_match_reason(item.points, hinted),
        is_primary=primary,
        score_breakdown=item.points,
        rows=item.rows,
    )


def _confidence(score: int, execution: Execution) -> float:
    full = FULL_SCORE["words"] + sum(
        round(FULL_SCORE[signal] * execution.features.get(signal, 0.0))
        for signal in ("vectors", "reranked")
    )
    return round(min(1.0, max(0.0, score / full)), 3)


def _match_reason(points: dict[str, int], hinted: bool) -> str:
    """hinted: the plan names documents; without, a boost is that of a document about the whole."""
    if hinted and points["target_doc_boost"] > 0:
        return "exact_path"
    for cause, reason in (
        ("alias_match", "alias_match"),
        ("filename_match", "exact_title"),
    ):
        if points[cause] > 0:
            return reason
    return "semantic_match"


def _reason(item: _Scored, floor: float, size: int, chosen: list[_Scored]) -> str:
    if not item.rows:
        return "no row of it among the rows handed on"
    if item.score < floor:
        return "far below the best document"
    if is_generic(item.document) and any(not is_generic(c.document) for c in chosen):
        return "generic document while a specific one is present"
    return f"below the best {size}"
