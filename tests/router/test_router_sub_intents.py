"""The further routes: rows, words a project adds for them, directions, signals, hostile input."""

from __future__ import annotations

import time
from pathlib import Path
from typing import get_args

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from memory_knowledge import from_description

from docs_agent.core.knowledge import NoKnowledge
from docs_agent.core.router_config import RouterConfig
from docs_agent.core.routes import RouteAnchors, RouteResult
from docs_agent.router import signals
from docs_agent.router.catalogue import ROUTES, Need, Route, find_route
from docs_agent.router.integration_terms import (
    asked_direction,
    asked_kinds,
    direction_of,
    has_direction,
    kinds_of,
    names_direction,
)
from docs_agent.router.markers import vocabulary
from docs_agent.router.route import route
from docs_agent.router.signals import anchor_signal_types

_CASES = Path(__file__).parent / "cases"
_KNOWN = from_description(
    {
        "filler": 20,
        "documents": {
            "docs/api/pay.md": {
                "title": "Paying",
                "endpoint": "POST /pay",
                "text": "pay заплатить",
            },
            "docs/domains/order.md": {"title": "Заказ", "entity": "Order", "domain": "sales"},
            "docs/logic/loop.md": {"title": "Main loop", "entity": "MainLoop"},
        },
    }
)


def _row(question: str, config: RouterConfig | None = None) -> Route | None:
    result = route(question, _KNOWN, config or RouterConfig())
    return find_route(result.routing_domain, result.intent, result.subintent)


def _name(question: str, config: RouterConfig | None = None) -> str:
    row = _row(question, config)
    assert row is not None
    return row.name


def test_every_row_says_what_it_is_and_is_the_only_one_of_its_name_and_place() -> None:
    assert len({row.name for row in ROUTES}) == len(ROUTES)
    assert len({(r.routing_domain, r.intent, r.subintent) for r in ROUTES}) == len(ROUTES)
    for row in ROUTES:
        assert row.meaning.isascii()
        assert "\n" not in row.meaning
        assert row.needs in get_args(Need)


def test_every_row_has_cases_in_both_languages() -> None:
    asked: dict[str, set[bool]] = {}
    for path in _CASES.glob("*.yml"):
        for case in yaml.safe_load(path.read_text(encoding="utf-8"))["cases"]:
            russian = any("а" <= c <= "я" for c in case["query"].lower())
            asked.setdefault(case.get("route", ""), set()).add(russian)
    assert {row.name for row in ROUTES if asked.get(row.name) != {True, False}} == set()


@pytest.mark.parametrize(
    ("group", "phrases", "questions", "expected"),
    [
        (
            "list_api_methods",
            ("какие вызовы умеет", "which hooks exist"),
            ("какие вызовы умеет сервис", "which hooks exist in here"),
            "list_api_methods",
        ),
        (
            "documents_by_domain",
            ("бумаги =по контуру", "papers of the area"),
            ("бумаги по контуру продаж", "papers of the area sales"),
            "find_documents_by_domain",
        ),
        (
            "integration",
            ("к чему подключен", "what is plugged into"),
            ("к чему подключен заказ", "what is plugged into the till"),
            "component_integrations",
        ),
        (
            "components",
            ("из каких кубиков", "which bricks"),
            ("из каких кубиков всё сделано", "which bricks are there"),
            "architecture",
        ),
        (
            "explain_api",
            ("разложи =по полочкам", "the whole story of"),
            ("разложи по полочкам /pay", "the whole story of /pay"),
            "explain_api",
        ),
        (
            "openapi",
            ("собери сваггерок", "bake the swag"),
            ("собери сваггерок", "bake the swag"),
            "full_spec",
        ),
        (
            "code_explain",
            ("где =в сорцах", "where in the sauce"),
            ("где в сорцах заказ", "where in the sauce is the order"),
            "code_explain",
        ),
    ],
)
def test_a_project_adds_markers_of_a_further_route(
    group: str, phrases: tuple[str, ...], questions: tuple[str, str], expected: str
) -> None:
    config = RouterConfig(markers={group: phrases})
    for question in questions:
        assert _name(question) != expected
        assert _name(question, config) == expected


def test_a_configured_alias_is_the_subject_of_a_further_route() -> None:
    config = RouterConfig(aliases={"касса": "docs/api/pay.md", "the till": "docs/api/pay.md"})
    for question, expected in (
        ("что связано с кассой", "related_documents"),
        ("what is related to the till", "related_documents"),
        ("какие методы api есть для кассы", "list_api_methods"),
        ("what api methods are there for the till", "list_api_methods"),
        ("какие интеграции есть у кассы", "component_integrations"),
        ("which integrations does the till have", "component_integrations"),
    ):
        result = route(question, _KNOWN, config)
        assert _name(question, config) == expected
        assert result.anchors.target_doc_hints == ("docs/api/pay.md",)


@pytest.mark.parametrize(
    ("question", "reason", "confidence"),
    [
        ("какие методы api есть", "list_api_methods marker «какие методы api есть»", 0.9),
        (
            "where is MainLoop used",
            "entity_lookup marker «where is MainLoop used», entity MainLoop",
            0.9,
        ),
        (
            "документы по домену sales",
            "documents_by_domain marker «документы по домену», domain «sales»",
            0.9,
        ),
        (
            "документы по домену склад",
            "documents_by_domain marker «документы по домену», unknown domain «склад»",
            0.8,
        ),
        (
            "what is related to this document",
            "related_documents marker «what is related to this document», unknown document",
            0.8,
        ),
        (
            "which integrations does POST /pay have",
            "integration marker «which integrations does», document docs/api/pay.md",
            0.9,
        ),
    ],
)
def test_the_reason_names_marker_and_anchor(question: str, reason: str, confidence: float) -> None:
    result = route(question, _KNOWN, RouterConfig())
    assert (result.reason_short, result.confidence) == (reason, confidence)


def test_an_entity_is_the_subject_unless_it_is_the_name_of_another_page() -> None:
    assert _name("какие интеграции есть у Order") == "entity_integrations"
    assert _name("which integrations does the Order entity have") == "entity_integrations"
    assert _name("какие интеграции есть у Main loop") == "component_integrations"
    assert _name("which integrations does the main loop have") == "component_integrations"


@pytest.mark.parametrize(
    ("question", "direction"),
    [
        ("куда сервис отправляет данные", "out"),
        ("какие исходящие интеграции есть у сервиса", "out"),
        ("where does the service send its messages", "out"),
        ("list the outbound integrations", "out"),
        ("which systems does it call", "out"),
        ("откуда сервис получает команды", "in"),
        ("какие входящие интеграции есть", "in"),
        ("кто отправляет данные в сервис", "in"),
        ("where does the service get its data from", "in"),
        ("which systems send data to the service", "in"),
        ("incoming integrations", "in"),
        ("с чем интегрирован сервис", ""),
        ("what does it integrate with in the end", ""),
        ("входящие и исходящие интеграции", ""),
        ("inbound and outbound integrations", ""),
        ("двусторонние интеграции", ""),
        ("", ""),
    ],
)
def test_a_question_asks_for_a_direction(question: str, direction: str) -> None:
    assert asked_direction(question) == direction


@pytest.mark.parametrize(
    ("value", "direction"),
    [
        ("outbound", "out"),
        ("Outgoing", "out"),
        ("out", "out"),
        ("исходящая", "out"),
        ("inbound", "in"),
        ("in", "in"),
        ("входящее", "in"),
        ("bidirectional", "both"),
        ("in/out", "both"),
        ("двусторонняя", "both"),
        ("→", "out"),
        ("<-", "in"),
        ("чтение и запись", "both"),
        ("outbound for messages, inbound for bot commands", "both"),
        ("", ""),
        ("sideways", ""),
    ],
)
def test_a_document_states_a_direction(value: str, direction: str) -> None:
    assert direction_of(value) == direction
    assert has_direction(value, "out") is (direction in ("out", "both"))
    assert has_direction(value, "in") is (direction in ("in", "both"))
    assert has_direction(value, "")


@pytest.mark.parametrize(
    ("question", "values"),
    [
        ("какие интеграции по HTTP", ("external_system", "calls", "HTTPS POST sendMessage")),
        ("integrations over http", ("service", "HTTP GET /health")),
        ("какие интеграции через очередь", ("queue", "consumes", "Kafka topic")),
        ("which integrations go through a queue", ("очередь сообщений",)),
        ("интеграции с базой данных", ("db", "writes", "локальный файл")),
        ("integrations with a database", ("PostgreSQL",)),
        ("интеграции через файлы", ("file", "SFTP")),
        ("integrations with external systems", ("external_system",)),
        ("интеграции с внешними системами", ("внешняя система",)),
    ],
)
def test_kinds_that_are_asked_for_meet_those_that_are_stated(
    question: str, values: tuple[str, ...]
) -> None:
    assert set(asked_kinds(question)) & kinds_of(values)


@pytest.mark.parametrize(
    ("question", "kind", "stated", "other"),
    [
        ("integrations over webhooks", "http__webhook", "HTTPS webhook", "HTTPS"),
        ("интеграции через вебхуки", "http__webhook", "webhook", "REST"),
        ("integrations over SOAP", "rpc__SOAP", "SOAP CreateOrder", "gRPC"),
        ("интеграции через кафку", "queue__Kafka", "Kafka topic", "очередь orders"),
        ("integrations with Redis", "database__Redis", "redis", "PostgreSQL"),
        ("интеграции по SFTP", "file__SFTP", "SFTP раз в час", "файлы CSV"),
        ("интеграции по смс", "sms", "sms", "e-mail"),
    ],
)
def test_one_way_of_a_kind_is_asked_for_by_its_own_word(
    question: str, kind: str, stated: str, other: str
) -> None:
    assert asked_kinds(question) == (kind,)
    assert kind in kinds_of((stated,))
    assert kind not in kinds_of((other,))


def test_external_services_are_no_services_of_ours() -> None:
    assert asked_kinds("с какими внешними сервисами интеграции") == ("external_system",)
    assert asked_kinds("which external services are integrated") == ("external_system",)


@pytest.mark.parametrize(
    ("question", "named"),
    [
        ("исходящие интеграции склада", True),
        ("inbound integrations of the warehouse", True),
        ("куда склад отправляет данные", False),
        ("where does the warehouse send data", False),
        ("integrations of the warehouse", False),
    ],
)
def test_a_direction_is_named_or_told_by_what_is_done(question: str, named: bool) -> None:
    assert names_direction(question) is named


def test_a_question_without_a_kind_asks_for_none() -> None:
    for question in ("с чем интегрирован сервис", "what does it integrate with", ""):
        assert set(asked_kinds(question)) <= {"service"}
        assert asked_kinds("какие интеграции есть у заказа") == ()


@given(st.text(max_size=200))
@settings(derandomize=True, deadline=None, max_examples=100)
def test_any_text_has_a_direction_and_kinds(text: str) -> None:
    assert asked_direction(text) in ("in", "out", "")
    assert direction_of(text) in ("in", "out", "both", "")
    assert set(asked_kinds(text)) <= {
        group.removeprefix("kind_") for group in vocabulary().lines if group.startswith("kind_")
    }


def _result(subintent: str, intent: str = "DOC_DISCOVERY") -> RouteResult:
    return RouteResult("DOCS", intent, subintent, "q", "q", anchors=RouteAnchors())


def test_further_routes_signal_the_kind_of_document_they_are_after() -> None:
    assert anchor_signal_types(_result("LIST_API_METHODS")) == {signals.API_ENDPOINT}
    assert anchor_signal_types(_result("EXPLAIN_API", "DOC_EXPLAIN")) == {signals.API_ENDPOINT}
    assert anchor_signal_types(_result("DOC_ENTITY_LOOKUP")) == {signals.DOMAIN_ENTITY}
    assert anchor_signal_types(_result("SUMMARY", "ARCHITECTURE")) == {signals.ARCHITECTURE}
    assert anchor_signal_types(_result("RELATED_DOCUMENTS")) == frozenset()
    assert anchor_signal_types(_result("SUMMARY", "DOC_EXPLAIN")) == frozenset()


@pytest.mark.parametrize(
    "unit",
    [
        "какие методы api есть ",
        "документы по домену ",
        "where is ",
        "what links to ",
        "куда отправляет данные ",
        "please can you list all the available api ",
        "which components of the service ",
        "хелсчек ",
        "healthchek ",
        "документ метод процесс ",
        "в коде где реализован ",
    ],
)
def test_ten_thousand_characters_of_markers_cost_no_more_than_a_moment(unit: str) -> None:
    question = (unit * 10_000)[:10_000]
    started = time.process_time()
    for knowledge in (_KNOWN, NoKnowledge()):
        route(question, knowledge, RouterConfig())
        asked_direction(question)
        asked_kinds(question)
    assert time.process_time() - started < 1
