"""What services that speak OpenAI's protocol have and have not, and their streams."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from llm_clients import PROMPT, ask, failing, openai, within
from llm_server import Reply, Request, chat, event, events, failure, html, llm_server, stream

from docs_agent.core.llm.protocol import LLM
from docs_agent.core.llm.sse import event_data

SCHEMA = {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}


def heard(llm: LLM) -> str:
    return "".join(llm.stream("be brief", PROMPT, max_tokens=50))


def test_a_schema_is_asked_for_where_the_service_has_it() -> None:
    with llm_server(chat('{"a": "б"}')) as server:
        assert ask(openai(server.url), schema=SCHEMA) == '{"a": "б"}'
    asked = server.requests[0].json()["response_format"]
    assert asked["type"] == "json_schema"
    assert asked["json_schema"]["schema"] == SCHEMA


def _only(*accepted: str) -> Any:
    """A service that takes only these types of response_format; `""`: none at all."""

    def reply(request: Request) -> Reply:
        kind = request.json().get("response_format", {}).get("type", "")
        return chat(kind) if kind in accepted else failure(400, f"response_format {kind} unknown")

    return reply


@pytest.mark.parametrize(
    ("accepted", "requests"),
    [("json_schema", (1, 1)), ("json_object", (2, 1)), ("", (3, 1))],
    ids=lambda value: value or "none" if isinstance(value, str) else "",
)
def test_what_the_service_has_not_is_remembered(accepted: str, requests: tuple[int, int]) -> None:
    with llm_server(_only(accepted)) as server:
        llm = openai(server.url)
        assert ask(llm, schema=SCHEMA) == accepted
        assert len(server.requests) == requests[0]
        assert ask(llm, schema=SCHEMA) == accepted
        assert len(server.requests) == sum(requests)


def test_422_rejects_a_schema_too() -> None:
    def reply(request: Request) -> Reply:
        told = {"detail": [{"loc": ["body", "response_format", "type"], "msg": "not permitted"}]}
        refused = Reply(status=422, body=json.dumps(told).encode())
        return refused if "response_format" in request.json() else chat("ok")

    with llm_server(reply) as server:
        assert ask(openai(server.url), schema=SCHEMA) == "ok"


@pytest.mark.parametrize(
    ("way", "sent"), [("schema", "json_schema"), ("object", "json_object"), ("none", None)]
)
def test_the_configured_way_is_the_only_one(way: str, sent: str | None) -> None:
    with llm_server(failure(400, "response_format is unknown")) as server:
        failing(lambda: ask(openai(server.url, json_output=way), schema=SCHEMA))
    assert len(server.requests) == 1
    assert server.requests[0].json().get("response_format", {}).get("type") == sent


def test_a_refusal_for_another_reason_changes_nothing() -> None:
    with llm_server(failure(400, "the context is too long"), chat("ok")) as server:
        llm = openai(server.url)
        failing(lambda: ask(llm, schema=SCHEMA))
        ask(llm, schema=SCHEMA)
    assert [r.json()["response_format"]["type"] for r in server.requests] == ["json_schema"] * 2


def test_a_service_may_name_the_length_differently() -> None:
    def reply(request: Request) -> Reply:
        if "max_tokens" not in request.json():
            return chat("ok")
        return failure(400, "Unsupported parameter: use 'max_completion_tokens' instead.")

    with llm_server(reply) as server:
        llm = openai(server.url)
        assert [ask(llm), ask(llm)] == ["ok", "ok"]
    assert len(server.requests) == 3
    assert server.requests[-1].json()["max_completion_tokens"] == 50


def test_a_service_may_refuse_a_temperature() -> None:
    def reply(request: Request) -> Reply:
        if "temperature" not in request.json():
            return chat("ok")
        return failure(400, "'temperature' does not support 0 with this model")

    with llm_server(reply) as server:
        assert ask(openai(server.url)) == "ok"
        assert len(server.requests) == 2


def test_the_configuration_bounds_the_length() -> None:
    with llm_server(chat("ok")) as server:
        llm = openai(server.url, max_tokens=20, context_tokens=300, temperature=0.5)
        ask(llm)
    assert server.requests[0].json()["max_tokens"] == 20
    assert server.requests[0].json()["temperature"] == 0.5
    assert llm.prompt_budget == 280
    assert llm.name == "openai:small"


def test_half_a_character_in_a_prompt_is_no_fault() -> None:
    with llm_server(chat("ok")) as server:
        openai(server.url).complete("", "\ud83d", max_tokens=5)
    assert server.requests[0].json()["messages"] == [{"role": "user", "content": "?"}]


def test_a_stream_comes_in_pieces() -> None:
    with llm_server(stream("При", "вет, ", "world")) as server:
        pieces = list(openai(server.url).stream("s", "u", max_tokens=5))
    assert pieces == ["При", "вет, ", "world"]
    assert server.requests[0].json()["stream"] is True


def test_a_stream_comes_while_it_is_made() -> None:
    with llm_server(stream("a", "b", "c", pause=0.2)) as server:
        pieces = openai(server.url).stream("s", "u", max_tokens=5)
        with within(0.3):
            assert next(pieces) == "a"
        assert list(pieces) == ["b", "c"]


def test_a_stream_that_nobody_hears_to_the_end_is_let_go() -> None:
    with llm_server(stream(*"abc" * 200, pause=0.01)) as server:
        pieces = openai(server.url).stream("s", "u", max_tokens=5)
        next(pieces)
        del pieces


@pytest.mark.parametrize("size", [1, 2, 3, 7])
def test_a_stream_may_be_cut_anywhere(size: int) -> None:
    text = (
        "\ufeff: keep-alive\r\n\r\nevent: message\r\nid: 7\r\nretry: 10\r\n"
        'data: {"choices":\r\ndata: [{"delta": {"content": "жё🙂"}}]}\r\n\r\n'
        ":\n\n"
        'data:{"choices": [{"delta": {"role": "assistant", "content": null}}]}\n\n'
        'data: {"choices": [], "usage": {}}\n\n'
        'data: {"choices": [{"delta": {"content": "!"}, "finish_reason": null}]}\n\n'
        "data: [DONE]\r\n\r\n"
    ).encode()
    chunks = [text[at : at + size] for at in range(0, len(text), size)]
    with llm_server(events(*chunks)) as server:
        assert heard(openai(server.url)) == "жё🙂!"


def test_a_stream_ends_with_a_finish_reason_or_done() -> None:
    with llm_server(stream("ok", done=False), stream("ok", finish_reason="")) as server:
        llm = openai(server.url)
        assert [heard(llm), heard(llm)] == ["ok", "ok"]


def test_an_empty_stream_is_an_empty_reply() -> None:
    with llm_server(stream()) as server:
        assert heard(openai(server.url)) == ""


def test_a_stream_that_ends_early_is_a_fault() -> None:
    with llm_server(stream("half", finish_reason="", done=False)) as server:
        pieces = openai(server.url).stream("s", "u", max_tokens=5)
        assert next(pieces) == "half"
        assert "ended before" in failing(lambda: next(pieces)).message
    assert len(server.requests) == 1


def test_a_stream_that_is_cut_in_the_middle_is_a_fault() -> None:
    with llm_server(stream("one", "two", "three", drop_after=2)) as server:
        pieces = openai(server.url).stream("s", "u", max_tokens=5)
        assert [next(pieces), next(pieces)] == ["one", "two"]
        assert "was lost" in failing(lambda: next(pieces)).message
    assert len(server.requests) == 1


def test_a_stream_that_is_cut_before_its_first_piece_is_tried_again() -> None:
    with llm_server(stream("one", drop_after=0), failure(503), stream("one")) as server:
        assert heard(openai(server.url)) == "one"
    assert len(server.requests) == 3


def test_a_stream_that_falls_silent_costs_no_more_than_the_timeout() -> None:
    late = stream("one", *["two"] * 20, pause=0.25)
    with llm_server(late) as server, within(0.6):
        assert "in time" in failing(lambda: heard(openai(server.url, timeout=0.6))).message


@pytest.mark.parametrize(
    ("reply", "message"),
    [
        (events(event({"error": {"message": "overloaded \x1b[1m"}})), "failed: overloaded"),
        (events(b"data: not json\n\n"), "not JSON"),
        (events(b"data: []\n\n"), "not an object"),
        (events(b'data: {"choices": 7}\n\n'), "no choice"),
        (html(), "an HTML page"),
        (Reply(body=b""), "empty"),
    ],
)
def test_a_broken_stream_is_a_fault_of_the_service(reply: Reply, message: str) -> None:
    with llm_server(reply) as server:
        assert message in failing(lambda: heard(openai(server.url, retries=0))).message


def test_a_service_that_does_not_stream_gives_its_reply_at_once() -> None:
    with llm_server(chat("whole")) as server:
        assert heard(openai(server.url)) == "whole"


def test_an_endless_line_ends_at_the_limit_of_a_reply() -> None:
    big = events(b"data: ", *[b"x" * 2**20] * 10)
    with llm_server(big) as server:
        error = failing(lambda: heard(openai(server.url, timeout=10.0, retries=0)))
    assert "larger than" in error.message


@settings(derandomize=True, deadline=None, max_examples=100)
@given(st.lists(st.text(st.sampled_from("aё🙂 :"), max_size=8), max_size=5), st.data())
def test_events_are_the_same_however_they_are_cut(texts: list[str], data: st.DataObject) -> None:
    line_end = data.draw(st.sampled_from(["\n", "\r\n", "\r"]))
    whole = "".join(f"data: {text}{line_end}{line_end}" for text in texts).encode()
    cuts = sorted(data.draw(st.lists(st.integers(0, len(whole)), max_size=6)))
    parts = [whole[a:b] for a, b in zip([0, *cuts], [*cuts, len(whole)], strict=True)]
    assert list(event_data(parts)) == texts


@settings(derandomize=True, deadline=None, max_examples=100)
@given(st.lists(st.binary(max_size=20), max_size=5))
def test_any_bytes_are_events_or_none(chunks: Iterable[bytes]) -> None:
    assert all(isinstance(text, str) for text in event_data(chunks))


def test_a_service_that_speaks_no_http_is_a_fault() -> None:
    with llm_server(Reply(raw=b"220 mail.example.com ESMTP\r\n")) as server:
        assert "was lost" in failing(lambda: ask(openai(server.url, retries=0))).message


def test_plain_http_on_a_tls_port_is_told() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"https://127.0.0.1:{silent.getsockname()[1]}"
        with within(0.3):
            error = failing(lambda: ask(openai(url, connect_timeout=0.3)))
    assert "could not be reached" in error.message
