"""The default embedder: a table of word-piece vectors, no network to run.

A text's vector is the sum of its pieces' vectors, each weighted by its rarity (already in the
table) and the square root of how often the text has it, at unit length.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from docs_agent.core.embed.pieces import PieceTokenizer
    from docs_agent.core.embed.protocol import Matrix, Vector
    from docs_agent.core.embed.table import Table

DIM: Final = 192
FINGERPRINT: Final = "static:use-ml3-r1"
"""Changes with the table and with the way texts become vectors."""

_BATCH_PIECES = 15_000
"""Pieces worked on at once; bounds memory, a longer text is a batch of its own."""


class StaticEmbedder:
    """Embedder over the shipped table, or that at `path`. Constructing it reads nothing, and what
    reads is imported then: a question whose vector is cached needs none of it."""

    def __init__(self, path: Path | None = None) -> None:
        self._path = path

    @property
    def fingerprint(self) -> str:
        return FINGERPRINT

    @property
    def dim(self) -> int:
        return DIM

    def preload(self) -> None:
        """See protocol.Preloading."""
        import numpy  # noqa: F401

        self._tokenizer.preload()

    def documents(self, texts: Sequence[str]) -> Matrix:
        """(len(texts), dim) float32 of unit length; zeros for a text without known pieces.

        Raises InputError when the table is missing or damaged.
        """
        import numpy as np

        from docs_agent.core.embed.pieces import gathered

        out = np.zeros((len(texts), DIM), dtype=np.float32)
        done = 0
        for batch in gathered(self._tokenizer.all_ids(texts), _BATCH_PIECES):
            self._embed(batch, out[done : done + len(batch)])
            done += len(batch)
        return out

    def query(self, text: str) -> Vector:
        """(dim,) float32 of unit length, or zeros.

        Raises InputError when the table is missing or damaged.
        """
        import numpy as np

        out = np.zeros((1, DIM), dtype=np.float32)
        self._embed([self._tokenizer.ids(text)], out)
        vector: Vector = out[0]
        return vector

    @cached_property
    def _table(self) -> Table:
        from docs_agent.core.embed.table import TABLE_PATH, open_table

        return open_table(self._path or TABLE_PATH)

    @cached_property
    def _tokenizer(self) -> PieceTokenizer:
        from docs_agent.core.embed.pieces import tokenizer
        from docs_agent.core.embed.table import TABLE_PATH

        return tokenizer(self._path or TABLE_PATH)

    def _embed(self, texts: Sequence[Sequence[int]], out: Matrix) -> None:
        """Fill rows of zeros with the vectors of piece ids."""
        import numpy as np

        from docs_agent.core.embed.table import Section

        rows_of = np.frombuffer(self._table.section(Section.ROWS), dtype="<i4")
        sizes = np.fromiter(map(len, texts), dtype=np.int64, count=len(texts))
        ids = np.fromiter(chain.from_iterable(texts), dtype=np.int64, count=int(sizes.sum()))
        rows = rows_of[ids].astype(np.int64)
        keys = np.repeat(np.arange(len(texts)), sizes) * self._table.rows + rows
        keys, counts = np.unique(keys[rows >= 0], return_counts=True)
        if not len(keys):
            return
        owners, rows = np.divmod(keys, self._table.rows)
        used, places = np.unique(rows, return_inverse=True)
        weighted = self._vectors(used)[places]
        weighted *= np.sqrt(counts, dtype=np.float32)[:, None]
        firsts = np.flatnonzero(np.diff(owners, prepend=-1))
        sums = np.add.reduceat(weighted, firsts, axis=0)
        # A sum of opposite vectors may be all but zero; it then has no direction worth keeping.
        lengths = np.sqrt(np.einsum("ij,ij->i", sums, sums))[:, None]
        out[owners[firsts]] = np.where(lengths > 1e-12, sums / np.maximum(lengths, 1e-12), 0)

    def _vectors(self, rows: NDArray[np.int64]) -> Matrix:
        """Vectors of rows, unpacked from four bits."""
        import numpy as np

        from docs_agent.core.embed.table import Section

        table = self._table
        levels = np.frombuffer(table.section(Section.LEVELS), dtype="<f4", count=16)
        scales = np.frombuffer(table.section(Section.SCALES), dtype="<f4", count=table.rows)
        size = table.rows * DIM // 2
        codes = np.frombuffer(table.section(Section.CODES), dtype=np.uint8, count=size)
        packed = codes.reshape(table.rows, DIM // 2)[rows]
        out = np.empty((len(rows), DIM), dtype=np.float32)
        out[:, 0::2] = levels[packed & 15]
        out[:, 1::2] = levels[packed >> 4]
        out *= scales[rows, None]
        return out
