"""The routes there are, in one table that can be read."""

from __future__ import annotations

from typing import Final, NamedTuple

from docs_agent.core.routes import DOC_EXPLAIN, DOCS, FIND_FILES, GENERAL, GENERAL_QA, SUMMARY


class Route(NamedTuple):
    """One row: a place a question can go to."""

    routing_domain: str
    intent: str
    subintent: str
    markers: tuple[str, ...]
    """Groups of `markers.toml` whose presence in a question speaks for this route."""


FILES_ROUTE: Final = Route(DOCS, DOC_EXPLAIN, FIND_FILES, ("file",))
EXPLAIN_ROUTE: Final = Route(
    DOCS, DOC_EXPLAIN, SUMMARY, ("endpoint", "architecture", "integration", "logic", "domain")
)
GENERAL_ROUTE: Final = Route(GENERAL, GENERAL_QA, SUMMARY, ("greeting", "general"))

ROUTES: Final = (FILES_ROUTE, EXPLAIN_ROUTE, GENERAL_ROUTE)
"""In the order in which the deterministic rules try them (seed 003, §5)."""


def find_route(routing_domain: str, intent: str, subintent: str) -> Route | None:
    """The row of a combination, or None when there is no such route."""
    key = (routing_domain, intent, subintent)
    return next((r for r in ROUTES if (r.routing_domain, r.intent, r.subintent) == key), None)
