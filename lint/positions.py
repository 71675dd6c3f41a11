"""From byte offsets of a UTF-8 text to lines and columns."""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate

from docs_agent.lint.finding import Span

_STEP = 4096


class Positions:
    """Places in a text whose lines are joined by line feeds."""

    def __init__(self, data: bytes, first_line: int) -> None:
        """data: the text. first_line: number of its first line in the file."""
        self._data = data
        self._first = first_line
        self._starts = [0, *accumulate(len(line) + 1 for line in data.split(b"\n"))]
        self._is_ascii = data.isascii()
        self._counts: dict[int, list[int]] = {}
        """Characters before every _STEP bytes of a long line: a line may be the whole file."""

    def at(self, offset: int) -> tuple[int, int]:
        """(line, column) of a byte offset."""
        line = bisect_right(self._starts, offset) - 1
        start = self._starts[line]
        if self._is_ascii:
            return line + self._first, offset - start + 1
        return line + self._first, self._characters(start, offset) + 1

    def _characters(self, start: int, offset: int) -> int:
        """How many characters lie between the start of a line and an offset."""
        if offset - start <= _STEP:
            return _characters(self._data[start:offset])
        if start not in self._counts:
            self._counts[start] = self._counted(start)
        step, rest = divmod(offset - start, _STEP)
        before = self._counts[start][step]
        return before + _characters(self._data[offset - rest : offset])

    def _counted(self, start: int) -> list[int]:
        end = self._data.find(b"\n", start)
        stop = end if end >= 0 else len(self._data)
        pieces = (_characters(self._data[at : at + _STEP]) for at in range(start, stop + 1, _STEP))
        return [0, *accumulate(pieces)]

    def span(self, start: int, end: int) -> Span:
        """The span between two byte offsets."""
        return Span(*self.at(start), *self.at(end))

    def slice(self, start: int, end: int) -> str:
        """The text between two byte offsets."""
        return self._data[start:end].decode("utf-8", "ignore")

    def trimmed(self, start: int, end: int) -> tuple[int, int]:
        """The offsets without the line ends and blanks around what they enclose."""
        piece = self._data[start:end]
        return start + len(piece) - len(piece.lstrip()), end - len(piece) + len(piece.rstrip())


def _characters(data: bytes) -> int:
    """Characters that begin in a piece of UTF-8."""
    return len(data.translate(None, _CONTINUATION))


_CONTINUATION = bytes(range(0x80, 0xC0))
"""Bytes that no character begins with."""
