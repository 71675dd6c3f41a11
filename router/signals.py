"""Signals of a route's anchors: what kind of document the question is after (seed 000, §6)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from docs_agent.core.routes import FIND_FILES, RouteResult

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


def anchor_signal_types(route: RouteResult) -> frozenset[str]:
    """The signals of a route: FIND_FILES, API_ENDPOINT, ARCHITECTURE, LOGIC_FLOW, DOMAIN_ENTITY.

    Differs from the seed in one thing: the marks are looked for as whole words and path segments
    of target_doc_hints, file_names and matched_aliases (cut at everything but letters and digits),
    where the seed looks for substrings. `docs/archive.md` is therefore not ARCHITECTURE ("arch")
    and `capital.md` not API_ENDPOINT ("api"). Domain and sub-domain give no signal, as in the seed.
    """
    anchors = route.anchors
    words = frozenset(_anchor_words(route))
    found = {signal for signal, mark in _MARKS if mark & words}
    if route.subintent == FIND_FILES:
        found.add(FIND_FILES)
    if anchors.endpoint_paths:
        found.add(API_ENDPOINT)
    if anchors.entity_names:
        found.add(DOMAIN_ENTITY)
    return frozenset(found)


def _anchor_words(route: RouteResult) -> Iterator[str]:
    anchors = route.anchors
    for text in (*anchors.target_doc_hints, *anchors.file_names, *anchors.matched_aliases):
        yield from re.findall(r"[^\W_]+", text.lower())
