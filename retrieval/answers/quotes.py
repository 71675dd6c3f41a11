"""The blocks of stored rows, each row read once: what was read before, the index keeps.

Reading needs the Markdown parser, whose import alone costs as much as finding the answer.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any, Final, TypeVar

from docs_agent import __version__
from docs_agent.core.embed.protocol import text_key
from docs_agent.core.rows import Row
from docs_agent.core.store.protocol import Reader
from docs_agent.retrieval.answers.quote import Quotable, Unit, blocks
from docs_agent.retrieval.rerank import Remember

READING: Final = f"quotes:{__version__}:2"
"""Under which blocks are kept; the last figure rises whenever `quote.blocks` reads differently."""

T = TypeVar("T")


class Quotes:
    """Blocks by row for one answer. `keep` writes those that are new to the index."""

    def __init__(self, reader: Reader, remember: Remember | None = None) -> None:
        """remember: keeps what was read for the next question; None = it is read again."""
        self.reader = reader
        self._remember = remember
        self._known: dict[str, tuple[Quotable, ...]] = {}
        self._new: dict[str, bytes] = {}
        self._read: dict[tuple[str, ...], Any] = {}

    def of(self, rows: Sequence[Row]) -> tuple[tuple[Quotable, ...], ...]:
        """The blocks of each row, see `quote.blocks`."""
        keys = [_key(row) for row in rows]
        missing = [key for key in dict.fromkeys(keys) if key not in self._known]
        if missing:
            stored = self.reader.cached_vectors(READING, missing)
            unpacked = {key: _unpacked(data) for key, data in stored.items()}
            self._known |= {key: found for key, found in unpacked.items() if found is not None}
        for key, row in zip(keys, rows, strict=True):
            if key not in self._known:
                self._known[key] = blocks(row)
                self._new[key] = json.dumps(self._known[key], ensure_ascii=False).encode()
        return tuple(self._known[key] for key in keys)

    def once(self, name: tuple[str, ...], read: Callable[[], T]) -> T:
        """What `read` gives, which is kept under a name for the rest of the answer."""
        if name not in self._read:
            self._read[name] = read()
        found: T = self._read[name]
        return found

    def keep(self) -> None:
        """Hands what was read to the index. Call once, when the answer is done."""
        if self._new and self._remember is not None:
            self._remember(READING, self._new)
            self._new = {}


def _key(row: Row) -> str:
    """All that `blocks` looks at."""
    numbers = json.dumps(row.metadata.get("line_numbers"))
    return text_key(f"{row.span_start}-{row.span_end} {numbers} {row.content}")


def _unpacked(data: bytes) -> tuple[Quotable, ...] | None:
    """None when it is nothing that we wrote."""
    try:
        return tuple(map(_quotable, json.loads(data)))
    except (ValueError, TypeError, RecursionError):
        return None


def _quotable(value: Any) -> Quotable:
    kind, start, end, units, header, info = value
    return Quotable(kind, start, end, tuple(map(_unit, units)), tuple(header), info)


def _unit(value: Any) -> Unit:
    text, start, end, level, number, cells, info = value
    return Unit(text, start, end, level, number, tuple(cells), info)
