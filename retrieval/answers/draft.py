"""An answer before it is numbered: parts that know their place, and the rendering of `[n]` marks.

A mark always follows a space and ends its line, so that a reader (and the check after a language
model) can tell it from an index inside quoted code; text of documents that looks like a mark is
rewritten by `quote.plain`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from docs_agent.core.evidence import Citation
from docs_agent.core.text import normalize


class Place(NamedTuple):
    """Lines of a document that support a statement."""

    path: str
    start: int
    end: int
    title: str
    """Title of the document."""
    section: str
    """Section path, headings joined by ` › `."""

    def joined(self, other: Place) -> Place:
        """One place that covers both; the section is that of the first."""
        return Place(
            self.path,
            min(self.start, other.start),
            max(self.end, other.end),
            self.title,
            self.section,
        )


class Part(NamedTuple):
    """One statement, heading or block of the answer."""

    text: str
    """One line, or the lines of a table or code block."""
    place: Place | None = None
    """Where it comes from; None for words of ours."""
    verbatim: bool = False
    """True for code and tables: no mark inside, and never counted as a repetition."""
    opens: bool = False
    """True when an empty line belongs before it."""
    marked: bool = True
    """False when its own number already is the number of its citation."""

    def opened(self) -> Part:
        """The same part with an empty line before it."""
        return self._replace(opens=True)


def render(parts: Sequence[Part]) -> tuple[str, tuple[Citation, ...]]:
    """Text and numbered citations; places are numbered in order of first use."""
    numbers: dict[Place, int] = {}
    lines: list[str] = []
    before: Place | None = None
    for part in _without_repetition(parts):
        if lines and (part.opens or part.verbatim) and lines[-1]:
            lines.append("")
        text = part.text
        if part.place is not None:
            number = numbers.setdefault(part.place, len(numbers) + 1)
            if not part.verbatim and part.marked:
                text = f"{text} [{number}]"
            elif part.verbatim and part.place != before:
                text = f"{text}\n[{number}]"
        before = part.place
        lines.append(text)
    citations = tuple(
        Citation(n, place.path, place.start, place.end, place.title, place.section)
        for place, n in numbers.items()
    )
    return "\n".join(lines), citations


def _without_repetition(parts: Sequence[Part]) -> list[Part]:
    seen: set[str] = set()
    kept: list[Part] = []
    for part in parts:
        key = normalize(part.text).strip(" -*.:0123456789")
        if part.place is not None and key and key in seen:
            continue
        seen.add(key)
        kept.append(part)
    return kept
