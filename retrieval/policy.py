"""From a route to the one plan that serves it (seed "V2RetrievalPolicyResolver", §4–§10)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from docs_agent.core.plans import FilterValue, RetrievalPlan
from docs_agent.core.routes import FIND_FILES, GENERAL_QA, RouteAnchors, RouteResult
from docs_agent.retrieval.policy_profiles import (
    API_PREFIXES,
    ARCHITECTURE_PREFIXES,
    DOMAIN_PREFIXES,
    ENTITY_PREFIXES,
    FILE_PROFILE,
    GENERAL_PROFILE,
    GENERIC_PROFILE,
    ROOT,
    SUMMARY_PROFILES,
    Profile,
    SubintentPolicy,
    subintent_policy,
)
from docs_agent.router.signals import (
    API_ENDPOINT,
    ARCHITECTURE,
    DOMAIN_ENTITY,
    LOGIC_FLOW,
    anchor_signal_types,
)

_GENERAL_PATTERNS: Final = ("%readme.md%", "%overview%")

# §9, in the order in which several signals are merged.
_SUMMARY_PREFIXES: Final = (
    (API_ENDPOINT, API_PREFIXES),
    (ARCHITECTURE, ARCHITECTURE_PREFIXES),
    (LOGIC_FLOW, ("docs/logic/", "docs/architecture/", ROOT)),
    (DOMAIN_ENTITY, ENTITY_PREFIXES),
)
_FILE_PREFIXES: Final = (
    (API_ENDPOINT, API_PREFIXES),
    (ARCHITECTURE, ARCHITECTURE_PREFIXES),
    (LOGIC_FLOW, ("docs/logic/", ROOT)),
    (DOMAIN_ENTITY, ("docs/domains/", ROOT)),
)


def resolve(route: RouteResult) -> RetrievalPlan:
    """Exactly one valid plan for any route; the same route gives the same plan.

    GENERAL_QA goes before FIND_FILES, then the further sub-intents by their table; everything else
    is a summary. No look-ups, no ranking, and the route stays as it is. LIKE wildcards inside a
    term are left as written: escaping them is the business of whoever speaks SQL.
    """
    if route.intent == GENERAL_QA:
        return _plan(GENERAL_PROFILE, _general_filters(route.anchors))
    if route.subintent == FIND_FILES:
        return _plan(FILE_PROFILE, _file_filters(route))
    policy = subintent_policy(route.intent, route.subintent)
    if policy is not None:
        return _plan(policy.profile, _subintent_filters(policy, route.anchors))
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
        "prefer_path_prefixes": ARCHITECTURE_PREFIXES,
        "prefer_like_patterns": _GENERAL_PATTERNS,
        "target_doc_hints": anchors.target_doc_hints,
    }


def _summary_filters(route: RouteResult) -> dict[str, FilterValue]:
    signals = anchor_signal_types(route)
    filters = _common_filters(route.anchors)
    if API_ENDPOINT in signals:
        filters["path_prefixes"] = API_PREFIXES
    filters["prefer_path_prefixes"] = _merged(_SUMMARY_PREFIXES, signals)
    filters["prefer_like_patterns"] = _patterns(_anchor_terms(route.anchors))
    return filters


def _file_filters(route: RouteResult) -> dict[str, FilterValue]:
    anchors = route.anchors
    prefixes = _file_prefixes(route)
    preferred = prefixes
    if anchors.process_domain or anchors.process_subdomain:
        preferred = _distinct((*prefixes, *DOMAIN_PREFIXES))
    hints = _basenames(anchors.target_doc_hints)
    filters = _common_filters(anchors)
    filters["path_prefixes"] = prefixes
    filters["prefer_path_prefixes"] = preferred
    filters["prefer_like_patterns"] = _patterns(hints or _anchor_terms(anchors))
    return filters


def _subintent_filters(policy: SubintentPolicy, anchors: RouteAnchors) -> dict[str, FilterValue]:
    filters = _common_filters(anchors)
    if policy.path_prefixes:
        filters["path_prefixes"] = policy.path_prefixes
    filters["prefer_path_prefixes"] = policy.prefer_path_prefixes
    filters["prefer_like_patterns"] = _patterns(_anchor_terms(anchors))
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
    named = (name for name in anchors.file_names if name.lower().startswith(ROOT))
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
    return found or (ROOT,)


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
