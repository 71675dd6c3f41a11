"""Routes and plans, as JSON (the contract of `--json`) and as lines."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Final

from docs_agent.cli.lines import Line, columns, plain
from docs_agent.core.routes import RouteResult
from docs_agent.router.signals import anchor_signal_types

if TYPE_CHECKING:
    from docs_agent.core.plans import RetrievalPlan

DEFAULT_ROOT: Final = "docs"
"""Under this name a plan speaks of all docs roots."""
_HARD = ("path_prefixes", "metadata.domain", "metadata.subdomain")


def route_json(route: RouteResult) -> dict[str, Any]:
    """The fields of RouteResult, plus `signal_types`."""
    value = asdict(route)
    value["anchors"] = {key: _jsonable(item) for key, item in value["anchors"].items()}
    value["target_terms"] = list(route.target_terms)
    value["confidence"] = round(route.confidence, 3)
    value["signal_types"] = sorted(anchor_signal_types(route))
    return value


def plan_json(plan: RetrievalPlan) -> dict[str, Any]:
    """The four fields of RetrievalPlan."""
    return {
        "profile": plan.profile,
        "layers": list(plan.layers),
        "limit": plan.limit,
        "filters": {key: _jsonable(value) for key, value in plan.filters.items()},
    }


def route_lines(route: RouteResult) -> list[Line]:
    """The decision, then the anchors that are not empty."""
    rows = [
        ("route", _path(route)),
        (
            "reason",
            f"{route.routing_mode}, confidence {route.confidence:.2f}: {route.reason_short}",
        ),
    ]
    if route.target_terms:
        rows.append(("terms", ", ".join(route.target_terms)))
    rows.extend(_anchor_rows(asdict(route.anchors)))
    if signals := sorted(anchor_signal_types(route)):
        rows.append(("signals", ", ".join(signals)))
    return [plain(line) for line in columns(rows)]


def plan_lines(
    route: RouteResult, plan: RetrievalPlan, docs_roots: tuple[str, ...] = ()
) -> list[Line]:
    """The route in one line, then profile, layers and filters; what `docs/` stands for where the
    documentation lies elsewhere."""
    rows = [
        (
            "route",
            f"{_path(route)}   {route.routing_mode}, confidence {route.confidence:.2f}:"
            f" {route.reason_short}",
        ),
        ("profile", plan.profile),
        ("layers", f"{' → '.join(plan.layers)}   limit {plan.limit}"),
    ]
    filters = [
        (name, _shown(value) + ("   (hard)" if name in _HARD else ""))
        for name, value in plan.filters.items()
        if value
    ]
    shown = columns(filters)
    rows.extend(("filters" if i == 0 else "", line) for i, line in enumerate(shown))
    if docs_roots and docs_roots != (DEFAULT_ROOT,) and _speaks_of_docs(plan):
        places = ", ".join("the project root" if top == "." else f"{top}/" for top in docs_roots)
        rows.append(("", f"docs/ = {places}"))
    return [plain(line) for line in columns(rows)]


def _speaks_of_docs(plan: RetrievalPlan) -> bool:
    values = (v for f in plan.filters.values() for v in ((f,) if isinstance(f, str) else f))
    return any(value.startswith(f"{DEFAULT_ROOT}/") for value in values)


def _path(route: RouteResult) -> str:
    return f"{route.routing_domain} › {route.intent} › {route.subintent}"


def _anchor_rows(anchors: Mapping[str, Any]) -> list[tuple[str, str]]:
    return [(name, _shown(value)) for name, value in anchors.items() if value]


def _shown(value: Any) -> str:
    return value if isinstance(value, str) else ", ".join(value)


def _jsonable(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value
