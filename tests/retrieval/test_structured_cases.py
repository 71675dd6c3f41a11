"""Answers from records; the documents and the cases are data in `cases/structured`."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from docs_agent.core.evidence import Answer
from docs_agent.core.routes import RouteAnchors, RouteResult
from docs_agent.core.store.protocol import Reader
from docs_agent.core.text import language_of
from docs_agent.retrieval.policy import resolve
from docs_agent.retrieval.structured.answer import answer_from_records
from docs_agent.retrieval.structured.table import WORKFLOWS, workflow_of
from docs_agent.router.catalogue import ROUTES

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

from answers_index import build  # noqa: E402

DATA = yaml.safe_load((HERE / "cases" / "structured" / "shop.yml").read_text(encoding="utf-8"))
ROUTE_NAMES = {
    "explain_api": ("DOC_EXPLAIN", "EXPLAIN_API"),
    "component_integrations": ("DOC_EXPLAIN", "COMPONENT_INTEGRATIONS"),
    "entity_integrations": ("DOC_EXPLAIN", "ENTITY_INTEGRATIONS"),
    "list_api_methods": ("DOC_DISCOVERY", "LIST_API_METHODS"),
    "documents_by_domain": ("DOC_DISCOVERY", "FIND_DOCUMENTS_BY_DOMAIN"),
    "entity_lookup": ("DOC_DISCOVERY", "DOC_ENTITY_LOOKUP"),
    "related_documents": ("DOC_DISCOVERY", "RELATED_DOCUMENTS"),
    "architecture": ("ARCHITECTURE", "SUMMARY"),
    "openapi": ("OPENAPI_GENERATION", "FULL_SPEC"),
    "doc_generation": ("DOC_GENERATION", "FROM_FEATURE"),
    "code": ("CODE_QA", "EXPLAIN"),
}
BASE = {("DOC_EXPLAIN", "SUMMARY"), ("DOC_EXPLAIN", "FIND_FILES"), ("GENERAL_QA", "SUMMARY")}
PASSED = {"records_found", "endpoint_found", "target_doc_found"}


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("shop")
    for path, text in DATA["documents"].items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def reader(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Reader]:
    store = build(root, "docs", tmp_path_factory.mktemp("db") / "index.db")
    with store.read("default") as opened:
        yield opened
    store.close()


def _answer(case: dict[str, Any], reader: Reader) -> Answer:
    intent, subintent = ROUTE_NAMES[case["route"]]
    question = case["question"]
    anchors = RouteAnchors(
        entity_names=tuple(case.get("entities", ())),
        endpoint_paths=tuple(case.get("endpoints", ())),
        target_doc_hints=tuple(case.get("hints", ())),
        matched_aliases=tuple(case.get("aliases", ())),
        process_domain=case.get("domain"),
        process_subdomain=case.get("subdomain"),
    )
    domain = next(
        r.routing_domain for r in ROUTES if (r.intent, r.subintent) == (intent, subintent)
    )
    terms = tuple(case.get("terms", ()))
    route = RouteResult(domain, intent, subintent, question, question, terms, anchors)
    workflow = workflow_of(route)
    language = language_of(question) or "en"
    return answer_from_records(workflow, route, resolve(route), reader, language, case.get("limit"))


@pytest.mark.parametrize("case", DATA["cases"], ids=lambda case: case["name"])
def test_answer_says_what_the_records_say(case: dict[str, Any], reader: Reader) -> None:
    answer = _answer(case, reader)
    lines = [re.sub(r" \[\d+\]$", "", line) for line in answer.text.split("\n") if line]
    if "lines" in case:
        assert lines == case["lines"]
    for text in case.get("contains", ()):
        assert text in answer.text
    for text in case.get("lacks", ()):
        assert text not in answer.text
    cited = {f"{c.path}:{c.start_line}-{c.end_line}" for c in answer.citations}
    assert set(case.get("cites", ())) <= cited
    if "reason" in case:
        assert answer.gate.reason == case["reason"]


@pytest.mark.parametrize("case", DATA["cases"], ids=lambda case: case["name"])
def test_gate_mode_and_evidence_agree(case: dict[str, Any], reader: Reader) -> None:
    answer = _answer(case, reader)
    assert answer == _answer(case, reader)
    if answer.gate.reason not in PASSED:
        assert not answer.gate.passed
        assert answer.answer_mode == "insufficient_evidence"
        assert answer.gate.message
        assert (answer.citations, answer.found.evidence) == ((), ())
        return
    assert answer.gate.passed
    assert answer.gate.message == ""
    assert answer.answer_mode == case.get("mode", "deterministic")
    first, *rest = answer.found.evidence
    assert first.is_primary
    assert not any(item.is_primary for item in rest)
    scores = [item.score for item in answer.found.evidence]
    assert scores == sorted(scores, reverse=True)
    for item in answer.found.evidence:
        assert item.score == sum(item.score_breakdown.values())
        assert item.score_breakdown["records"] == 100 * len(item.rows)
        assert (item.match_reason == "exact_path") is (item.path in case.get("hints", ()))
    paths = [item.path for item in answer.found.evidence]
    assert list(answer.found.ranked_paths) == paths[:10]


@pytest.mark.parametrize("case", DATA["cases"], ids=lambda case: case["name"])
def test_every_cited_line_is_in_its_file(case: dict[str, Any], reader: Reader, root: Path) -> None:
    answer = _answer(case, reader)
    assert [c.n for c in answer.citations] == list(range(1, len(answer.citations) + 1))
    for citation in answer.citations:
        lines = (root / citation.path).read_text(encoding="utf-8").split("\n")
        assert 1 <= citation.start_line <= citation.end_line <= len(lines)
        assert any(lines[citation.start_line - 1 : citation.end_line])
        assert f"[{citation.n}]" in answer.text


def test_every_route_of_the_catalogue_has_a_workflow_or_is_a_base_route() -> None:
    routes = {(route.intent, route.subintent) for route in ROUTES}
    served = [(intent, subintent) for intent, subintent, _ in WORKFLOWS]
    assert len(served) == len(set(served))
    assert set(served) == routes - BASE


def test_every_workflow_has_a_case_in_each_language() -> None:
    asked = {(case["route"], language_of(case["question"])) for case in DATA["cases"]}
    both = set(ROUTE_NAMES) - {"entity_integrations", "architecture", "openapi", "doc_generation"}
    assert {(name, "ru") for name in both - {"code"}} | {
        (name, "en") for name in both - {"code"}
    } <= asked
    assert {name for name, _ in asked} == set(ROUTE_NAMES)


def test_every_kind_of_integration_can_be_named() -> None:
    from docs_agent.retrieval.structured.wording import ENGLISH
    from docs_agent.router.markers import vocabulary

    groups = vocabulary().lines
    kinds = {group for group in groups if group.startswith("kind_") and "__" not in group}
    assert kinds == {name for name in ENGLISH.templates if name.startswith("kind_")}
