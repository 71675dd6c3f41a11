"""A file as fixes see it: its characters, every one of them, and where its lines begin."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from typing import Final

from docs_agent.indexers.decode import decode
from docs_agent.lint.finding import Edit, Span

BOM: Final = "\ufeff"
_LINE_END: Final = re.compile(r"\r\n|\n|\r")
_EXACT: Final = ("", "nul-characters")
"""Codes of the decoder with which each byte of a UTF-8 file keeps its meaning."""


@dataclass(frozen=True, slots=True)
class Source:
    """Text of a UTF-8 file.

    text: all of it, byte order mark and line ends included.
    starts, ends: offsets in `text` at which the content of each line begins and ends; after a line
    end at the end of the file there is one more line, an empty one.
    """

    text: str
    starts: tuple[int, ...]
    ends: tuple[int, ...]

    @property
    def data(self) -> bytes:
        """The bytes of the file."""
        return self.text.encode("utf-8")

    @property
    def lines(self) -> tuple[str, ...]:
        """The lines as spans count them: without line ends and byte order mark."""
        return tuple(self.text[a:b] for a, b in zip(self.starts, self.ends, strict=True))

    def line_end(self, number: int) -> str:
        """How the line ends; the last one as the line before it; `\\n` when no line ends."""
        last = len(self.starts) - 1
        if last == 0:
            return "\n"
        index = min(number, last)
        return self.text[self.ends[index - 1] : self.starts[index]]

    def range_of(self, span: Span) -> tuple[int, int] | None:
        """Offsets of the span in `text`; None when the file has no such place."""
        start = self._offset(span.line, span.column)
        end = self._offset(span.end_line, span.end_column)
        if start is None or end is None or start > end:
            return None
        return start, end

    def span_of(self, start: int, end: int) -> Span:
        """The span between two offsets in `text`."""
        return Span(*self._place(start), *self._place(end))

    def written(self, edit: Edit) -> str:
        """The text of the edit with the line ends that it takes in this file."""
        place = self.range_of(edit.span)
        is_end = edit.text in ("\n", "\r\n")
        if is_end and place and _LINE_END.fullmatch(self.text, *place):
            return edit.text
        return edit.text.replace("\r\n", "\n").replace("\n", self.line_end(edit.span.line))

    def _place(self, offset: int) -> tuple[int, int]:
        if offset < self.starts[0]:
            return 1, 0
        line = bisect_right(self.starts, offset)
        return line, offset - self.starts[line - 1] + 1

    def _offset(self, line: int, column: int) -> int | None:
        if (line, column) == (1, 0):
            return 0
        if not 1 <= line <= len(self.starts):
            return None
        offset = self.starts[line - 1] + column - 1
        return offset if self.starts[line - 1] <= offset <= self.ends[line - 1] else None


def source_of(text: str) -> Source:
    """The places of a text, which may begin with a byte order mark."""
    found = [match.span() for match in _LINE_END.finditer(text)]
    first = len(BOM) if text.startswith(BOM) else 0
    return Source(
        text,
        starts=(first, *(end for _, end in found)),
        ends=(*(start for start, _ in found), len(text)),
    )


def read_source(data: bytes) -> Source | None:
    """The text of a file; None when it is not UTF-8 through and through, or no text."""
    decoded = decode(data)
    if decoded is None or decoded.encoding != "utf-8" or decoded.code not in _EXACT:
        return None
    return source_of(data.decode("utf-8"))
