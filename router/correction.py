"""What the question itself says against a language model's proposal."""

from __future__ import annotations

from typing import Final, NamedTuple

from docs_agent.core.routes import CODE_QA, DOC_GENERATION, OPENAPI_GENERATION
from docs_agent.router.catalogue import (
    ARCHITECTURE_ROUTE,
    COMPONENT_INTEGRATIONS_ROUTE,
    EXPLAIN_ROUTE,
    FILES_ROUTE,
    LIST_API_METHODS_ROUTE,
    Need,
    Route,
)
from docs_agent.router.decision import Decision
from docs_agent.router.features import Features

# Routes of these can only be refused until their engines exist.
_UNAVAILABLE: Final = (OPENAPI_GENERATION, DOC_GENERATION, CODE_QA)
# Lists that need no anchor, with the marker groups beside their own that speak for one.
_LISTS: Final = {
    LIST_API_METHODS_ROUTE: ("endpoint", "endpoint_noun", "method_noun"),
    COMPONENT_INTEGRATIONS_ROUTE: (
        "relation",
        "components",
        "kind_http",
        "kind_rpc",
        "kind_queue",
        "kind_websocket",
        "kind_external_system",
    ),
    ARCHITECTURE_ROUTE: ("architecture",),
}


class Correction(NamedTuple):
    """The route that is taken in place of the proposed one."""

    route: Route
    reason: str
    """One line."""


def correct(
    proposed: Route, features: Features, rules: Decision | None, *, rules_first: bool = False
) -> Correction | None:
    """The correction of a proposed route, or None when it stays. `rules` is what the rules say.

    A question that asks for a file stays FIND_FILES (seed 004, `router.py`). A route that needs an
    anchor the question lacks becomes its base route, and so does one that could only be refused
    when the question has no marker of it; what the rules decided themselves needs neither.
    rules_first: a list for which nothing in the question speaks does not take the place of what the
    rules are merely unsure of.
    """
    if rules is not None and rules.route == proposed:
        return None
    if rules is not None and rules.route == FILES_ROUTE:
        return Correction(FILES_ROUTE, rules.reason)
    if not _has(proposed.needs, features):
        return Correction(EXPLAIN_ROUTE, f"no {proposed.needs} named")
    if proposed.intent in _UNAVAILABLE and not features.marked(*proposed.markers):
        return Correction(EXPLAIN_ROUTE, "not asked for in so many words")
    if rules_first and rules is not None and not _is_supported(proposed, features):
        return Correction(rules.route, f"no sign of {proposed.subintent}, {rules.reason}")
    return None


def _is_supported(proposed: Route, features: Features) -> bool:
    """Whether anything in the question speaks for the list, where one is proposed."""
    akin = _LISTS.get(proposed)
    if akin is None or features.marked(*proposed.markers, *akin):
        return True
    return proposed == LIST_API_METHODS_ROUTE and bool(features.anchors.endpoint_paths)


def _has(need: Need, features: Features) -> bool:
    anchors = features.anchors
    found: dict[Need, object] = {
        "nothing": True,
        "endpoint": anchors.endpoint_paths,
        "entity": anchors.entity_names,
        "document": anchors.target_doc_hints,
        "domain": anchors.process_domain or anchors.process_subdomain,
    }
    return bool(found[need])
