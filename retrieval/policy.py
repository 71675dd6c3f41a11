"""From a route to the one plan that serves it (seed "V2RetrievalPolicyResolver", §4–§10)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from docs_agent.core.layers import D0, D1, D2, D3, D4, D5
from docs_agent.core.plans import FilterValue, RetrievalPlan
from docs_agent.core.routes import FIND_FILES, GENERAL_QA, RouteAnchors, RouteResult
from docs_agent.router.signals import (
    API_ENDPOINT,
    ARCHITECTURE,
    DOMAIN_ENTITY,
    LOGIC_FLOW,
    anchor_signal_types,
)


class Profile(NamedTuple):
    """One row of the seed's §8."""

    name: str
    layers: tuple[str, ...]
    """In order of preference."""
    limit: int
    """Rows handed on to evidence."""


GENERAL_PROFILE: Final = Profile("general_qa_grounded_summary", (D1, D0), 8)
FILE_PROFILE: Final = Profile("file_lookup", (D1, D3), 12)
GENERIC_PROFILE: Final = Profile("docs_summary_generic", (D1, D0), 8)
SUMMARY_PROFILES: Final = {
    API_ENDPOINT: Profile("docs_summary_api_endpoint", (D1, D2, D0), 8),
    ARCHITECTURE: Profile("docs_summary_architecture", (D1, D5, D0), 8),
    LOGIC_FLOW: Profile("docs_summary_logic_flow", (D4, D1, D0), 8),
    DOMAIN_ENTITY: Profile("docs_summary_domain_entity", (D3, D1, D0), 8),
}
PROFILES: Final = (GENERAL_PROFILE, FILE_PROFILE, GENERIC_PROFILE, *SUMMARY_PROFILES.values())

_ROOT: Final = "docs/"
_API_PREFIXES: Final = ("docs/api/", _ROOT)
_GENERAL_PREFIXES: Final = ("docs/architecture/", _ROOT)
_GENERAL_PATTERNS: Final = ("%readme.md%", "%overview%")
_DOMAIN_PREFIXES: Final = ("docs/domains/", "docs/logic/")

# §9, in the order in which several signals are merged.
_SUMMARY_PREFIXES: Final = (
    (API_ENDPOINT, _API_PREFIXES),
    (ARCHITECTURE, ("docs/architecture/", _ROOT)),
    (LOGIC_FLOW, ("docs/logic/", "docs/architecture/", _ROOT)),
    (DOMAIN_ENTITY, ("docs/domains/", _ROOT, "docs/api/")),
)
_FILE_PREFIXES: Final = (
    (API_ENDPOINT, _API_PREFIXES),
    (ARCHITECTURE, ("docs/architecture/", _ROOT)),
    (LOGIC_FLOW, ("docs/logic/", _ROOT)),
    (DOMAIN_ENTITY, ("docs/domains/", _ROOT)),
)


def resolve(route: RouteResult) -> RetrievalPlan:
    """Exactly one valid plan for any route; the same route gives the same plan.

    GENERAL_QA goes before FIND_FILES, everything else is a summary. No look-ups, no ranking, and
    the route stays as it is. LIKE wildcards inside a term are left as written: escaping them is
    the business of whoever speaks SQL.
    """
    if route.intent == GENERAL_QA:
        return _plan(GENERAL_PROFILE, _general_filters(route.anchors))
    if route.subintent == FIND_FILES:
        return _plan(FILE_PROFILE, _file_filters(route))
    return _plan(_summary_profile(route), _summary_filters(route))


def _plan(profile: Profile, filters: dict[str, FilterValue]) -> RetrievalPlan:
    return RetrievalPlan(profile.name, profile.layers, profile.limit, filters)


def _summary_profile(route: RouteResult) -> Profile:
    """§7: one meaningful signal has its profile; none or several make the question generic."""
    meaningful = anchor_signal_types(route) - {FIND_FILES}
    if len(meaningful) != 1:
        return GENERIC_PROFILE
    return SUMMARY_PROFILES[next(iter(meaningful))]


def _general_filters(anchors: RouteAnchors) -> dict[str, FilterValue]:
    return {
        "prefer_path_prefixes": _GENERAL_PREFIXES,
        "prefer_like_patterns": _GENERAL_PATTERNS,
        "target_doc_hints": anchors.target_doc_hints,
    }


def _summary_filters(route: RouteResult) -> dict[str, FilterValue]:
    signals = anchor_signal_types(route)
    filters = _common_filters(route.anchors)
    if API_ENDPOINT in signals:
        filters["path_prefixes"] = _API_PREFIXES
    filters["prefer_path_prefixes"] = _merged(_SUMMARY_PREFIXES, signals)
    filters["prefer_like_patterns"] = _patterns(_anchor_terms(route.anchors))
    return filters


def _file_filters(route: RouteResult) -> dict[str, FilterValue]:
    anchors = route.anchors
    prefixes = _file_prefixes(route)
    preferred = prefixes
    if anchors.process_domain or anchors.process_subdomain:
        preferred = _distinct((*prefixes, *_DOMAIN_PREFIXES))
    hints = _basenames(anchors.target_doc_hints)
    filters = _common_filters(anchors)
    filters["path_prefixes"] = prefixes
    filters["prefer_path_prefixes"] = preferred
    filters["prefer_like_patterns"] = _patterns(hints or _anchor_terms(anchors))
    return filters


def _common_filters(anchors: RouteAnchors) -> dict[str, FilterValue]:
    filters: dict[str, FilterValue] = {"target_doc_hints": anchors.target_doc_hints}
    if anchors.process_domain:
        filters["metadata.domain"] = anchors.process_domain
    if anchors.process_subdomain:
        filters["metadata.subdomain"] = anchors.process_subdomain
    return filters


def _file_prefixes(route: RouteResult) -> tuple[str, ...]:
    """§9, in falling priority: folders of hints, folders of named docs files, signals, all docs."""
    anchors = route.anchors
    named = (name for name in anchors.file_names if name.lower().startswith(_ROOT))
    return (
        _folders(anchors.target_doc_hints)
        or _folders(named)
        or _merged(_FILE_PREFIXES, anchor_signal_types(route))
    )


def _merged(
    table: tuple[tuple[str, tuple[str, ...]], ...], signals: frozenset[str]
) -> tuple[str, ...]:
    """Prefixes of all signals in the order of the table; all docs when there is no signal."""
    found = _distinct(prefix for signal, row in table if signal in signals for prefix in row)
    return found or (_ROOT,)


def _folders(paths: Iterable[str]) -> tuple[str, ...]:
    """Folders of paths, each with its closing slash; a path without a folder gives none."""
    folders = (path[: path.rfind("/") + 1] for path in paths)
    return _distinct(folder for folder in folders if folder.strip("/"))


def _basenames(paths: Iterable[str]) -> tuple[str, ...]:
    names = (path.rstrip("/").rpartition("/")[2] for path in paths)
    return tuple(name for name in names if name)


def _anchor_terms(anchors: RouteAnchors) -> Iterator[str]:
    """§5: what the ranking should prefer, in the seed's order of sources."""
    yield from _basenames(anchors.target_doc_hints)
    yield from anchors.endpoint_paths
    yield from anchors.file_names
    yield from anchors.entity_names
    yield from anchors.matched_aliases
    yield anchors.process_domain or ""
    yield anchors.process_subdomain or ""


def _patterns(terms: Iterable[str]) -> tuple[str, ...]:
    return _distinct(f"%{term}%" for term in (t.strip().lower() for t in terms) if term)


def _distinct(values: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(values))
