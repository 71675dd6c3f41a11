"""No vectors: search by words alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from docs_agent.core.embed.protocol import Matrix, Vector


class NoEmbedder:
    """Embedder whose vectors have no dimensions."""

    @property
    def fingerprint(self) -> str:
        return "none"

    @property
    def dim(self) -> int:
        return 0

    def documents(self, texts: Sequence[str]) -> Matrix:
        """(len(texts), 0) float32."""
        import numpy as np

        return np.zeros((len(texts), 0), dtype=np.float32)

    def query(self, text: str) -> Vector:
        """(0,) float32."""
        import numpy as np

        return np.zeros(0, dtype=np.float32)
