"""Sections of a page from its headings."""

from __future__ import annotations

from docs_agent.lint.page import Heading, Section


def sections_of(
    headings: tuple[Heading, ...], lines: tuple[str, ...], body_line: int
) -> tuple[Section, ...]:
    """Sections in document order; see `Section`."""
    found: list[Section] = []
    first = headings[0].span.line if headings else len(lines) + 1
    if any(line.strip() for line in lines[body_line - 1 : first - 1]):
        found.append(Section(None, body_line, first - 1, first - 1, ()))
    ends = _deep_ends(headings, len(lines))
    path: list[Heading] = []
    for index, heading in enumerate(headings):
        while path and path[-1].level >= heading.level:
            path.pop()
        path.append(heading)
        after = headings[index + 1].span.line - 1 if index + 1 < len(headings) else len(lines)
        # Nesting is at most six deep: a heading is shallower than the one above it in the path.
        texts = tuple(above.text for above in path)
        found.append(Section(heading, heading.span.line, after, ends[index], texts))
    return tuple(found)


def _deep_ends(headings: tuple[Heading, ...], last: int) -> list[int]:
    ends = [last] * len(headings)
    following = [last + 1] * 7
    for index in range(len(headings) - 1, -1, -1):
        level = headings[index].level
        ends[index] = min(following[1 : level + 1]) - 1
        following[level] = headings[index].span.line
    return ends
