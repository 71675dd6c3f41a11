"""Retries, limits and errors of calls, against a real server."""

from __future__ import annotations

import gzip
import socket
import threading
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from llm_clients import KEY, PROMPT, ask, failing, no_thread, openai, within
from llm_server import Reply, chat, failure, html, llm_server, stream, unused_port

from docs_agent.core.llm import breaker, exchange
from docs_agent.core.llm.excerpt import Hidden, detail
from docs_agent.core.llm.http import retry_after
from docs_agent.core.llm.patience import Limits, Patience


def test_the_request_is_that_of_chat_completions() -> None:
    with llm_server(chat("hello")) as server:
        completion = openai(server.url).complete("be brief", "привет", max_tokens=50)
    assert (completion.text, completion.model, completion.finish_reason) == (
        "hello",
        "served",
        "stop",
    )
    assert (completion.prompt_tokens, completion.completion_tokens) == (7, 3)
    request = server.requests[0]
    assert (request.method, request.path) == ("POST", "/chat/completions")
    assert request.headers["authorization"] == f"Bearer {KEY}"
    assert request.json() == {
        "model": "small",
        "messages": [
            {"role": "system", "content": "be brief"},
            {"role": "user", "content": "привет"},
        ],
        "max_tokens": 50,
        "temperature": 0.0,
    }


def test_a_local_service_needs_no_key() -> None:
    with llm_server(chat("hello")) as server:
        assert ask(openai(server.url, key="")) == "hello"
    assert "authorization" not in server.requests[0].headers


@pytest.mark.parametrize("status", [408, 429, 500, 502, 503, 504])
def test_a_passing_fault_is_tried_again(status: int) -> None:
    with llm_server(failure(status, "later"), chat("hello")) as server:
        assert ask(openai(server.url)) == "hello"
    assert len(server.requests) == 2


@pytest.mark.parametrize("status", [400, 401, 403, 404, 413, 418, 422])
def test_a_refusal_is_not_tried_again(status: int) -> None:
    with llm_server(failure(status, "no such thing")) as server:
        error = failing(lambda: ask(openai(server.url)))
    assert (error.status, error.retryable) == (status, False)
    assert f"answered {status}: no such thing" in error.message
    assert len(server.requests) == 1


def test_500_always_fails_after_the_retries() -> None:
    with llm_server(failure(500, "broken")) as server:
        error = failing(lambda: ask(openai(server.url)))
    assert (error.status, len(server.requests)) == (500, 3)


def test_no_retries_when_none_are_configured() -> None:
    with llm_server(failure(500)) as server:
        failing(lambda: ask(openai(server.url, retries=0)))
    assert len(server.requests) == 1


def test_retry_after_is_honoured() -> None:
    wait = failure(429, "slow down", headers=(("Retry-After", "1"),))
    with llm_server(wait, chat("hello")) as server:
        begin = time.monotonic()
        assert ask(openai(server.url, timeout=5.0)) == "hello"
    assert time.monotonic() - begin >= 1.0


def test_retry_after_beyond_the_limit_fails_at_once() -> None:
    with (
        llm_server(failure(429, "quota", headers=(("Retry-After", "3600"),))) as server,
        within(0.3),
    ):
        error = failing(lambda: ask(openai(server.url)))
    assert error.status == 429
    assert len(server.requests) == 1


def test_a_silent_attempt_is_given_up_and_tried_again() -> None:
    with llm_server(chat("late", delay=5.0), chat("hello")) as server, within(0.5):
        assert ask(openai(server.url, timeout=1.0)) == "hello"
    assert len(server.requests) == 2


def test_a_silent_service_costs_no_more_than_the_timeout() -> None:
    with llm_server(chat("late", delay=5.0)) as server, within(0.6):
        error = failing(lambda: ask(openai(server.url, timeout=0.6)))
    assert "did not answer in time" in error.message


@pytest.mark.parametrize("pause", [0.02, 0.2])
def test_a_reply_that_drips_costs_no_more_than_the_timeout(pause: float) -> None:
    drip = Reply(chunks=(b" ",) * 400, pause=pause)
    with llm_server(drip) as server, within(0.6):
        failing(lambda: ask(openai(server.url, timeout=0.6, retries=0)))


def test_headers_that_drip_cost_no_more_than_the_timeout() -> None:
    drip = Reply(raw=b"HTTP/1.1 200 OK\r\nX-Slow: " + b"a" * 400, pause=0.02)
    with llm_server(drip) as server, within(0.6):
        failing(lambda: ask(openai(server.url, timeout=0.6, retries=0)))


@pytest.mark.parametrize("cut", [-1, 0, 10])
def test_a_dropped_connection_is_tried_again(cut: int) -> None:
    with llm_server(chat("hello", drop_after=cut), chat("hello")) as server:
        assert ask(openai(server.url)) == "hello"
    assert len(server.requests) == 2


def test_a_connection_that_always_drops_fails_after_the_retries() -> None:
    with llm_server(chat("hello", drop_after=10)) as server:
        error = failing(lambda: ask(openai(server.url)))
    assert len(server.requests) == 3
    assert "was lost" in error.message


def test_a_refused_connection_costs_no_more_than_the_connect_timeout() -> None:
    llm = openai(f"http://127.0.0.1:{unused_port()}", connect_timeout=0.3, retries=10)
    with within(0.3):
        error = failing(lambda: ask(llm))
    assert "could not be reached" in error.message


def test_a_service_that_accepts_nobody_costs_no_more_than_the_connect_timeout() -> None:
    # A full queue of waiting connections: the system answers no further one.
    with socket.socket() as full:
        full.bind(("127.0.0.1", 0))
        full.listen(0)
        waiting = [socket.socket() for _ in range(4)]
        for one in waiting:
            one.setblocking(False)
            one.connect_ex(full.getsockname())
        with within(0.4):
            url = f"http://127.0.0.1:{full.getsockname()[1]}"
            error = failing(lambda: ask(openai(url, connect_timeout=0.4)))
        for one in waiting:
            one.close()
    assert "could not be reached" in error.message


def test_a_name_that_is_looked_up_for_long_costs_no_more_than_the_connect_timeout(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    release = threading.Event()
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: release.wait(5))
    with within(0.3):
        failing(lambda: ask(openai("https://llm.example.com/v1", connect_timeout=0.3)))
    release.set()


def test_a_thousand_questions_wait_once_for_a_service_that_is_down() -> None:
    llm = openai(f"http://127.0.0.1:{unused_port()}", connect_timeout=0.3)
    with within(0.5):
        for _ in range(1000):
            error = failing(lambda: ask(llm))
    assert "not asked again" in error.message


def test_a_service_that_always_fails_is_left_alone_too() -> None:
    with llm_server(failure(503)) as server:
        llm = openai(server.url, retries=0)
        for _ in range(10):
            failing(lambda: ask(llm))
    assert len(server.requests) == breaker.MAX_FAILURES


def test_refusals_do_not_make_a_service_count_as_down() -> None:
    with llm_server(failure(400, "too long")) as server:
        llm = openai(server.url)
        for _ in range(10):
            failing(lambda: ask(llm))
    assert len(server.requests) == 10


def test_a_service_is_asked_again_after_a_while() -> None:
    now = [0.0]
    found = breaker.Breaker(lambda: now[0])
    error = failing(lambda: ask(openai(f"http://127.0.0.1:{unused_port()}", connect_timeout=0.1)))
    found.failed(error, reached=False)
    failing(found.check)
    now[0] = breaker.OPEN_SECONDS + 1
    found.check()


def test_a_thread_that_cannot_be_started_is_a_fault_of_the_service(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with llm_server(chat("hello")) as server:
        llm = openai(server.url)
        with monkeypatch.context() as patch:
            patch.setattr(exchange.threading.Thread, "start", no_thread)
            assert "no further thread" in failing(lambda: ask(llm)).message
        assert ask(llm) == "hello"


def test_authorities_that_cannot_be_loaded_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", "/no/such/ca.pem")
    error = failing(lambda: ask(openai("https://llm.example.com/v1", connect_timeout=0.3)))
    assert "SSL_CERT_FILE" in error.remedy


def test_redirects_are_not_followed() -> None:
    with llm_server(chat("stolen")) as other:
        away = Reply(status=307, headers=(("Location", f"{other.url}/chat/completions"),))
        with llm_server(away) as server:
            error = failing(lambda: ask(openai(server.url)))
    assert other.requests == []
    assert error.status == 307
    assert "final address" in error.remedy


@pytest.mark.parametrize(
    ("reply", "message"),
    [
        (html(), "an HTML page"),
        (Reply(body=b""), "empty"),
        (Reply(body=b"  \n"), "empty"),
        (Reply(body=b"OK"), "not JSON"),
        (Reply(body=b"[" * 100_000), "not JSON"),
        (Reply(body=b"\xff\xfe\x00"), "not JSON"),
        (Reply(body=b"[]"), "not an object"),
        (Reply(body=b"{}"), "no choice"),
        (Reply(body=b'{"choices": []}'), "no choice"),
        (Reply(body=b'{"choices": {"0": 1}}'), "no choice"),
        (Reply(body=b'{"choices": [null]}'), "no choice"),
        (Reply(body=b'{"choices": [{}]}'), "no text"),
        (chat(None), "no text"),
        (chat([{"type": "image"}]), "no text"),
        (chat(7), "no text"),
        (Reply(body=b'{"error": {"message": "overloaded"}}'), "failed: overloaded"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_broken_answer_is_a_fault_of_the_service(reply: Reply, message: str) -> None:
    with llm_server(reply) as server:
        assert message in failing(lambda: ask(openai(server.url))).message
    assert len(server.requests) == 1


def test_a_text_in_parts_is_joined() -> None:
    parts = [{"type": "text", "text": "при"}, {"type": "other"}, {"type": "text", "text": "вет"}]
    with llm_server(chat(parts)) as server:
        assert ask(openai(server.url)) == "привет"


def test_a_huge_reply_is_refused() -> None:
    big = Reply(chunks=(b" " * 2**20,) * (exchange.MAX_BYTES // 2**20 + 2))
    with llm_server(big) as server:
        assert "larger than" in failing(lambda: ask(openai(server.url, timeout=10.0))).message


def test_a_packed_reply_is_refused_unread() -> None:
    bomb = Reply(body=gzip.compress(b" " * 10**7), headers=(("Content-Encoding", "gzip"),))
    with llm_server(bomb) as server:
        assert "compressed" in failing(lambda: ask(openai(server.url))).message
    assert server.requests[0].headers["accept-encoding"] == "identity"


@pytest.mark.parametrize("status", [400, 401, 500])
@pytest.mark.parametrize(
    "body",
    [
        f"Incorrect API key provided: {KEY}",
        f'{{"error": {{"message": "bad key {KEY}"}}}}',
        f'{{"detail": [{{"input": "{PROMPT}"}}]}}',
        "cannot read: be brief",
        f"\x1b]0;title\x07\x1b[31mBearer {KEY}\x1b[0m" + "x" * 5000,
        f"{'y' * 185}{KEY}",
        f"<html><body>{KEY} {PROMPT}</body></html>",
    ],
)
def test_what_the_service_repeats_is_not_told(status: int, body: str) -> None:
    with llm_server(Reply(status=status, body=body.encode())) as server:
        error = failing(lambda: ask(openai(server.url, retries=0)))
    assert len(error.message) < 400
    assert KEY[:12] not in error.message


def test_nothing_shows_the_key(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(0)
    with llm_server(chat("hello")) as server:
        llm = openai(server.url)
        ask(llm)
    assert KEY not in caplog.text
    assert PROMPT not in caplog.text
    assert repr(llm) == "OpenAILLM('openai:small')"


def test_connections_are_kept_between_calls() -> None:
    with llm_server(chat("hello")) as server:
        llm = openai(server.url)
        for _ in range(5):
            ask(llm)
    assert server.connections == 1


def test_a_kept_connection_that_was_closed_is_replaced() -> None:
    with llm_server(chat("one", headers=(("Connection", "close"),)), chat("two")) as server:
        llm = openai(server.url)
        assert [ask(llm), ask(llm)] == ["one", "two"]


def test_a_proxy_is_not_asked_for_what_is_on_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    with llm_server(chat("from the proxy")) as proxy, llm_server(chat("direct")) as server:
        monkeypatch.setenv("HTTP_PROXY", proxy.url)
        monkeypatch.delenv("NO_PROXY", raising=False)
        assert ask(openai(server.url)) == "direct"
    assert proxy.requests == []


def test_the_proxy_of_the_environment_is_used_for_other_hosts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with llm_server(chat("by proxy")) as proxy:
        monkeypatch.setenv("HTTP_PROXY", proxy.url)
        monkeypatch.delenv("NO_PROXY", raising=False)
        assert ask(openai("http://llm.example.com/v1", key="")) == "by proxy"
    assert proxy.requests[0].path == "http://llm.example.com/v1/chat/completions"


@pytest.mark.parametrize(
    "proxy", ["socks5://u:pw@localhost:1", "ftp://u:pw@localhost", "http://[u:pw"]
)
def test_a_proxy_that_cannot_be_used_is_told_without_its_password(
    proxy: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTP_PROXY", proxy)
    monkeypatch.setenv("ALL_PROXY", proxy)
    monkeypatch.delenv("NO_PROXY", raising=False)
    error = failing(lambda: ask(openai("http://llm.example.com/v1", key="", connect_timeout=0.3)))
    assert "u:pw" not in error.message
    assert "prox" in error.message + error.remedy


def test_a_flood_that_never_ends_costs_no_more_than_the_timeout() -> None:
    flood = Reply(chunks=(b'data: {"choices": []}\n\n',) * 200_000)
    with llm_server(flood) as server, within(0.5):
        failing(lambda: ask(openai(server.url, timeout=0.5, retries=0)))


def test_a_slow_reader_still_gets_what_has_come() -> None:
    with llm_server(stream("a", "b", "c")) as server:
        pieces = openai(server.url, timeout=0.5).stream("s", "u", max_tokens=5)
        heard = [next(pieces)]
        time.sleep(0.6)
        assert [*heard, *pieces] == ["a", "b", "c"]


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("0", 0.0),
        (" 17 ", 17.0),
        ("", None),
        ("-1", None),
        ("1e9", None),
        ("9" * 50, None),
        ("soon", None),
        ("Thu, 01 Jan 1970 00:01:40 GMT", 40.0),
        ("Thu, 01 Jan 1970 00:00:10 GMT", 0.0),
    ],
)
def test_retry_after_in_both_forms(value: str, seconds: float | None) -> None:
    assert retry_after(value, 60.0) == seconds


def test_pauses_grow_and_stay_within_the_limits() -> None:
    now, pauses = [0.0], list[float]()

    def sleep(seconds: float) -> None:
        pauses.append(seconds)
        now[0] += seconds

    patience = Patience(Limits(60.0, 3.0, 10), lambda: now[0], sleep)
    while patience.again(reached=True, wait=None):
        pass
    assert len(pauses) == 10
    assert all(0.1 * 2**n <= pause <= 0.2 * 2**n for n, pause in enumerate(pauses[:5]))
    assert max(pauses) <= 8.0
    assert now[0] < 60.0


@settings(derandomize=True, deadline=None, max_examples=60)
@given(st.binary(max_size=100), st.text("\x1b[]m;0 \n\u202eя", max_size=30))
def test_a_detail_is_one_printable_line_without_secret(body: bytes, text: str) -> None:
    said = detail(body + text.encode() + KEY.encode() + body, Hidden((KEY,), (PROMPT,)))
    assert said.isprintable()
    assert KEY not in said
