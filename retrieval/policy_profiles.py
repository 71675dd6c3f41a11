"""The profiles as data: the seed's §8, then one row a sub-intent in the same form."""

from __future__ import annotations

from typing import Final, NamedTuple

from docs_agent.core.layers import D0, D1, D2, D3, D4, D5, D6
from docs_agent.core.routes import (
    ARCHITECTURE,
    CODE_QA,
    COMPONENT_INTEGRATIONS,
    DOC_DISCOVERY,
    DOC_ENTITY_LOOKUP,
    DOC_EXPLAIN,
    DOC_GENERATION,
    ENTITY_INTEGRATIONS,
    EXPLAIN,
    EXPLAIN_API,
    FIND_DOCUMENTS_BY_DOMAIN,
    FIND_ENTRYPOINTS,
    FIND_TESTS,
    FROM_FEATURE,
    FULL_SPEC,
    LIST_API_METHODS,
    OPEN_FILE,
    OPENAPI_GENERATION,
    RELATED_DOCUMENTS,
    SUMMARY,
)
from docs_agent.router import signals

ROOT: Final = "docs/"
"""Stands for every docs root of the session."""
API_PREFIXES: Final = ("docs/api/", ROOT)
ARCHITECTURE_PREFIXES: Final = ("docs/architecture/", ROOT)
ENTITY_PREFIXES: Final = ("docs/domains/", ROOT, "docs/api/")
DOMAIN_PREFIXES: Final = ("docs/domains/", "docs/logic/")


class Profile(NamedTuple):
    """One row of the seed's §8."""

    name: str
    layers: tuple[str, ...]
    """In order of preference."""
    limit: int
    """Rows handed on to evidence; where records are listed, the lines of the list."""


class SubintentPolicy(NamedTuple):
    """The plan of a sub-intent: its route, its profile and its folders (§9)."""

    intent: str
    subintents: tuple[str, ...]
    profile: Profile
    prefer_path_prefixes: tuple[str, ...]
    path_prefixes: tuple[str, ...] = ()
    """Hard, empty where the folder decides nothing."""


GENERAL_PROFILE: Final = Profile("general_qa_grounded_summary", (D1, D0), 8)
FILE_PROFILE: Final = Profile("file_lookup", (D1, D3), 12)
GENERIC_PROFILE: Final = Profile("docs_summary_generic", (D1, D0), 8)
SUMMARY_PROFILES: Final = {
    signals.API_ENDPOINT: Profile("docs_summary_api_endpoint", (D1, D2, D0), 8),
    signals.ARCHITECTURE: Profile("docs_summary_architecture", (D1, D5, D0), 8),
    signals.LOGIC_FLOW: Profile("docs_summary_logic_flow", (D4, D1, D0), 8),
    signals.DOMAIN_ENTITY: Profile("docs_summary_domain_entity", (D3, D1, D0), 8),
}
SUBINTENT_POLICIES: Final = (
    SubintentPolicy(
        DOC_EXPLAIN,
        (EXPLAIN_API,),
        Profile("docs_explain_api", (D1, D2, D4, D0), 8),
        API_PREFIXES,
        API_PREFIXES,
    ),
    SubintentPolicy(
        DOC_DISCOVERY,
        (LIST_API_METHODS,),
        Profile("list_api_methods", (D1, D2), 50),
        API_PREFIXES,
        API_PREFIXES,
    ),
    SubintentPolicy(
        DOC_DISCOVERY,
        (FIND_DOCUMENTS_BY_DOMAIN,),
        Profile("documents_by_domain", (D1,), 50),
        (*DOMAIN_PREFIXES, ROOT),
    ),
    SubintentPolicy(
        DOC_DISCOVERY,
        (DOC_ENTITY_LOOKUP,),
        Profile("entity_lookup", (D3, D5, D1, D0), 12),
        ENTITY_PREFIXES,
    ),
    SubintentPolicy(
        DOC_DISCOVERY, (RELATED_DOCUMENTS,), Profile("related_documents", (D5, D1), 30), (ROOT,)
    ),
    SubintentPolicy(
        DOC_EXPLAIN,
        (COMPONENT_INTEGRATIONS,),
        Profile("component_integrations", (D6, D5, D1), 30),
        ARCHITECTURE_PREFIXES,
    ),
    SubintentPolicy(
        DOC_EXPLAIN,
        (ENTITY_INTEGRATIONS,),
        Profile("entity_integrations", (D6, D3, D1), 30),
        ENTITY_PREFIXES,
    ),
    SubintentPolicy(
        ARCHITECTURE,
        (SUMMARY,),
        Profile("architecture_overview", (D1, D6, D5, D0), 12),
        ARCHITECTURE_PREFIXES,
    ),
    SubintentPolicy(
        OPENAPI_GENERATION,
        (FULL_SPEC,),
        Profile("openapi_generation", (D1, D2), 8),
        API_PREFIXES,
        API_PREFIXES,
    ),
    SubintentPolicy(
        DOC_GENERATION, (FROM_FEATURE,), Profile("doc_generation", (D1, D0), 8), (ROOT,)
    ),
    SubintentPolicy(
        CODE_QA,
        (OPEN_FILE, EXPLAIN, FIND_TESTS, FIND_ENTRYPOINTS),
        Profile("code_unavailable", (D1, D0), 8),
        (ROOT,),
    ),
)
PROFILES: Final = (
    GENERAL_PROFILE,
    FILE_PROFILE,
    GENERIC_PROFILE,
    *SUMMARY_PROFILES.values(),
    *(policy.profile for policy in SUBINTENT_POLICIES),
)


def subintent_policy(intent: str, subintent: str) -> SubintentPolicy | None:
    """The row of a sub-intent; None for the base routes and for routes that do not exist."""
    return next(
        (p for p in SUBINTENT_POLICIES if p.intent == intent and subintent in p.subintents), None
    )
