"""The policy against the tables of its seed, and its invariants over any route."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from docs_agent.core.layers import DOCS_LAYERS
from docs_agent.core.routes import (
    DOC_EXPLAIN,
    DOCS,
    FIND_FILES,
    GENERAL,
    GENERAL_QA,
    SUMMARY,
    RouteAnchors,
    RouteResult,
)
from docs_agent.retrieval.policy import resolve
from docs_agent.retrieval.policy_profiles import PROFILES, SUBINTENT_POLICIES
from docs_agent.router.catalogue import ROUTES
from docs_agent.router.signals import anchor_signal_types

_DATA = yaml.safe_load((Path(__file__).parent / "cases/policy.yml").read_text(encoding="utf-8"))
_ROUTES = {
    "summary": (DOCS, DOC_EXPLAIN, SUMMARY),
    "files": (DOCS, DOC_EXPLAIN, FIND_FILES),
    "general": (GENERAL, GENERAL_QA, SUMMARY),
    "general files": (GENERAL, GENERAL_QA, FIND_FILES),
}


def _route(case: dict[str, Any]) -> RouteResult:
    anchors = {
        key: tuple(value) if isinstance(value, list) else value
        for key, value in case.get("anchors", {}).items()
    }
    named = case.get("route", "summary")
    triple = _ROUTES[named] if isinstance(named, str) else tuple(named)
    return RouteResult(*triple, "q", "q", anchors=RouteAnchors(**anchors))


@pytest.mark.parametrize("case", _DATA["cases"], ids=lambda case: case["name"])
def test_plan_is_the_one_of_the_table(case: dict[str, Any]) -> None:
    plan = resolve(_route(case))
    row = _DATA["profiles"][case["profile"]]
    assert plan.profile == case["profile"]
    assert list(plan.layers) == row["layers"]
    assert plan.limit == row["limit"]
    actual = {k: list(v) if isinstance(v, tuple) else v for k, v in plan.filters.items()}
    assert actual == case["filters"]
    if "signals" in case:
        assert sorted(anchor_signal_types(_route(case))) == case["signals"]


def test_every_profile_of_the_table_exists_and_has_a_case() -> None:
    names = {profile.name for profile in PROFILES}
    assert names == set(_DATA["profiles"])
    assert names == {case["profile"] for case in _DATA["cases"]}


_TEXT = st.text(max_size=12) | st.sampled_from(
    ["docs/api/x.md", "docs/architecture/a.md", "логика", "API", "/", "docs//x", "a/../b.md", "%_"]
)
_MANY = st.lists(_TEXT, max_size=3).map(tuple)
_ANCHORS = st.builds(
    RouteAnchors, _MANY, _MANY, _MANY, _MANY, _MANY, st.none() | _TEXT, st.none() | _TEXT
)
_ANY_ROUTE = st.builds(
    RouteResult,
    routing_domain=st.sampled_from([DOCS, GENERAL]) | _TEXT,
    intent=st.sampled_from([DOC_EXPLAIN, GENERAL_QA]) | _TEXT,
    subintent=st.sampled_from([SUMMARY, FIND_FILES]) | _TEXT,
    user_query=_TEXT,
    normalized_query=_TEXT,
    target_terms=_MANY,
    anchors=_ANCHORS,
)
_CATALOGUE_ROUTE = st.builds(
    lambda row, anchors, terms: RouteResult(
        row.routing_domain, row.intent, row.subintent, "q", "q", terms, anchors
    ),
    st.sampled_from(ROUTES),
    _ANCHORS,
    _MANY,
)
_KEYS = {
    "target_doc_hints",
    "metadata.domain",
    "metadata.subdomain",
    "path_prefixes",
    "prefer_path_prefixes",
    "prefer_like_patterns",
}


@given(_ANY_ROUTE | _CATALOGUE_ROUTE)
@settings(derandomize=True, deadline=None, max_examples=200)
def test_any_route_has_exactly_one_valid_plan(route: RouteResult) -> None:
    plan = resolve(route)
    assert plan == resolve(route)
    assert any(
        (plan.profile, plan.layers, plan.limit) == (p.name, p.layers, p.limit) for p in PROFILES
    )
    assert set(plan.layers) <= set(DOCS_LAYERS)
    assert set(plan.filters) <= _KEYS
    for key, value in plan.filters.items():
        if key.startswith("metadata."):
            assert isinstance(value, str)
            assert value
        else:
            assert isinstance(value, tuple)
            if key != "target_doc_hints":
                assert len(set(value)) == len(value)
    assert plan.filters["target_doc_hints"] == route.anchors.target_doc_hints
    assert plan.filters["prefer_path_prefixes"]


@given(_ANY_ROUTE)
@settings(derandomize=True, deadline=None, max_examples=100)
def test_general_stays_general_and_find_files_stays_file_lookup(route: RouteResult) -> None:
    plan = resolve(route)
    if route.intent == GENERAL_QA:
        assert plan.profile == "general_qa_grounded_summary"
        assert "path_prefixes" not in plan.filters
    elif route.subintent == FIND_FILES:
        assert plan.profile == "file_lookup"
        assert plan.filters["path_prefixes"]
    else:
        assert plan.profile.startswith("docs_summary_")


@given(_ANY_ROUTE, _MANY)
@settings(derandomize=True, deadline=None, max_examples=50)
def test_target_terms_do_not_change_the_plan(route: RouteResult, terms: tuple[str, ...]) -> None:
    assert resolve(route) == resolve(replace(route, target_terms=terms, confidence=0.1))


@given(_CATALOGUE_ROUTE)
@settings(derandomize=True, deadline=None, max_examples=100)
def test_a_route_of_the_catalogue_has_the_profile_of_its_row_whatever_its_anchors(
    route: RouteResult,
) -> None:
    rows = [
        policy
        for policy in SUBINTENT_POLICIES
        if policy.intent == route.intent and route.subintent in policy.subintents
    ]
    plan = resolve(route)
    base = (DOC_EXPLAIN, SUMMARY), (DOC_EXPLAIN, FIND_FILES), (GENERAL_QA, SUMMARY)
    assert len(rows) == (0 if (route.intent, route.subintent) in base else 1)
    for policy in rows:
        assert plan.profile == policy.profile.name
        assert plan.filters["prefer_path_prefixes"] == policy.prefer_path_prefixes
    assert plan.filters.get("metadata.domain", "") == (
        (route.anchors.process_domain or "") if route.intent != GENERAL_QA else ""
    )


def test_every_subintent_with_a_policy_is_a_route_of_the_catalogue() -> None:
    routes = {(route.intent, route.subintent) for route in ROUTES}
    planned = [(p.intent, s) for p in SUBINTENT_POLICIES for s in p.subintents]
    assert len(planned) == len(set(planned))
    assert set(planned) <= routes
