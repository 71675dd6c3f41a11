"""Signals of a route's anchors: what kind of document the question is after (seed 000, §6)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from docs_agent.core import routes
from docs_agent.core.routes import FIND_FILES, RouteAnchors, RouteResult
from docs_agent.core.text import name_key

API_ENDPOINT: Final = "API_ENDPOINT"
ARCHITECTURE: Final = "ARCHITECTURE"
LOGIC_FLOW: Final = "LOGIC_FLOW"
DOMAIN_ENTITY: Final = "DOMAIN_ENTITY"

# The seed's marks, singular and plural; each stands for a whole word or path segment. The Russian
# words let a Russian alias say what an English one says.
_MARKS: Final = (
    (API_ENDPOINT, frozenset(["api", "apis", "endpoint", "endpoints", "эндпоинт", "эндпоинты"])),
    (ARCHITECTURE, frozenset(["architecture", "architectures", "arch", "архитектура"])),
    (
        LOGIC_FLOW,
        frozenset(
            [
                "logic",
                "workflow",
                "workflows",
                "flow",
                "flows",
                "process",
                "processes",
                "логика",
                "процесс",
            ]
        ),
    ),
    (
        DOMAIN_ENTITY,
        frozenset(
            [
                "domain",
                "domains",
                "entity",
                "entities",
                "component",
                "components",
                "домен",
                "сущность",
                "сущности",
                "компонент",
                "компоненты",
            ]
        ),
    ),
)
# Routes beside the seed's three that say by themselves what kind of document they are after.
_ROUTE_SIGNALS: Final = {
    (routes.DOC_EXPLAIN, routes.EXPLAIN_API): API_ENDPOINT,
    (routes.DOC_DISCOVERY, routes.LIST_API_METHODS): API_ENDPOINT,
    (routes.DOC_DISCOVERY, routes.DOC_ENTITY_LOOKUP): DOMAIN_ENTITY,
    (routes.DOC_EXPLAIN, routes.ENTITY_INTEGRATIONS): DOMAIN_ENTITY,
    (routes.ARCHITECTURE, routes.SUMMARY): ARCHITECTURE,
}


def anchor_signal_types(route: RouteResult) -> frozenset[str]:
    """The signals of a route: FIND_FILES, API_ENDPOINT, ARCHITECTURE, LOGIC_FLOW, DOMAIN_ENTITY.

    Differs from the seed in one thing: the marks are looked for as whole words and path segments
    of target_doc_hints, file_names and matched_aliases (cut at everything but letters and digits),
    where the seed looks for substrings. `docs/archive.md` is therefore not ARCHITECTURE ("arch")
    and `capital.md` not API_ENDPOINT ("api"). Domain and sub-domain give no signal, as in the seed.
    A route that is none of the seed's three adds the signal of what it is after.
    """
    anchors = route.anchors
    words = frozenset(_anchor_words(anchors))
    found = {signal for signal, mark in _MARKS if mark & words}
    if route.subintent == FIND_FILES:
        found.add(FIND_FILES)
    own = _ROUTE_SIGNALS.get((route.intent, route.subintent))
    if own is not None:
        found.add(own)
    if anchors.endpoint_paths:
        found.add(API_ENDPOINT)
    if anchors.entity_names:
        found.add(DOMAIN_ENTITY)
    return frozenset(found)


def api_document(anchors: RouteAnchors) -> str:
    """The first of the documents that are meant which is one of an API method, by its path."""
    return next((hint for hint in anchors.target_doc_hints if _is_marked(API_ENDPOINT, [hint])), "")


def is_about_entity(anchors: RouteAnchors) -> bool:
    """Whether the subject is an entity: one is named, and not as the name of some other page.

    "Delivery loop" may be an entity and the title of a page on logic; then the page is meant. The
    page of the entity itself, marked as such by its path, makes no difference.
    """
    if not anchors.entity_names:
        return False
    pages = {name_key(alias) for alias in anchors.matched_aliases}
    named = {name_key(entity) for entity in anchors.entity_names}
    if named.isdisjoint(pages):
        return True
    return _is_marked(DOMAIN_ENTITY, anchors.target_doc_hints[:1])


def _is_marked(signal: str, texts: Iterable[str]) -> bool:
    mark = next(mark for name, mark in _MARKS if name == signal)
    return not mark.isdisjoint(_words(texts))


def _anchor_words(anchors: RouteAnchors) -> Iterator[str]:
    return _words((*anchors.target_doc_hints, *anchors.file_names, *anchors.matched_aliases))


def _words(texts: Iterable[str]) -> Iterator[str]:
    for text in texts:
        yield from re.findall(r"[^\W_]+", text.lower())
