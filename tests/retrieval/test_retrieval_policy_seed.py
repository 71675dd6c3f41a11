"""Plans worked out by hand: base routes to the letter of the seed, the others by their layers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from docs_agent.core.routes import RouteAnchors, RouteResult
from docs_agent.retrieval.policy import resolve
from docs_agent.router.catalogue import EXPLAIN_ROUTE, FILES_ROUTE, GENERAL_ROUTE, ROUTES
from docs_agent.router.signals import anchor_signal_types

_FOLDER = Path(__file__).parent / "cases"
_SEED = yaml.safe_load((_FOLDER / "policy-seed.yml").read_text(encoding="utf-8"))
_LAYERS = yaml.safe_load((_FOLDER / "policy-layers.yml").read_text(encoding="utf-8"))["layers"]
_BASE = {"summary": EXPLAIN_ROUTE, "files": FILES_ROUTE, "general": GENERAL_ROUTE}
_FURTHER = {row.name: row for row in ROUTES if row not in _BASE.values()}
_EVERY_ANCHOR = RouteAnchors(
    ("Invoice",),
    ("docs/notes.md",),
    ("/invoices",),
    ("docs/logic/invoice.md",),
    ("счёт",),
    "billing",
    "invoices",
)


def _route(case: dict[str, Any]) -> RouteResult:
    anchors = {
        key: tuple(value) if isinstance(value, list) else value
        for key, value in case.get("anchors", {}).items()
    }
    row = _BASE[case.get("route", "summary")]
    return RouteResult(
        row.routing_domain, row.intent, row.subintent, "q", "q", anchors=RouteAnchors(**anchors)
    )


@pytest.mark.parametrize("case", _SEED["cases"], ids=lambda case: case["name"])
def test_plan_of_a_base_route_is_the_one_of_the_seed(case: dict[str, Any]) -> None:
    route = _route(case)
    plan = resolve(route)
    row = _SEED["profiles"][case["profile"]]
    assert (plan.profile, list(plan.layers), plan.limit) == (
        case["profile"],
        row["layers"],
        row["limit"],
    )
    actual = {k: list(v) if isinstance(v, tuple) else v for k, v in plan.filters.items()}
    assert actual == case["filters"]
    if "signals" in case:
        assert sorted(anchor_signal_types(route)) == case["signals"]


def test_every_profile_of_the_seed_has_a_case() -> None:
    assert {case["profile"] for case in _SEED["cases"]} == set(_SEED["profiles"])


def test_every_further_route_has_its_layers_written_down() -> None:
    assert set(_FURTHER) == set(_LAYERS)


@pytest.mark.parametrize("anchors", [RouteAnchors(), _EVERY_ANCHOR], ids=["bare", "full"])
@pytest.mark.parametrize("name", sorted(_LAYERS))
def test_further_route_reads_its_own_layers(name: str, anchors: RouteAnchors) -> None:
    row = _FURTHER[name]
    plan = resolve(
        RouteResult(row.routing_domain, row.intent, row.subintent, "q", "q", anchors=anchors)
    )
    assert (plan.profile, list(plan.layers)) == (
        _LAYERS[name]["profile"],
        _LAYERS[name]["layers"],
    )
    assert plan.filters["target_doc_hints"] == anchors.target_doc_hints
