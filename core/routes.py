"""The router's verdict on a question (seed "V2IntentRouter", §2 Контракт)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

DOCS: Final = "DOCS"
GENERAL: Final = "GENERAL"
DOC_EXPLAIN: Final = "DOC_EXPLAIN"
GENERAL_QA: Final = "GENERAL_QA"
SUMMARY: Final = "SUMMARY"
FIND_FILES: Final = "FIND_FILES"


@dataclass(frozen=True, slots=True)
class RouteAnchors:
    """Concrete things the question names."""

    entity_names: tuple[str, ...] = ()
    """PascalCase names and entity names the index knows."""
    file_names: tuple[str, ...] = ()
    """`*.md|yaml|yml|json` or `docs/…` paths, as written."""
    endpoint_paths: tuple[str, ...] = ()
    """HTTP paths, lower case: `/health`, `/actions/{action}`."""
    target_doc_hints: tuple[str, ...] = ()
    """Paths of documents the question most likely means, best first."""
    matched_aliases: tuple[str, ...] = ()
    """Aliases of documents found in the question, as the index writes them."""
    process_domain: str | None = None
    """Domain named by the question, as the index writes it."""
    process_subdomain: str | None = None
    """Sub-domain named by the question, as the index writes it."""


@dataclass(frozen=True, slots=True)
class RouteResult:
    """Where a question goes and why."""

    routing_domain: str
    """`DOCS` or `GENERAL`."""
    intent: str
    """`DOC_EXPLAIN` or `GENERAL_QA`."""
    subintent: str
    """`SUMMARY` or `FIND_FILES`."""
    user_query: str
    """The question as it came."""
    normalized_query: str
    """The question with white space collapsed; nothing else is changed."""
    target_terms: tuple[str, ...] = ()
    """At most 7 retrieval terms, lower case: endpoints, identifiers, aliases, domain terms."""
    anchors: RouteAnchors = RouteAnchors()
    confidence: float = 0.0
    """0.0 to 1.0."""
    routing_mode: str = "deterministic"
    """`deterministic`, `deterministic_fallback`, `llm_assisted`, `llm_default` or `llm_fallback`.
    """
    llm_router_used: bool = False
    reason_short: str = ""
    """One line: which marker, alias or anchor decided."""
