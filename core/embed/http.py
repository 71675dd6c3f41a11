"""Embeddings of any service with OpenAI's `/embeddings`: OpenAI, Ollama, llama.cpp, vLLM, …"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

from docs_agent.core.embed.doubts import Doubts
from docs_agent.core.embed.protocol import Spent
from docs_agent.core.embed.service import KEY_VARIABLE, EmbeddingService
from docs_agent.core.embed.shape import dimensions_in, document, question, stem_of, unit
from docs_agent.core.errors import ServiceError
from docs_agent.core.llm.excerpt import Hidden
from docs_agent.core.llm.exchange import Call, Exchange, Head
from docs_agent.core.llm.http import HttpService, bearer
from docs_agent.core.llm.names import EMBEDDER_NAMES
from docs_agent.core.llm.patience import Limits

if TYPE_CHECKING:
    from docs_agent.core.embed.http_reply import Vectors
    from docs_agent.core.embed.protocol import Matrix, Vector
    from docs_agent.core.llm.gigachat import TokenSource

KIND: Final = "http"
MAX_BYTES: Final = 64 * 2**20
"""Bytes of a reply; 2048 vectors of 1536 numbers are about that."""
QUESTION_RETRIES: Final = 1
PROBE: Final = "dimensions"
"""A text whose vector tells how long they are."""
_SHOWN_TEXTS: Final = 8
"""So many texts of a request are looked for in what a service says of it."""


class HttpEmbedder:
    """Embedder of one model of a service. Constructing it sends nothing."""

    def __init__(self, service: EmbeddingService, built: str = "") -> None:
        """built: fingerprint of the index as it is, so that nobody has to ask how long the vectors
        of the model are."""
        config = service.config
        self.stem = stem_of(KIND, config.model, config)
        self.spent = Spent()
        self._config = config
        self._key = service.key
        self._tokens = _tokens(service) if config.auth_url else None
        self._dim = config.dimensions or dimensions_in(built, self.stem)
        self._batch = config.batch
        self._asks_dimensions = bool(config.dimensions)
        self._url = f"{config.base_url}/embeddings"
        self._doubts = Doubts(self._url)
        limits = Limits(config.timeout, config.connect_timeout, config.retries)
        short = config.question_timeout
        question_limits = Limits(short, min(config.connect_timeout, short), QUESTION_RETRIES)
        self._indexing = self._service(limits, "embedder.timeout")
        self._asking = self._service(question_limits, "embedder.question_timeout")

    def __repr__(self) -> str:
        return f"HttpEmbedder({self.stem!r})"

    @property
    def fingerprint(self) -> str:
        """Asks the service for one vector when neither configuration nor index say how long they
        are. Raises ServiceError then."""
        return f"{self.stem}@{self.dim}"

    @property
    def dim(self) -> int:
        """As `fingerprint`."""
        if not self._dim:
            self._ask([PROBE], self._indexing)
        return self._dim

    def documents(self, texts: Sequence[str]) -> Matrix:
        """(len(texts), dim) float32 of unit length; zeros for a text without words.

        Raises ServiceError when the service fails or gives other vectors than it should.
        """
        import numpy as np

        read = [document(text, self._config) for text in texts]
        rows: dict[str, Vector] = {}
        for batch in self._batches([text for text in dict.fromkeys(read) if text]):
            rows.update(zip(batch, self._vectors(batch), strict=True))
        out = np.zeros((len(texts), self.dim), dtype=np.float32)
        for number, text in enumerate(read):
            if text:
                out[number] = rows[text]
        return out

    def requests(self, texts: Sequence[str]) -> Iterator[Sequence[str]]:
        """See `Metered`."""
        return self._batches(texts)

    def query(self, text: str) -> Vector:
        """(dim,) float32 of unit length, or zeros. One request with a short limit of its own.

        Raises ServiceError as `documents` does.
        """
        import numpy as np

        read = question(text, self._config)
        if not read:
            return np.zeros(self.dim, dtype=np.float32)
        vector: Vector = self._ask([read], self._asking)[0]
        return vector

    def _service(self, limits: Limits, timeout: str) -> HttpService:
        names = EMBEDDER_NAMES._replace(timeout=timeout)
        config = self._config
        return HttpService(
            config.base_url, limits, config.verify, KEY_VARIABLE, names=names, max_bytes=MAX_BYTES
        )

    def _batches(self, texts: Sequence[str]) -> Iterator[list[str]]:
        batch: list[str] = []
        chars = 0
        prefix = len(self._config.document_prefix)
        for text in texts:
            size = min(len(text), self._config.text_chars) + prefix
            if batch and (len(batch) >= self._batch or chars + size > self._config.batch_chars):
                yield batch
                batch, chars = [], 0
            batch.append(text)
            chars += size
        if batch:
            yield batch

    def _vectors(self, texts: Sequence[str]) -> Matrix:
        """Vectors of one batch; of its halves when the service finds it too large."""
        import numpy as np

        try:
            found = self._ask(texts, self._indexing)
        except ServiceError as error:
            if error.status != 413 or len(texts) == 1:
                raise
        else:
            self._doubts.notice_one_for_all(found)
            return found
        half = (len(texts) + 1) // 2
        self._batch = min(self._batch, half)
        return np.concatenate([self._vectors(texts[:half]), self._vectors(texts[half:])])

    def _ask(self, texts: Sequence[str], service: HttpService) -> Matrix:
        """Vectors of texts that are not empty, in their order."""
        started, before = time.perf_counter(), service.attempts
        try:
            found = self._send(texts, service)
        finally:
            self.spent.seconds += time.perf_counter() - started
            self.spent.requests += service.attempts - before
        self._doubts.refuse_zeros(found.rows)
        self._dim = found.rows.shape[1]
        self.spent.texts += len(texts)
        self.spent.characters += sum(map(len, texts))
        self.spent.tokens += found.tokens
        return unit(found.rows)

    def _send(self, texts: Sequence[str], service: HttpService) -> Vectors:
        from docs_agent.core.embed.http_reply import read_vectors

        service.breaker.check()
        patience = service.begin()
        fresh = False

        def use(_: Head, exchange: Exchange) -> Vectors:
            return read_vectors(exchange.body(), len(texts), self._dim, self._url)

        while True:
            key = self._tokens.token(patience) if self._tokens else self._key
            secrets = self._tokens.secrets if self._tokens else (key,)
            hidden = Hidden(secrets, tuple(texts[:_SHOWN_TEXTS]))
            call = Call(self._url, bearer(key, {}), self._body(texts))
            try:
                return service.call(call, use, patience=patience, hidden=hidden)
            except ServiceError as error:
                if error.status == 401 and self._tokens and not fresh:
                    # A token may end before its time, once.
                    self._tokens.forget()
                    fresh = True
                    continue
                refused = error.status in (400, 422) and "dimension" in error.detail.lower()
                if not (refused and self._asks_dimensions):
                    raise
            # Most models have vectors of one length only and services that will not hear of it.
            self._asks_dimensions = False

    def _body(self, texts: Sequence[str]) -> bytes:
        value: dict[str, Any] = {"model": self._config.model, "input": list(texts)}
        if self._asks_dimensions:
            value["dimensions"] = self._config.dimensions
        return json.dumps(value, ensure_ascii=False).encode("utf-8", "replace")


def _tokens(service: EmbeddingService) -> TokenSource:
    """Where the key is exchanged for what is sent."""
    from docs_agent.core.llm.config import LLMConfig
    from docs_agent.core.llm.gigachat import TokenSource

    config = service.config
    told = LLMConfig(
        auth_url=config.auth_url,
        scope=config.scope,
        timeout=config.timeout,
        connect_timeout=config.connect_timeout,
        retries=config.retries,
        verify=config.verify,
    )
    return TokenSource(told, service.key, names=EMBEDDER_NAMES, key_name=KEY_VARIABLE)
