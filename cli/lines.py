"""Styled lines, and text made safe for a terminal."""

from __future__ import annotations

import re
from collections.abc import Iterable

Span = tuple[str, str]
"""Text and a Rich style (empty = plain)."""
Line = tuple[Span, ...]

# Everything that could move the cursor, recolour or reorder what a person sees: C0 and C1 controls
# but tab and newline, DEL, and the bidirectional marks, overrides and isolates.
UNSAFE = r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]"

# What takes no room and could part a word, a key or a path from what it looks like: soft hyphen,
# zero-width space, word joiner, invisible operators, byte-order mark and their kin. Joiners of
# scripts and emoji stay: they change what is seen.
INVISIBLE = r"[\u00ad\u034f\u180e\u200b\u2060-\u2064\u206a-\u206f\ufeff\ufff9-\ufffb]"


def safe(text: str) -> str:
    """Text without invisible characters, with control characters and lone surrogates written out as
    `\\x1b`, `\\u202e`, `\\udcff`."""
    shown = re.sub(UNSAFE, _escape, re.sub(INVISIBLE, "", text).replace("\r\n", "\n"))
    return shown.encode("utf-8", "backslashreplace").decode("utf-8")


def _escape(match: re.Match[str]) -> str:
    code = ord(match.group())
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"


def plain(text: str) -> Line:
    """A line without style."""
    return ((text, ""),)


def columns(rows: Iterable[tuple[str, ...]], *, indent: str = "", gap: str = "  ") -> list[str]:
    """Rows of cells as aligned lines; the last column is not padded."""
    cells = [tuple(safe(cell).replace("\n", " ") for cell in row) for row in rows]
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
