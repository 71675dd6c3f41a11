"""Language models of a server on loopback, and what must never be told about them."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from llm_server import LLMServer

from docs_agent.core.errors import ServiceError
from docs_agent.core.llm.config import LLMConfig
from docs_agent.core.llm.protocol import LLM
from docs_agent.core.llm.registry import make_llm

KEY = "sk-very-secret-0123456789"
SYSTEM = "be brief"
PROMPT = "what the user asked about the secret project Heron"
QUICK: dict[str, Any] = {"timeout": 4.0, "connect_timeout": 2.0, "retries": 2}


def openai(url: str, *, key: str = KEY, **fields: Any) -> LLM:
    """A client of an OpenAI-compatible service."""
    values = {**QUICK, **fields}
    config = LLMConfig(provider="openai", base_url=url, model="small", source="x.toml", **values)
    return made(config, {"DOCS_AGENT_LLM_API_KEY": key} if key else {})


def gigachat(server: LLMServer, **fields: Any) -> LLM:
    """A client of GigaChat whose two services are one server."""
    values = {**QUICK, **fields}
    config = LLMConfig(provider="gigachat", **values)
    addresses = {"GIGACHAT_AUTH_URL": f"{server.url}/oauth", "GIGACHAT_API_URL": server.url}
    return made(config, {"DOCS_AGENT_LLM_API_KEY": KEY, **addresses})


def made(config: LLMConfig, environ: dict[str, str]) -> LLM:
    llm = make_llm(config, environ)
    assert llm is not None
    return llm


def ask(llm: LLM, **more: Any) -> str:
    return llm.complete(SYSTEM, PROMPT, max_tokens=50, **more).text


def failing(call: Callable[[], object]) -> ServiceError:
    """The error a call ends in; it holds neither key nor prompt, and says what to do."""
    with pytest.raises(ServiceError) as caught:
        call()
    error = caught.value
    told = f"{error.message} {error.remedy} {error.detail} {error!r} {error.__cause__!r}"
    assert KEY not in told
    assert PROMPT[-20:] not in told
    assert SYSTEM not in told
    assert "\x1b" not in told
    assert error.remedy
    assert error.exit_status == 3
    return error


def no_thread(_: object) -> None:
    """What starting a thread does when the system has none left."""
    raise RuntimeError("can't start new thread")


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """The block takes no longer, with a little more for a busy machine."""
    begin = time.monotonic()
    yield
    assert time.monotonic() - begin < seconds + 5
