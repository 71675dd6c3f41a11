"""A key or token that the service repeats is told nowhere, not in good replies either."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from llm_clients import KEY, PROMPT, ask, failing, gigachat, openai
from llm_server import Reply, Request, chat, failure, llm_server, stream, token

from docs_agent.core.llm.excerpt import Hidden, detail

HALF = KEY[: len(KEY) // 2]
TOKEN = "token-abcdefgh-12345678"


def _spelled(form: str) -> str:
    """The key as a text can hold it so that only what is shown in the end is the key."""
    first, rest = KEY[:5], KEY[5:]
    return {
        "plain": KEY,
        "coloured": f"{first}\x1b[31m{rest}",
        "titled": f"{first}\x1b]0;x\x07{rest}",
        "invisible": f"{first}\u200b\u202e{rest}",
        "JSON": "".join(f"\\u{ord(char):04X}" for char in KEY),
        "coloured JSON": f"{first}\\u001b[0m{rest}",
        "behind an open title": f"\x1b] {first}\u200b{rest}",
    }[form]


FORMS = ("plain", "coloured", "titled", "invisible", "JSON", "coloured JSON")


@pytest.mark.parametrize("form", [*FORMS, "behind an open title"])
def test_a_good_reply_repeats_no_key(form: str) -> None:
    with llm_server(chat(f"ваш ключ {_spelled(form)}, your key")) as server:
        said = ask(openai(server.url))
    assert "[secret]" in said
    assert "your key" in said
    assert KEY[5:] not in said


def test_a_reply_without_secret_stays_as_it_is() -> None:
    text = 'a\n\tb \\" \\u0041 \x1b[31m\u200bя sk-very'
    with llm_server(chat(text)) as server:
        assert ask(openai(server.url)) == text


def test_a_reply_that_ends_within_the_key_is_hidden_too() -> None:
    with llm_server(chat(f"key {KEY[:-1]}", finish_reason="length")) as server:
        assert ask(openai(server.url)) == "key [secret]"


def test_names_repeat_no_key() -> None:
    with llm_server(chat("ok", model="m" * 190 + KEY, finish_reason=f"stop {KEY}")) as server:
        found = openai(server.url).complete("s", PROMPT, max_tokens=5)
    assert KEY[:10] not in found.model + found.finish_reason
    assert found.finish_reason == "stop [secret]"


@pytest.mark.parametrize("size", [1, 2, 7, len(KEY), 100])
@pytest.mark.parametrize("text", [f"ключ {KEY}!", f"{KEY}{KEY}", KEY[:-1] + KEY])
def test_a_stream_repeats_no_key_however_it_is_cut(size: int, text: str) -> None:
    pieces = [text[at : at + size] for at in range(0, len(text), size)]
    with llm_server(stream(*pieces)) as server:
        said = "".join(openai(server.url).stream("s", PROMPT, max_tokens=5))
    assert said == text.replace(KEY, "[secret]")


def test_pieces_are_given_on_as_they_come() -> None:
    hidden = Hidden((KEY,))
    assert list(hidden.pieces(["one ", "s", "ix ", HALF, " x", HALF])) == [
        "one ",
        "six ",
        f"{HALF} x",
        "[secret]",
    ]


@settings(derandomize=True, deadline=None, max_examples=80)
@given(st.lists(st.sampled_from([KEY, KEY[:7], KEY[7:], "\x1b", "[31m", "\u200b", "я ", "s", ""])))
def test_no_pieces_add_up_to_the_key(pieces: list[str]) -> None:
    said = "".join(Hidden((KEY,)).pieces(pieces))
    assert KEY not in said
    assert "\x1b" not in said


@pytest.mark.parametrize("size", [65_536, 2_000, 200])
def test_no_half_of_a_key_is_left_where_an_error_is_cut(size: int) -> None:
    for filler in (" ", "x", "\u200b"):
        pad = filler * ((size - len(HALF)) // len(filler.encode()))
        reply = Reply(status=400, body=f"{pad}{KEY}".encode())
        with llm_server(reply) as server:
            error = failing(lambda: ask(openai(server.url)))
        assert HALF not in error.message + error.detail


def test_an_error_in_a_good_reply_is_hidden_before_it_is_cut() -> None:
    message = " " * (65_536 - len(HALF)) + KEY
    with llm_server(Reply(body=json.dumps({"error": message}).encode())) as server:
        assert HALF not in failing(lambda: ask(openai(server.url))).message


def test_a_token_that_was_renewed_stays_hidden() -> None:
    def reply(request: Request) -> Reply:
        if request.path == "/oauth":
            served.append(request)
            return token(f"{TOKEN}-{len(served)}")
        if request.headers["authorization"].endswith("-1"):
            return failure(401, "expired")
        return chat(f"once {TOKEN}-1, now {TOKEN}-2, key {KEY}")

    served: list[Request] = []
    with llm_server(reply) as server:
        assert ask(gigachat(server)) == "once [secret], now [secret], key [secret]"


def test_a_token_that_was_renewed_stays_hidden_in_errors_of_both_services() -> None:
    for last in (token("another-token-87654321"), failure(400, f"old {TOKEN}")):
        script = (token(TOKEN), failure(401), last, failure(400, f"old {TOKEN}"))
        with llm_server(*script) as server:
            error = failing(lambda: ask(gigachat(server)))
        assert "old [secret]" in error.message


def test_the_longer_of_two_secrets_goes_first() -> None:
    hidden = Hidden((TOKEN, f"{TOKEN}-longer"))
    assert detail(f"a {TOKEN}-longer".encode(), hidden) == "a [secret]"
