"""Every case under `cases/`: a question, what is known, and the fields of the route it must get."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from memory_knowledge import from_description

from docs_agent.core.router_config import RouterConfig
from docs_agent.core.routes import RouteResult
from docs_agent.retrieval.policy import resolve
from docs_agent.router.catalogue import ROUTES
from docs_agent.router.question import looked_at
from docs_agent.router.route import route

_CASES = Path(__file__).parent / "cases"
_ROUTES = {row.name: row for row in ROUTES}


def _cases() -> list[Any]:
    found = []
    for path in sorted(_CASES.glob("*.yml")):
        data = yaml.safe_load(path.read_text(encoding="utf-8"))
        for number, case in enumerate(data["cases"], 1):
            name = f"{path.stem}-{number}-{case['query'][:50]!r}"
            found.append(pytest.param(data["knowledge"], case, id=name))
    return found


def _actual(result: RouteResult, wanted: str) -> object:
    anchors = result.anchors
    return {
        "mode": result.routing_mode,
        "confidence": result.confidence,
        "reason": result.reason_short,
        "terms": list(result.target_terms),
        "endpoints": list(anchors.endpoint_paths),
        "files": list(anchors.file_names),
        "entities": list(anchors.entity_names),
        "hints": list(anchors.target_doc_hints),
        "aliases": list(anchors.matched_aliases),
        "domain": anchors.process_domain,
        "subdomain": anchors.process_subdomain,
        "profile": resolve(result).profile,
    }[wanted]


@pytest.mark.parametrize(("knowledge", "case"), _cases())
def test_question_gets_the_expected_route(knowledge: dict[str, Any], case: dict[str, Any]) -> None:
    documents = {**knowledge["documents"], **case.get("knowledge_of", {})}
    known = from_description({**knowledge, "documents": documents})
    question = case["query"] * case.get("times", 1)
    result = route(question, known, RouterConfig())
    if "route" in case:
        wanted = _ROUTES[case["route"]]
        assert (result.routing_domain, result.intent, result.subintent) == (
            wanted.routing_domain,
            wanted.intent,
            wanted.subintent,
        ), result.reason_short
    for field, value in case.items():
        if field not in ("query", "times", "route", "knowledge_of"):
            assert _actual(result, field) == value, field
    assert result.user_query == looked_at(question).text
    assert not result.llm_router_used
