"""The section tree of a document, from its D0 records."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from docs_agent.core.rows import Row

SEPARATOR: Final = " › "
"""Joins the headings of a section path."""


@dataclass(frozen=True, slots=True)
class SectionLines:
    """A section and where its text stands; sections without any text below them are absent."""

    title: str
    """Heading; empty for the text before the first one."""
    level: int
    """Depth in the tree, 0 = outermost."""
    anchor: str
    """Anchor of the heading; empty when the section has no text of its own."""
    start_line: int
    """First line of its text or of its first sub-section's text, 1-based."""
    end_line: int
    """Last line of that text, sub-sections included."""


def section_tree(rows: Sequence[Row]) -> tuple[SectionLines, ...]:
    """Sections in document order, each before its sub-sections. `rows` are D0 rows by line."""
    tree: list[SectionLines] = []
    # Positions in `tree` of the section that was last extended and of those around it.
    opened: list[int] = []
    for row in rows:
        path = str(row.metadata.get("section_path") or "")
        anchor = str(row.metadata.get("anchor") or "")
        titles = path.split(SEPARATOR) if path else [""]
        kept = _common(tree, opened, titles, anchor)
        del opened[kept:]
        for level in range(kept, len(titles)):
            own = anchor if level == len(titles) - 1 else ""
            opened.append(len(tree))
            tree.append(SectionLines(titles[level], level, own, row.span_start, row.span_end))
        for at in opened:
            tree[at] = replace(tree[at], end_line=max(tree[at].end_line, row.span_end))
    return tuple(tree)


def _common(
    tree: Sequence[SectionLines], opened: Sequence[int], titles: Sequence[str], anchor: str
) -> int:
    """How many of the open sections the next text belongs to."""
    kept = 0
    for at, title in zip(opened, titles, strict=False):
        if tree[at].title != title:
            break
        kept += 1
    # Two sections of one name: the anchors differ, and only a section itself has its anchor.
    if kept == len(titles) and tree[opened[kept - 1]].anchor != anchor:
        kept -= 1
    return kept
