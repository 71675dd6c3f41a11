"""GigaChat: chat completions behind an OAuth token that has to be fetched and renewed."""

from __future__ import annotations

import json
import math
import time
import uuid
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, TypeVar

from docs_agent.core.errors import ServiceError
from docs_agent.core.llm.chat import read_completion, read_pieces, request_body
from docs_agent.core.llm.config import LLMConfig
from docs_agent.core.llm.excerpt import Hidden
from docs_agent.core.llm.exchange import Call, Exchange, Head
from docs_agent.core.llm.http import HttpService, bearer
from docs_agent.core.llm.names import MODEL_NAMES, Names
from docs_agent.core.llm.openai import asked_json, begun
from docs_agent.core.llm.patience import Limits, Patience
from docs_agent.core.llm.protocol import Completion

MARGIN_SECONDS: Final = 60.0
"""A token is renewed so long before it ends."""

T = TypeVar("T")
_LATEST: Final = 1e15
"""Milliseconds; larger numbers need not fit into a float."""
_LONGEST: Final = 24 * 3600.0
"""Seconds; the service's tokens last half an hour, whatever end it names."""
_TOKEN_CHARS: Final = 16_384
"""No longer one fits into the headers that servers take."""
_KEY_NAME: Final = "GIGACHAT_TOKEN, or DOCS_AGENT_LLM_API_KEY for an address of the configuration"
_LOWEST_TEMPERATURE: Final = 0.001
"""The service refuses 0."""


class TokenSource:
    """The access token, fetched when there is none that still holds."""

    def __init__(
        self,
        config: LLMConfig,
        key: str,
        clock: Callable[[], float] = time.time,
        *,
        names: Names = MODEL_NAMES,
        key_name: str = _KEY_NAME,
    ) -> None:
        """config: complete, with auth_url and scope. names, key_name: as in HttpService."""
        self.service = HttpService(
            config.auth_url,
            Limits(config.timeout, config.connect_timeout, config.retries),
            config.verify,
            key_name,
            names=names,
        )
        self._section = names.section
        self._url = config.auth_url
        self._scope = config.scope
        self._key = key
        self._clock = clock
        self._token = ""
        self._ends = 0.0
        self.secrets: tuple[str, ...] = (key,)
        """The key and every token of the run: a service can repeat one that was renewed."""

    def __repr__(self) -> str:
        return f"TokenSource({self._url!r})"

    def token(self, patience: Patience) -> str:
        """A token that holds. Raises ServiceError."""
        if not self._token or self._clock() >= self._ends - MARGIN_SECONDS:
            self._token, ends = self._fetch(patience)
            if self._token not in self.secrets:
                self.secrets += (self._token,)
            self._ends = min(ends, self._clock() + _LONGEST)
        return self._token

    def forget(self) -> None:
        """The token was refused: the next one is fetched."""
        self._token = ""

    def _fetch(self, patience: Patience) -> tuple[str, float]:
        from urllib.parse import urlencode

        headers = {
            "Authorization": f"Basic {self._key}",
            "RqUID": str(uuid.uuid4()),
            "Content-Type": "application/x-www-form-urlencoded",
            "Accept": "application/json",
        }
        call = Call(self._url, headers, urlencode({"scope": self._scope}).encode())
        hidden = Hidden(self.secrets)

        def read(_: Head, exchange: Exchange) -> tuple[str, float]:
            return _read_token(exchange.body(), self._section)

        found = self.service.call(call, read, patience=patience, hidden=hidden)
        # The other service has its own time to be reached.
        patience.begin_connecting()
        return found


def _read_token(body: bytes, section: str) -> tuple[str, float]:
    """The token and when it ends, in seconds since 1970; 0 when the service does not say."""
    try:
        value: Any = json.loads(body)
    except (ValueError, RecursionError):
        value = None
    found = value.get("access_token") if isinstance(value, dict) else None
    if not isinstance(found, str) or not _is_token(found):
        raise ServiceError(
            "the token service's reply holds no token",
            remedy=f"check {section}.auth_url and {section}.scope",
        )
    ends = value.get("expires_at")
    # Neither no number nor an endless one says when.
    said = isinstance(ends, (int, float)) and not isinstance(ends, bool) and 0 < ends < math.inf
    return found, min(ends, _LATEST) / 1000 if said else 0.0


def _is_token(text: str) -> bool:
    fits = 0 < len(text) <= _TOKEN_CHARS
    return fits and text.isascii() and text.isprintable() and " " not in text


class GigaChatLLM:
    """A model of GigaChat."""

    def __init__(self, config: LLMConfig, key: str, clock: Callable[[], float] = time.time) -> None:
        """config: complete, with both addresses, scope and model. clock: seconds since 1970."""
        self._config = config
        limits = Limits(config.timeout, config.connect_timeout, config.retries)
        self._service = HttpService(config.base_url, limits, config.verify, _KEY_NAME)
        self._tokens = TokenSource(config, key, clock)

    def __repr__(self) -> str:
        return f"GigaChatLLM({self.name!r})"

    @property
    def name(self) -> str:
        return f"gigachat:{self._config.model}"

    @property
    def prompt_budget(self) -> int:
        return self._config.context_tokens - self._config.max_tokens

    def complete(
        self,
        system: str,
        user: str,
        *,
        max_tokens: int,
        schema: Mapping[str, Any] | None = None,
    ) -> Completion:
        # Only asked for when the configuration says that the service can do it.
        way = "none" if self._config.json_output == "auto" else self._config.json_output
        options = {**self._options(max_tokens), **asked_json(way, schema)}
        body = request_body(self._config.model, system, user, stream=False, options=options)

        def use(_: Head, exchange: Exchange, hidden: Hidden) -> Completion:
            return read_completion(exchange.body(), self._config.model, hidden)

        return self._send(body, use, (system, user))

    def stream(self, system: str, user: str, *, max_tokens: int) -> Iterator[str]:
        options = self._options(max_tokens)
        body = request_body(self._config.model, system, user, stream=True, options=options)

        def use(head: Head, exchange: Exchange, hidden: Hidden) -> Iterator[str]:
            return begun(read_pieces(head, exchange, self._config.model, hidden))

        yield from self._send(body, use, (system, user))

    def _send(
        self, body: bytes, use: Callable[[Head, Exchange, Hidden], T], prompts: tuple[str, ...]
    ) -> T:
        # A service that is down costs no token first.
        self._service.breaker.check()
        patience = self._service.begin()
        token = self._tokens.token(patience)
        try:
            return self._once(body, use, prompts, token, patience)
        except ServiceError as error:
            if error.status != 401:
                raise
        self._tokens.forget()
        return self._once(body, use, prompts, self._tokens.token(patience), patience)

    def _once(
        self,
        body: bytes,
        use: Callable[[Head, Exchange, Hidden], T],
        prompts: tuple[str, ...],
        token: str,
        patience: Patience,
    ) -> T:
        hidden = Hidden(self._tokens.secrets, prompts)
        headers = bearer(token, {"X-Request-ID": str(uuid.uuid4())})
        call = Call(f"{self._config.base_url}/chat/completions", headers, body)
        return self._service.call(
            call,
            lambda head, exchange: use(head, exchange, hidden),
            patience=patience,
            hidden=hidden,
        )

    def _options(self, max_tokens: int) -> dict[str, Any]:
        return {
            "max_tokens": min(max_tokens, self._config.max_tokens),
            "temperature": max(self._config.temperature, _LOWEST_TEMPERATURE),
        }
