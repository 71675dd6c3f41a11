"""Both strategies with a real HTTP server behind the language model: which of its replies count."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from llm_cases import ROWS, load, proposing, script, served
from llm_server import LLMServer, chat, llm_server
from memory_knowledge import from_description

from docs_agent.core.errors import DocsAgentError, ServiceError
from docs_agent.core.knowledge import NoKnowledge
from docs_agent.core.llm.budget import estimate
from docs_agent.core.router_config import RouterConfig
from docs_agent.core.routes import RouteResult
from docs_agent.retrieval.policy import resolve
from docs_agent.router.catalogue import ROUTES, find_route
from docs_agent.router.deterministic import decide
from docs_agent.router.explain import route_explained
from docs_agent.router.llm import FIELDS, payload, render, schema
from docs_agent.router.route import extract, route
from docs_agent.router.strategies import MODES

CORRECTIONS, ASKED, INJECTIONS = load("corrections"), load("asked"), load("injections")
KNOWN = from_description(ASKED["knowledge"])
FIRST = RouterConfig(strategy="deterministic_first")
LLM_FIRST = RouterConfig(strategy="llm_first")
BOTH = pytest.mark.parametrize("config", [FIRST, LLM_FIRST], ids=lambda c: c.strategy)
# The rules are unsure about the first and silent about the second.
QUESTIONS = ("how are invoices paid within ten days", "сколько стоит кофе")


@pytest.fixture
def server() -> Iterator[LLMServer]:
    with llm_server() as running:
        yield running


@BOTH
@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("case", load("replies"), ids=lambda case: case["name"])
def test_whatever_the_service_does_the_route_and_the_mode_are_right(
    case: dict[str, Any], question: str, config: RouterConfig, server: LLMServer
) -> None:
    server.script(*script(case["script"]))
    trouble: list[DocsAgentError] = []
    found = route(question, KNOWN, config, served(server), trouble.append)
    offline = route(question, KNOWN, config)
    assert len(trouble) == bool(case.get("told"))
    assert all(isinstance(error, ServiceError) for error in trouble)
    assert found.llm_router_used is case["used"]
    if "calls" in case:
        assert len(server.requests) == case["calls"]
    if case["used"]:
        assert found.routing_mode == MODES[config.strategy]
        assert (found.intent, found.reason_short) == ("GENERAL_QA", "overview")
        # No strong anchor; the second question has one target term at most.
        assert found.confidence == (0.8 if question == QUESTIONS[0] else 0.7)
    else:
        assert found == replace(offline, routing_mode="llm_fallback")
    assert (found.anchors, found.target_terms) == (offline.anchors, offline.target_terms)


@pytest.mark.parametrize("case", CORRECTIONS["cases"], ids=lambda case: case["query"])
def test_the_question_corrects_the_model(case: dict[str, Any], server: LLMServer) -> None:
    server.script(chat(proposing(case["proposed"])))
    known = from_description(CORRECTIONS["knowledge"])
    found, explained = route_explained(case["query"], known, LLM_FIRST, served(server))
    row = find_route(found.routing_domain, found.intent, found.subintent)
    assert row is ROWS[case["route"]]
    assert found.llm_router_used
    assert found.routing_mode == "llm_default"
    assert explained.model is not None
    assert (explained.model.corrected is not None) is case["corrected"]
    assert ("the language model said" in found.reason_short) is case["corrected"]
    if "confidence" in case:
        assert found.confidence == case["confidence"]


@pytest.mark.parametrize("case", ASKED["cases"], ids=lambda case: case["query"])
def test_rules_that_are_sure_ask_nobody(case: dict[str, Any], server: LLMServer) -> None:
    server.script(chat(proposing("general")))
    config = RouterConfig(confidence_threshold=case.get("threshold", 0.8))
    found, explained = route_explained(case["query"], KNOWN, config, served(server))
    assert len(server.requests) == int(case["asked"])
    assert explained.escalation == case.get("why", "")
    assert found.routing_mode == ("llm_assisted" if case["asked"] else "deterministic")


@pytest.mark.parametrize("question", ["", " \n ", "?!", "Привет!", "thanks", "добрый день"])
def test_nothing_to_route_is_never_sent(question: str, server: LLMServer) -> None:
    found = route(question, KNOWN, LLM_FIRST, served(server))
    assert server.requests == []
    assert (found.routing_mode, found.intent) == ("deterministic", "GENERAL_QA")


@BOTH
@pytest.mark.parametrize("question", ["how does /health work", *QUESTIONS, "архитектура и логика"])
def test_without_a_model_both_strategies_decide_alike(question: str, config: RouterConfig) -> None:
    found = route(question, KNOWN, config)
    assert found == route(question, KNOWN, FIRST)
    mode = "deterministic" if decide(extract(question, KNOWN, config)) else "deterministic_fallback"
    assert (found.routing_mode, found.llm_router_used) == (mode, False)


@BOTH
@pytest.mark.parametrize(
    ("question", "reply"), list(product(INJECTIONS["questions"], INJECTIONS["replies"]))
)
def test_orders_in_a_question_choose_a_row_of_the_catalogue_or_nothing(
    question: str, reply: str, config: RouterConfig, server: LLMServer
) -> None:
    server.script(chat(reply))
    found = route(question, KNOWN, config, served(server))
    offline = route(question, KNOWN, config)
    _valid(found)
    assert (found.anchors, found.target_terms) == (offline.anchors, offline.target_terms)
    assert (found.user_query, found.normalized_query) == (question, " ".join(question.split()))
    assert found.routing_domain in ("DOCS", "GENERAL")
    for request in server.requests:
        _quoted(request.json()["messages"], question)


def _quoted(messages: list[dict[str, str]], question: str) -> None:
    """The question stands in the user's message as one JSON text, and nowhere else."""
    system, user = messages
    sent = json.loads(user["content"])
    assert sent.keys() == {"normalized_query", "target_terms", "anchors", "allowed_routes"}
    assert sent["normalized_query"] == " ".join(question.split())
    assert len(sent["allowed_routes"]) == len(ROUTES)
    assert question not in system["content"]


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=8,
)
_FIELD = st.sampled_from([text for row in ROUTES for text in (row.intent, row.subintent)]) | _JSON
_OBJECT = st.fixed_dictionaries(
    {"routing_domain": st.sampled_from(["DOCS", "GENERAL", "CODE"]) | _JSON},
    optional=dict.fromkeys(FIELDS[1:], _FIELD),
)
_REPLIES = st.text(max_size=200) | (_JSON | _OBJECT).map(json.dumps)


def test_whatever_a_model_replies_the_route_is_one_of_the_catalogue() -> None:
    with llm_server() as server:
        llm = served(server, timeout=10.0)

        @given(_REPLIES, st.text(max_size=30) | st.sampled_from(QUESTIONS))
        @settings(derandomize=True, deadline=None, max_examples=150)
        def holds(reply: str, question: str) -> None:
            server.script(chat(reply))
            for config in (FIRST, LLM_FIRST):
                _valid(route(question, KNOWN, config, llm))

        holds()
        assert server.requests


@pytest.mark.parametrize("row", ROUTES, ids=lambda row: row.name)
def test_every_row_can_be_proposed(row: Any, server: LLMServer) -> None:
    server.script(chat(proposing(row.name)))
    found, explained = route_explained(QUESTIONS[0], KNOWN, LLM_FIRST, served(server))
    assert explained.model is not None
    assert explained.model.proposal is not None
    assert explained.model.proposal.route is row
    _valid(found)


def _valid(found: RouteResult) -> None:
    assert find_route(found.routing_domain, found.intent, found.subintent) is not None
    assert 0.0 <= found.confidence <= 1.0
    assert found.llm_router_used == (found.routing_mode in MODES.values())
    assert found.reason_short
    assert len(found.reason_short) <= 300
    assert found.reason_short.isprintable()
    resolve(found)


def test_the_prompt_speaks_the_language_of_the_question() -> None:
    russian, _ = render(extract("сколько стоит кофе", KNOWN, FIRST), 8000)
    english, _ = render(extract("how much is a coffee", KNOWN, FIRST), 8000)
    assert "Выбери ровно одну" in russian
    assert "Choose exactly one" in english
    for prompt in (russian, english):
        assert all(field in prompt for field in FIELDS)


def test_what_is_sent_is_bounded_and_can_be_written_as_json() -> None:
    question = "\udcff" + "docs/" + "очень_длинное_имя" * 15 + ".md и /a/{b} " * 3000
    sent = payload(extract(question, NoKnowledge(), FIRST))
    text = json.dumps(sent, ensure_ascii=False).encode("utf-8")
    meanings = json.dumps(sent["allowed_routes"], ensure_ascii=False).encode("utf-8")
    assert len(text) - len(meanings) < 25_000


def test_a_long_question_is_cut_to_the_budget() -> None:
    for word in ("кофе", "coffee", '"'):
        features = extract(f"{word} " * 900, KNOWN, FIRST)
        whole, cut = (render(features, budget) for budget in (50_000, 2_400))
        assert cut[0] == whole[0]
        assert len(cut[1]) < len(whole[1])
        assert estimate(cut[0]) + estimate(cut[1]) <= 2_400
        assert json.loads(cut[1])["normalized_query"].startswith(f"{word} {word}")


def test_a_context_too_small_for_the_routes_is_told_and_nothing_is_sent(server: LLMServer) -> None:
    trouble: list[DocsAgentError] = []
    llm = served(server, context_tokens=1000, max_tokens=500)
    found = route(QUESTIONS[0], KNOWN, LLM_FIRST, llm, trouble.append)
    assert found.routing_mode == "llm_fallback"
    assert server.requests == []
    assert ["llm.context_tokens" in error.message for error in trouble] == [True]


def test_the_schema_is_that_of_the_catalogue() -> None:
    properties = schema()["properties"]
    assert tuple(properties) == FIELDS
    for row in ROUTES:
        assert row.routing_domain in properties["routing_domain"]["enum"]
        assert row.intent in properties["intent"]["enum"]
        assert row.subintent in properties["subintent"]["enum"]


def test_the_schema_is_sent(server: LLMServer) -> None:
    server.script(chat(proposing("explain")))
    route(QUESTIONS[0], KNOWN, LLM_FIRST, served(server))
    sent = server.requests[0].json()["response_format"]
    assert sent["json_schema"]["schema"] == schema()
