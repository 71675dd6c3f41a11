"""The routes there are, in one table that can be read."""

from __future__ import annotations

from typing import Final, Literal, NamedTuple

from docs_agent.core.routes import (
    ARCHITECTURE,
    CODE,
    CODE_QA,
    COMPONENT_INTEGRATIONS,
    DOC_DISCOVERY,
    DOC_ENTITY_LOOKUP,
    DOC_EXPLAIN,
    DOC_GENERATION,
    DOCS,
    ENTITY_INTEGRATIONS,
    EXPLAIN,
    EXPLAIN_API,
    FIND_DOCUMENTS_BY_DOMAIN,
    FIND_ENTRYPOINTS,
    FIND_FILES,
    FIND_TESTS,
    FROM_FEATURE,
    FULL_SPEC,
    GENERAL,
    GENERAL_QA,
    LIST_API_METHODS,
    OPEN_FILE,
    OPENAPI_GENERATION,
    RELATED_DOCUMENTS,
    SUMMARY,
)

Need = Literal["nothing", "endpoint", "entity", "document", "domain"]
"""What of a question the answer of a route is built upon."""


class Route(NamedTuple):
    """One row: a place a question can go to."""

    name: str
    """Short name, unique: case files and messages use it."""
    routing_domain: str
    intent: str
    subintent: str
    markers: tuple[str, ...]
    """Groups of `markers.toml` whose presence in a question speaks for this route."""
    needs: Need
    """The anchor without which the route can only be refused or answered for the whole project."""
    meaning: str
    """One line: which questions belong here."""


FILES_ROUTE: Final = Route(
    name="files",
    routing_domain=DOCS,
    intent=DOC_EXPLAIN,
    subintent=FIND_FILES,
    markers=("file",),
    needs="nothing",
    meaning="which document or file says something",
)
EXPLAIN_ROUTE: Final = Route(
    name="explain",
    routing_domain=DOCS,
    intent=DOC_EXPLAIN,
    subintent=SUMMARY,
    markers=("endpoint", "architecture", "logic", "domain"),
    needs="nothing",
    meaning="what the documentation says about a subject: how it works, what it is, what it does",
)
GENERAL_ROUTE: Final = Route(
    name="general",
    routing_domain=GENERAL,
    intent=GENERAL_QA,
    subintent=SUMMARY,
    markers=("greeting", "general"),
    needs="nothing",
    meaning="what the whole project or its documentation is about; greetings; no subject at all",
)
EXPLAIN_API_ROUTE: Final = Route(
    name="explain_api",
    routing_domain=DOCS,
    intent=DOC_EXPLAIN,
    subintent=EXPLAIN_API,
    markers=("explain_api",),
    needs="endpoint",
    meaning="the whole contract of one named API method: purpose, parameters, responses, errors",
)
LIST_API_METHODS_ROUTE: Final = Route(
    name="list_api_methods",
    routing_domain=DOCS,
    intent=DOC_DISCOVERY,
    subintent=LIST_API_METHODS,
    markers=("list_api_methods",),
    needs="nothing",
    meaning="which API methods or endpoints there are, in all or for a subject",
)
DOCUMENTS_BY_DOMAIN_ROUTE: Final = Route(
    name="find_documents_by_domain",
    routing_domain=DOCS,
    intent=DOC_DISCOVERY,
    subintent=FIND_DOCUMENTS_BY_DOMAIN,
    markers=("documents_by_domain",),
    needs="domain",
    meaning="which documents belong to a named domain or sub-domain",
)
ENTITY_LOOKUP_ROUTE: Final = Route(
    name="doc_entity_lookup",
    routing_domain=DOCS,
    intent=DOC_DISCOVERY,
    subintent=DOC_ENTITY_LOOKUP,
    markers=("entity_lookup",),
    needs="entity",
    meaning="where a named entity or component is used or mentioned",
)
RELATED_DOCUMENTS_ROUTE: Final = Route(
    name="related_documents",
    routing_domain=DOCS,
    intent=DOC_DISCOVERY,
    subintent=RELATED_DOCUMENTS,
    markers=("related_documents", "relation"),
    needs="document",
    meaning="which documents are related to a named document: links, parent, children",
)
COMPONENT_INTEGRATIONS_ROUTE: Final = Route(
    name="component_integrations",
    routing_domain=DOCS,
    intent=DOC_EXPLAIN,
    subintent=COMPONENT_INTEGRATIONS,
    markers=("integration",),
    needs="nothing",
    meaning="what a component, an API or the whole system integrates or exchanges data with",
)
ENTITY_INTEGRATIONS_ROUTE: Final = Route(
    name="entity_integrations",
    routing_domain=DOCS,
    intent=DOC_EXPLAIN,
    subintent=ENTITY_INTEGRATIONS,
    markers=("integration",),
    needs="entity",
    meaning="what a named entity is integrated with",
)
ARCHITECTURE_ROUTE: Final = Route(
    name="architecture",
    routing_domain=DOCS,
    intent=ARCHITECTURE,
    subintent=SUMMARY,
    markers=("components",),
    needs="nothing",
    meaning="which components the system consists of and how they are connected",
)
FULL_SPEC_ROUTE: Final = Route(
    name="full_spec",
    routing_domain=DOCS,
    intent=OPENAPI_GENERATION,
    subintent=FULL_SPEC,
    markers=("openapi",),
    needs="nothing",
    meaning="generate an OpenAPI specification from the documentation",
)
FROM_FEATURE_ROUTE: Final = Route(
    name="from_feature",
    routing_domain=DOCS,
    intent=DOC_GENERATION,
    subintent=FROM_FEATURE,
    markers=("doc_generation",),
    needs="nothing",
    meaning="write new documentation for a feature",
)
CODE_OPEN_FILE_ROUTE: Final = Route(
    name="code_open_file",
    routing_domain=CODE,
    intent=CODE_QA,
    subintent=OPEN_FILE,
    markers=("code_open_file",),
    needs="nothing",
    meaning="open a named file of the source code",
)
CODE_EXPLAIN_ROUTE: Final = Route(
    name="code_explain",
    routing_domain=CODE,
    intent=CODE_QA,
    subintent=EXPLAIN,
    markers=("code_explain",),
    needs="nothing",
    meaning="where or how something is implemented in the source code",
)
CODE_TESTS_ROUTE: Final = Route(
    name="code_find_tests",
    routing_domain=CODE,
    intent=CODE_QA,
    subintent=FIND_TESTS,
    markers=("code_tests",),
    needs="nothing",
    meaning="which tests of the source code cover something",
)
CODE_ENTRYPOINTS_ROUTE: Final = Route(
    name="code_find_entrypoints",
    routing_domain=CODE,
    intent=CODE_QA,
    subintent=FIND_ENTRYPOINTS,
    markers=("code_entrypoints",),
    needs="nothing",
    meaning="the entry points of the application in the source code",
)

ROUTES: Final = (
    FILES_ROUTE,
    EXPLAIN_ROUTE,
    GENERAL_ROUTE,
    EXPLAIN_API_ROUTE,
    LIST_API_METHODS_ROUTE,
    DOCUMENTS_BY_DOMAIN_ROUTE,
    ENTITY_LOOKUP_ROUTE,
    RELATED_DOCUMENTS_ROUTE,
    COMPONENT_INTEGRATIONS_ROUTE,
    ENTITY_INTEGRATIONS_ROUTE,
    ARCHITECTURE_ROUTE,
    FULL_SPEC_ROUTE,
    FROM_FEATURE_ROUTE,
    CODE_OPEN_FILE_ROUTE,
    CODE_EXPLAIN_ROUTE,
    CODE_TESTS_ROUTE,
    CODE_ENTRYPOINTS_ROUTE,
)
"""The base routes of the seeds, then what was added to them. The order in which rules try them is
that of `router.deterministic`."""


def find_route(routing_domain: str, intent: str, subintent: str) -> Route | None:
    """The row of a combination, or None when there is no such route."""
    key = (routing_domain, intent, subintent)
    return next((r for r in ROUTES if (r.routing_domain, r.intent, r.subintent) == key), None)
