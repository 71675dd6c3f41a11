"""A question is answered by its words when the service of its vector is away."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from docs_agent.core.embed.protocol import Embedder
from docs_agent.core.errors import ServiceError

if TYPE_CHECKING:
    from docs_agent.core.embed.protocol import Matrix, Vector


class ByWordsWithout:
    """An embedder whose questions have no vector, zeros, while the service fails."""

    def __init__(self, embedder: Embedder, trouble: Callable[[ServiceError], None]) -> None:
        """trouble: is told of each failure."""
        self._embedder = embedder
        self._trouble = trouble

    @property
    def fingerprint(self) -> str:
        return self._embedder.fingerprint

    @property
    def dim(self) -> int:
        return self._embedder.dim

    def documents(self, texts: Sequence[str]) -> Matrix:
        """As the embedder does. Raises ServiceError: records without vectors would stay so."""
        return self._embedder.documents(texts)

    def query(self, text: str) -> Vector:
        """(dim,) float32 of unit length, or zeros."""
        try:
            return self._embedder.query(text)
        except ServiceError as error:
            import numpy as np

            self._trouble(error)
            return np.zeros(self.dim, dtype=np.float32)
