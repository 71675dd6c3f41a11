"""What defines an endpoint, and what only mentions one."""

from __future__ import annotations

import pytest

from docs_agent.templates.endpoint_forms import columns, in_heading, in_item, in_row

HEADINGS = {
    "GET /plain": ["GET /plain"],
    "`POST /ticked`": ["POST /ticked"],
    "Create: `POST /x`": ["POST /x"],
    "Создать - POST /x": ["POST /x"],
    "Обновить (PUT /x)": ["PUT /x"],
    "**DELETE** /x": ["DELETE /x"],
    "2.1. GET /x": ["GET /x"],
    "GET https://host.example/v1/x": ["GET /v1/x"],
    "GET https://host.example": ["GET /"],
    "GET, HEAD /x": ["GET /x", "HEAD /x"],
    "GET /a(b)+": ["GET /a(b)+"],
    "Same (GET /a(b))": ["GET /a(b)"],
    "GET /users/<id>": ["GET /users/<id>"],
    "What follows after GET /x": [],
    "Почему GET /x отвечает долго": [],
    "get /x": [],
    "Budget /x": [],
    "WIDGET /x": [],
    "POST a letter": [],
}


@pytest.mark.parametrize("heading", HEADINGS)
def test_heading_defines_what_it_names_first_or_after_a_mark(heading: str) -> None:
    assert list(in_heading(heading)) == HEADINGS[heading]


def test_item_defines_what_it_begins_with() -> None:
    assert in_item("**GET /x** lists") == ("GET /x",)
    assert in_item("see GET /x") == ()


def test_table_defines_endpoints_when_it_has_their_columns() -> None:
    assert columns(("Метод", "Путь", "Что")) == (0, 1)
    assert columns(("What", "Endpoint")) == (1, 1)
    assert columns(("Field", "Type")) is None
    assert in_row(("get, post", "`/x`", ""), (0, 1)) == ("GET /x", "POST /x")
    assert in_row(("PUT /x", ""), (0, 0)) == ("PUT /x",)
    assert in_row(("none", "word"), (0, 1)) == ()
    assert in_row(("GET",), (0, 1)) == ()
