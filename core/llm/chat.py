"""The chat completions format, which both services speak: what is sent, what comes back."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import closing
from typing import Any, Final

from docs_agent.core.errors import ServiceError
from docs_agent.core.llm.excerpt import Hidden, clean, shown
from docs_agent.core.llm.exchange import Exchange, Head
from docs_agent.core.llm.protocol import Completion
from docs_agent.core.llm.sse import event_data

_REMEDY: Final = "check that llm.base_url leads to a chat completions service"
_DONE: Final = "[DONE]"


def request_body(
    model: str, system: str, user: str, *, stream: bool, options: Mapping[str, Any]
) -> bytes:
    """The body of a request; `options` are further fields."""
    messages = [{"role": "user", "content": user}]
    if system:
        messages.insert(0, {"role": "system", "content": system})
    body: dict[str, Any] = {"model": model, "messages": messages, **options}
    if stream:
        body["stream"] = True
    # Half of a character pair can stand in a text that was cut; no service takes one.
    return json.dumps(body, ensure_ascii=False).encode("utf-8", "replace")


def read_completion(body: bytes, model: str, hidden: Hidden) -> Completion:
    """A whole reply. Raises ServiceError when it is none."""
    value = _value(body, hidden)
    choice = _choice(value)
    message = choice.get("message")
    text = _text(message.get("content")) if isinstance(message, dict) else None
    if text is None:
        raise ServiceError("the language model's reply holds no text", remedy=_REMEDY)
    usage = value.get("usage")
    usage = usage if isinstance(usage, dict) else {}
    return Completion(
        hidden.masked(text),
        _word(value.get("model"), hidden) or model,
        _count(usage.get("prompt_tokens")),
        _count(usage.get("completion_tokens")),
        _word(choice.get("finish_reason"), hidden),
    )


def read_pieces(head: Head, exchange: Exchange, model: str, hidden: Hidden) -> Iterator[str]:
    """A streamed reply in pieces; a service that does not stream gives all of it in one.

    Raises ServiceError when the stream ends before the reply does. Closes the exchange.
    """
    with closing(exchange):
        if "text/event-stream" not in head.headers.get("content-type", "").lower():
            yield read_completion(exchange.body(), model, hidden).text
            return
        yield from hidden.pieces(_pieces(exchange, hidden))


def _pieces(exchange: Exchange, hidden: Hidden) -> Iterator[str]:
    for data in event_data(exchange.chunks()):
        if data.strip() == _DONE:
            return
        piece, finished = _piece(data, hidden)
        if piece:
            yield piece
        if finished:
            return
    raise ServiceError(
        "the language model's stream ended before its reply did",
        remedy="try again; when it happens each time, look at the service's own log",
        retryable=True,
    )


def _piece(data: str, hidden: Hidden) -> tuple[str, bool]:
    """The text of an event, and whether it is the last one."""
    value = _value(data.encode("utf-8", "replace"), hidden)
    if value.get("choices") == []:
        return "", False  # such an event only counts tokens
    choice = _choice(value)
    delta = choice.get("delta")
    text = _text(delta.get("content")) if isinstance(delta, dict) else None
    return text or "", bool(choice.get("finish_reason"))


def _value(body: bytes, hidden: Hidden) -> dict[str, Any]:
    text = body.decode("utf-8-sig", "replace")
    if not text.strip():
        raise ServiceError("the language model's reply is empty", remedy=_REMEDY)
    try:
        value: Any = json.loads(text)
    except (ValueError, RecursionError):
        kind = "an HTML page" if text.lstrip()[:1] == "<" else "not JSON"
        raise ServiceError(f"the language model's reply is {kind}", remedy=_REMEDY) from None
    if not isinstance(value, dict):
        raise ServiceError("the language model's reply is not an object", remedy=_REMEDY)
    if value.get("error"):
        raise ServiceError(
            f"the language model failed{shown(hidden.out_of(_error(value['error'])))}",
            remedy="look at what the service says, or try again later",
        )
    return value


def _error(error: Any) -> str:
    if isinstance(error, dict):
        error = error.get("message") or error.get("code") or ""
    return error if isinstance(error, str) else ""


def _choice(value: Mapping[str, Any]) -> dict[str, Any]:
    choices = value.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    if not isinstance(choice, dict):
        raise ServiceError("the language model's reply holds no choice", remedy=_REMEDY)
    return choice


def _text(content: Any) -> str | None:
    """Text, or a list of parts of which some are text."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return None
    parts = [part.get("text") if isinstance(part, dict) else part for part in content]
    texts = [part for part in parts if isinstance(part, str)]
    return "".join(texts) if texts else None


def _word(value: Any, hidden: Hidden) -> str:
    return clean(hidden.masked(value))[:200] if isinstance(value, str) else ""


def _count(value: Any) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0
