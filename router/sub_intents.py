"""Rules of the further routes: one small rule each, in two ordered tuples.

A marker alone decides nothing here that the base rules would decide better: a rule also asks for
the anchor its answer is built upon, and leaves the question to the next rule without it.
"""

from __future__ import annotations

import re
from typing import Final

from docs_agent.router import confidence
from docs_agent.router.catalogue import (
    ARCHITECTURE_ROUTE,
    CODE_ENTRYPOINTS_ROUTE,
    CODE_EXPLAIN_ROUTE,
    CODE_OPEN_FILE_ROUTE,
    CODE_TESTS_ROUTE,
    COMPONENT_INTEGRATIONS_ROUTE,
    DOCUMENTS_BY_DOMAIN_ROUTE,
    ENTITY_INTEGRATIONS_ROUTE,
    ENTITY_LOOKUP_ROUTE,
    EXPLAIN_API_ROUTE,
    FROM_FEATURE_ROUTE,
    FULL_SPEC_ROUTE,
    LIST_API_METHODS_ROUTE,
    RELATED_DOCUMENTS_ROUTE,
    Route,
)
from docs_agent.router.confidence import Grade
from docs_agent.router.decision import Decision, Rule, quote, shorten
from docs_agent.router.features import Features
from docs_agent.router.signals import api_document, is_about_entity

_SOURCE_FILE: Final = re.compile(
    r"\w\.(?:py|pyi|js|jsx|mjs|ts|tsx|java|kt|go|rs|c|h|cc|cpp|hpp|cs|rb|php|scala|swift|lua|sh|sql)"
    r"(?:[:#]\w{1,20})?$",
    re.IGNORECASE,
)


def _code_open_file(features: Features) -> Decision | None:
    files = [c for c in features.question.chunks if _SOURCE_FILE.search(c)]
    if not files or not features.marked("code_open_file"):
        return None
    return _marked(features, CODE_OPEN_FILE_ROUTE, f"file {shorten(files[0])}")


def _code_tests(features: Features) -> Decision | None:
    return _marked(features, CODE_TESTS_ROUTE)


def _code_entrypoints(features: Features) -> Decision | None:
    return _marked(features, CODE_ENTRYPOINTS_ROUTE)


def _code_explain(features: Features) -> Decision | None:
    return _marked(features, CODE_EXPLAIN_ROUTE) or _code_of_a_name(features)


def _code_of_a_name(features: Features) -> Decision | None:
    """The code of what is called as in the code; the code of an error, of a country is another."""
    words = features.question.words
    cyrillic = any(word.is_cyrillic for word in words)
    for marker in features.marked("code_of"):
        after = words[marker.positions[-1] + 1 : marker.positions[-1] + 2]
        if any(w.is_identifier or "/" in w.form or (cyrillic and not w.is_cyrillic) for w in after):
            reason = f"code_of marker {quote(marker.phrase)}, name {shorten(after[0].text)}"
            return Decision(CODE_EXPLAIN_ROUTE, confidence.SUB_INTENT, reason)
    return None


def _full_spec(features: Features) -> Decision | None:
    return _marked(features, FULL_SPEC_ROUTE)


def _from_feature(features: Features) -> Decision | None:
    return _marked(features, FROM_FEATURE_ROUTE)


def _documents_by_domain(features: Features) -> Decision | None:
    anchors = features.anchors
    if anchors.process_domain or anchors.process_subdomain:
        known = anchors.process_domain or anchors.process_subdomain or ""
        kind = "domain" if anchors.process_domain else "sub-domain"
        return _marked(features, DOCUMENTS_BY_DOMAIN_ROUTE, f"{kind} {quote(known)}")
    return _unknown(features, DOCUMENTS_BY_DOMAIN_ROUTE, "domain")


def _entity_lookup(features: Features) -> Decision | None:
    if features.anchors.entity_names:
        entity = f"entity {shorten(features.anchors.entity_names[0])}"
        return _marked(features, ENTITY_LOOKUP_ROUTE, entity)
    if features.names.entity_page is not None:
        entity = f"entity {quote(features.names.entity_page.value)}"
        return _marked(features, ENTITY_LOOKUP_ROUTE, entity)
    if features.marked("domain"):
        return _unknown(features, ENTITY_LOOKUP_ROUTE, "entity")
    return None


def _related_documents(features: Features) -> Decision | None:
    anchors = features.anchors
    if anchors.target_doc_hints and not features.names.pages:
        document = f"document {shorten(anchors.target_doc_hints[0])}"
        return _marked(features, RELATED_DOCUMENTS_ROUTE, document)
    if features.marked("related_documents"):
        return _unknown(features, RELATED_DOCUMENTS_ROUTE, "document")
    return None


def _related_to_entity(features: Features) -> Decision | None:
    """What goes with an entity that has no page of its own: the places it is used."""
    relations = features.marked("relation")
    if not relations or not features.anchors.entity_names:
        return None
    entity = shorten(features.anchors.entity_names[0])
    reason = f"relation marker {quote(relations[0].phrase)}, entity {entity}"
    return Decision(ENTITY_LOOKUP_ROUTE, confidence.SUB_INTENT, reason)


def _explain_api(features: Features) -> Decision | None:
    paths = features.anchors.endpoint_paths
    if features.endpoints.known:
        return _marked(features, EXPLAIN_API_ROUTE, f"endpoint {shorten(paths[0])}")
    if paths:
        return _unknown(features, EXPLAIN_API_ROUTE, f"endpoint {shorten(paths[0])}")
    hint = api_document(features.anchors)
    if hint:
        document = f"document {shorten(hint)}"
        return _marked(features, EXPLAIN_API_ROUTE, document)
    return None


def _list_api_methods(features: Features) -> Decision | None:
    return _narrowed(features, LIST_API_METHODS_ROUTE)


def _integrations(features: Features) -> Decision | None:
    if is_about_entity(features.anchors) or features.marked("domain"):
        entities = features.anchors.entity_names
        if not entities:
            return _unknown(features, ENTITY_INTEGRATIONS_ROUTE, "entity")
        return _marked(features, ENTITY_INTEGRATIONS_ROUTE, f"entity {shorten(entities[0])}")
    return _narrowed(features, COMPONENT_INTEGRATIONS_ROUTE)


def _architecture(features: Features) -> Decision | None:
    return _marked(features, ARCHITECTURE_ROUTE)


EARLY_RULES: Final[tuple[Rule, ...]] = (
    _code_open_file,
    _code_tests,
    _code_entrypoints,
    _code_explain,
    _full_spec,
    _from_feature,
    _documents_by_domain,
    _entity_lookup,
    _related_documents,
    _related_to_entity,
)
"""Before FIND_FILES: "which documents of the domain" asks for documents too, but not for those that
say something."""

LATE_RULES: Final[tuple[Rule, ...]] = (
    _explain_api,
    _list_api_methods,
    _architecture,
    _integrations,
)
"""After FIND_FILES: "which file describes the integrations" asks for a file."""


def _narrowed(features: Features, route: Route) -> Decision | None:
    """A list, of all or of what the question narrows it to."""
    anchors = features.anchors
    if features.endpoints.known or (anchors.target_doc_hints and not features.names.pages):
        return _marked(features, route, f"document {shorten(anchors.target_doc_hints[0])}")
    domain = anchors.process_domain or anchors.process_subdomain
    if domain:
        return _marked(features, route, f"domain {quote(domain)}")
    if features.target_terms:
        about = f"about {quote(features.target_terms[0])}"
        return _decision(features, route, confidence.SUB_INTENT_UNKNOWN, about)
    return _marked(features, route)


def _marked(features: Features, route: Route, anchor: str = "") -> Decision | None:
    """The route when one of its markers is there."""
    return _decision(features, route, confidence.SUB_INTENT, anchor)


def _unknown(features: Features, route: Route, what: str) -> Decision | None:
    """The same for a question whose anchor the index does not know."""
    term = features.target_terms[0] if features.target_terms else ""
    if term and term not in what:
        what = f"{what} {quote(term)}"
    return _decision(features, route, confidence.SUB_INTENT_UNKNOWN, f"unknown {what}")


def _decision(features: Features, route: Route, grade: Grade, anchor: str) -> Decision | None:
    for marker in features.marked(*route.markers):
        reason = f"{marker.group} marker {quote(marker.phrase)}"
        return Decision(route, grade, f"{reason}, {anchor}" if anchor else reason)
    return None
