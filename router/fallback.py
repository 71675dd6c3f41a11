"""Where a question goes when neither rule nor language model decided (seed 004, `fallback.py`)."""

from __future__ import annotations

from docs_agent.router import confidence
from docs_agent.router.catalogue import EXPLAIN_ROUTE, GENERAL_ROUTE
from docs_agent.router.decision import Decision
from docs_agent.router.deterministic import explain, find_files
from docs_agent.router.features import Features


def fall_back(features: Features) -> Decision:
    """File markers, then anything of the documentation, else general; always decides."""
    files = find_files(features)
    if files is not None:
        return files
    docs = explain(features)
    if docs is not None:
        return docs._replace(grade=confidence.CONFLICT, reason=f"several signals, {docs.reason}")
    if features.is_foreign:
        reason = "the index is in another language"
        return Decision(EXPLAIN_ROUTE, confidence.FOREIGN, reason)
    return Decision(GENERAL_ROUTE, confidence.FALLBACK, "nothing recognised")
