"""Styled lines, and columns of them."""

from __future__ import annotations

from collections.abc import Iterable

from docs_agent.core.visible import readable

Span = tuple[str, str]
"""Text and a Rich style (empty = plain)."""
Line = tuple[Span, ...]


def plain(text: str) -> Line:
    """A line without style."""
    return ((text, ""),)


def columns(rows: Iterable[tuple[str, ...]], *, indent: str = "", gap: str = "  ") -> list[str]:
    """Rows of cells as aligned lines; the last column is not padded."""
    cells = [tuple(readable(cell).replace("\n", " ") for cell in row) for row in rows]
    if not cells:
        return []
    widths = [
        max(len(row[i]) for row in cells if i < len(row)) for i in range(max(map(len, cells)))
    ]
    return [
        indent
        + gap.join(
            cell if i == len(row) - 1 else cell.ljust(widths[i]) for i, cell in enumerate(row)
        ).rstrip()
        for row in cells
    ]
