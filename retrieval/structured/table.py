"""Which workflow over records serves which route, in one table that can be read."""

from __future__ import annotations

from typing import Final

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
    RouteResult,
)
from docs_agent.retrieval.structured.architecture_overview import architecture_overview
from docs_agent.retrieval.structured.documents_by_domain import documents_by_domain
from docs_agent.retrieval.structured.engine_missing import engine_missing
from docs_agent.retrieval.structured.entity_lookup import entity_lookup
from docs_agent.retrieval.structured.explain_api import explain_api
from docs_agent.retrieval.structured.inquiry import Workflow
from docs_agent.retrieval.structured.integrations import (
    component_integrations,
    entity_integrations,
)
from docs_agent.retrieval.structured.list_api_methods import list_api_methods
from docs_agent.retrieval.structured.related_documents import related_documents

WORKFLOWS: Final[tuple[tuple[str, str, Workflow], ...]] = (
    (DOC_EXPLAIN, EXPLAIN_API, explain_api),
    (DOC_EXPLAIN, COMPONENT_INTEGRATIONS, component_integrations),
    (DOC_EXPLAIN, ENTITY_INTEGRATIONS, entity_integrations),
    (DOC_DISCOVERY, LIST_API_METHODS, list_api_methods),
    (DOC_DISCOVERY, FIND_DOCUMENTS_BY_DOMAIN, documents_by_domain),
    (DOC_DISCOVERY, DOC_ENTITY_LOOKUP, entity_lookup),
    (DOC_DISCOVERY, RELATED_DOCUMENTS, related_documents),
    (ARCHITECTURE, SUMMARY, architecture_overview),
    (OPENAPI_GENERATION, FULL_SPEC, engine_missing),
    (DOC_GENERATION, FROM_FEATURE, engine_missing),
    (CODE_QA, OPEN_FILE, engine_missing),
    (CODE_QA, EXPLAIN, engine_missing),
    (CODE_QA, FIND_TESTS, engine_missing),
    (CODE_QA, FIND_ENTRYPOINTS, engine_missing),
)
"""Intent, sub-intent, workflow. Routes that are not listed are searched for, not read."""


def workflow_of(route: RouteResult) -> Workflow:
    """The workflow that serves a route with a policy of its own (`policy_profiles`)."""
    key = (route.intent, route.subintent)
    return next(w for intent, sub, w in WORKFLOWS if (intent, sub) == key)
