"""The router's verdict on a question (seed "V2IntentRouter", §2 Контракт)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

# Domains.
DOCS: Final = "DOCS"
GENERAL: Final = "GENERAL"
CODE: Final = "CODE"

# Intents.
DOC_EXPLAIN: Final = "DOC_EXPLAIN"
DOC_DISCOVERY: Final = "DOC_DISCOVERY"
ARCHITECTURE: Final = "ARCHITECTURE"
OPENAPI_GENERATION: Final = "OPENAPI_GENERATION"
DOC_GENERATION: Final = "DOC_GENERATION"
GENERAL_QA: Final = "GENERAL_QA"
CODE_QA: Final = "CODE_QA"

# Sub-intents. The first two with DOC_EXPLAIN and GENERAL_QA are the base routes of the seeds.
SUMMARY: Final = "SUMMARY"
FIND_FILES: Final = "FIND_FILES"
EXPLAIN_API: Final = "EXPLAIN_API"
COMPONENT_INTEGRATIONS: Final = "COMPONENT_INTEGRATIONS"
ENTITY_INTEGRATIONS: Final = "ENTITY_INTEGRATIONS"
LIST_API_METHODS: Final = "LIST_API_METHODS"
FIND_DOCUMENTS_BY_DOMAIN: Final = "FIND_DOCUMENTS_BY_DOMAIN"
DOC_ENTITY_LOOKUP: Final = "DOC_ENTITY_LOOKUP"
RELATED_DOCUMENTS: Final = "RELATED_DOCUMENTS"
FULL_SPEC: Final = "FULL_SPEC"
FROM_FEATURE: Final = "FROM_FEATURE"
OPEN_FILE: Final = "OPEN_FILE"
EXPLAIN: Final = "EXPLAIN"
FIND_TESTS: Final = "FIND_TESTS"
FIND_ENTRYPOINTS: Final = "FIND_ENTRYPOINTS"


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
    """`DOCS`, `GENERAL` or `CODE`."""
    intent: str
    """`DOC_EXPLAIN`, `GENERAL_QA` or another of `router.catalogue`."""
    subintent: str
    """`SUMMARY`, `FIND_FILES` or another of `router.catalogue`."""
    user_query: str
    """The question as it came; of a very long one the beginning, which alone is looked at."""
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
    """Whether a language model's proposal was taken, corrected or not."""
    reason_short: str = ""
    """One line: which marker, alias or anchor decided."""
    left_out: int = 0
    """Characters of a very long question that nothing looks at; 0 for any other."""
