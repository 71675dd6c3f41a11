"""Services that speak OpenAI's chat completions: OpenAI itself, Ollama, llama.cpp, vLLM, …"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import chain
from typing import Any, Final, TypeVar

from docs_agent.core.errors import ServiceError
from docs_agent.core.llm.chat import read_completion, read_pieces, request_body
from docs_agent.core.llm.config import LLMConfig
from docs_agent.core.llm.excerpt import Hidden
from docs_agent.core.llm.exchange import Call, Exchange, Head
from docs_agent.core.llm.http import HttpService, bearer
from docs_agent.core.llm.patience import Limits
from docs_agent.core.llm.protocol import Completion

T = TypeVar("T")
_JSON_WAYS: Final = ("schema", "object", "none")
"""How JSON is asked for, the surest way first."""
_JSON_WORDS: Final = ("response_format", "json_schema", "json_object", "json mode", "structured")
"""With one of these in its error a service refuses the way JSON was asked for."""


class OpenAILLM:
    """A model of one service; it remembers what the service turned out not to have."""

    def __init__(self, config: LLMConfig, key: str) -> None:
        """config: complete, with address and model. key: may be empty for a local service."""
        self._config = config
        self._key = key
        limits = Limits(config.timeout, config.connect_timeout, config.retries)
        variable = "DOCS_AGENT_LLM_API_KEY"
        self._service = HttpService(config.base_url, limits, config.verify, variable)
        auto = config.json_output == "auto"
        self._json_way = _JSON_WAYS[0] if auto else config.json_output
        self._length_field = "max_tokens"
        self._temperature = True

    def __repr__(self) -> str:
        return f"OpenAILLM({self.name!r})"

    @property
    def name(self) -> str:
        return f"openai:{self._config.model}"

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
        hidden = self._hidden(system, user)

        def read(_: Head, exchange: Exchange) -> Completion:
            return read_completion(exchange.body(), self._config.model, hidden)

        def body() -> bytes:
            options = {**self._options(max_tokens), **asked_json(self._json_way, schema)}
            return request_body(self._config.model, system, user, stream=False, options=options)

        return self._send(body, read, hidden, json=schema is not None)

    def stream(self, system: str, user: str, *, max_tokens: int) -> Iterator[str]:
        hidden = self._hidden(system, user)

        def begin(head: Head, exchange: Exchange) -> Iterator[str]:
            return begun(read_pieces(head, exchange, self._config.model, hidden))

        def body() -> bytes:
            options = self._options(max_tokens)
            return request_body(self._config.model, system, user, stream=True, options=options)

        yield from self._send(body, begin, hidden, json=False)

    def _send(
        self,
        body: Callable[[], bytes],
        use: Callable[[Head, Exchange], T],
        hidden: Hidden,
        *,
        json: bool,
    ) -> T:
        patience = self._service.begin()
        url = f"{self._config.base_url}/chat/completions"
        while True:
            call = Call(url, bearer(self._key, {}), body())
            try:
                return self._service.call(call, use, patience=patience, hidden=hidden)
            except ServiceError as error:
                if error.status not in (400, 422) or not self._adapted(error.detail, json=json):
                    raise

    def _adapted(self, detail: str, *, json: bool) -> bool:
        """Whether the service's error names something that can be asked for in another way. What
        is learned here holds for the further calls too; each thing changes once."""
        said = detail.lower()
        if "max_completion_tokens" in said and self._length_field == "max_tokens":
            self._length_field = "max_completion_tokens"
            return True
        if "temperature" in said and self._temperature:
            self._temperature = False
            return True
        auto = self._config.json_output == "auto" and json and self._json_way != _JSON_WAYS[-1]
        if auto and any(word in said for word in _JSON_WORDS):
            self._json_way = _JSON_WAYS[_JSON_WAYS.index(self._json_way) + 1]
            return True
        return False

    def _options(self, max_tokens: int) -> dict[str, Any]:
        options: dict[str, Any] = {self._length_field: min(max_tokens, self._config.max_tokens)}
        if self._temperature:
            options["temperature"] = self._config.temperature
        return options

    def _hidden(self, system: str, user: str) -> Hidden:
        return Hidden((self._key,), (system, user))


def begun(pieces: Iterator[str]) -> Iterator[str]:
    """The same pieces, after the first one has come: until then a call can be tried again."""
    first = next(pieces, "")
    return chain((first,), pieces) if first else pieces


def asked_json(way: str, schema: Mapping[str, Any] | None) -> dict[str, Any]:
    """Fields of a request that ask for JSON of a shape, by one of the ways."""
    if schema is None or way == "none":
        return {}
    if way == "object":
        return {"response_format": {"type": "json_object"}}
    described = {"name": "reply", "schema": schema, "strict": True}
    return {"response_format": {"type": "json_schema", "json_schema": described}}
