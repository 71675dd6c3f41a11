"""A real index for the tests of answers: real parser, extractors, store; no vectors."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from docs_agent.core.config import Config
from docs_agent.core.evidence import (
    GROUNDED_SUMMARY,
    Answer,
    Evidence,
    EvidenceSet,
    GateDecision,
)
from docs_agent.core.layers import D0, D1
from docs_agent.core.routes import (
    DOC_EXPLAIN,
    DOCS,
    FIND_FILES,
    GENERAL_QA,
    SUMMARY,
    RouteAnchors,
    RouteResult,
)
from docs_agent.core.store.protocol import Reader, RowFilter, Store
from docs_agent.core.store.sqlite import open_store
from docs_agent.core.text import language_of
from docs_agent.indexers.run import run_index
from docs_agent.indexers.run_report import IndexRequest, NoProgress
from docs_agent.retrieval.answers import compose
from docs_agent.retrieval.policy import resolve

if TYPE_CHECKING:
    from docs_agent.core.embed.protocol import Matrix, Vector

PASSED = GateDecision(True, GROUNDED_SUMMARY, "evidence_covers_question")


class NoVectors:
    """Embedder of an index without vectors."""

    fingerprint = "none"
    dim = 0

    def documents(self, texts: Sequence[str]) -> Matrix:
        return np.zeros((len(texts), 0), dtype=np.float32)

    def query(self, text: str) -> Vector:
        return np.zeros(0, dtype=np.float32)


def build(root: Path, docs_root: str, db: Path) -> Store:
    """Indexes one folder."""
    store = open_store(db, create=True)
    request = IndexRequest(root=root, db=db, config=Config(), paths=(docs_root,))
    run_index(request, store, NoVectors(), NoProgress())
    return store


def evidence(reader: Reader, path: str, *, primary: bool, score: int = 100) -> Evidence:
    """A document as retrieval hands it on: its card and its passages."""
    card = reader.rows_of(RowFilter(layers=(D1,), paths=(path,)))
    rows = reader.rows_of(RowFilter(layers=(D0,), paths=(path,)))
    assert card, f"{path} is not in the index"
    return Evidence(
        path, card[0].title, path, score, 0.9, "semantic_match", primary, {}, card + rows
    )


def ask(
    reader: Reader,
    question: str,
    documents: Sequence[str],
    *,
    files: bool = False,
    general: bool = False,
    endpoints: Sequence[str] = (),
    hints: Sequence[str] = (),
    gate: GateDecision = PASSED,
    missing: Sequence[str] = (),
    scores: Sequence[int] = (),
) -> Answer:
    """Composes the answer as if retrieval had found `documents`, best first, equally good ones
    where no `scores` are given."""
    route = RouteResult(
        DOCS,
        GENERAL_QA if general else DOC_EXPLAIN,
        FIND_FILES if files else SUMMARY,
        question,
        question,
        anchors=RouteAnchors(endpoint_paths=tuple(endpoints), target_doc_hints=tuple(hints)),
    )
    found = EvidenceSet(
        tuple(
            evidence(reader, path, primary=not n, score=score)
            for n, (path, score) in enumerate(
                zip(documents, scores or [100] * len(documents), strict=True)
            )
        ),
        tuple(documents),
        missing_terms=tuple(missing),
    )
    language = language_of(question) or "en"
    return compose(question, route, resolve(route), found, gate, language, reader=reader)
