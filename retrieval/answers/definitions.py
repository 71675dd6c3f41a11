"""Where a document defines its endpoints: what indexing found, read back from its card."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from docs_agent.core.rows import Row
from docs_agent.retrieval.answers.passages import Passage


class Definition(NamedTuple):
    """One endpoint and the lines that define it."""

    endpoint: str
    """`GET /x`."""
    form: str
    """`heading`, `table` or `list`."""
    start: int
    end: int
    """For a heading the last line of its last sub-section."""
    heading: str = ""
    """The headings above it and its own."""
    deprecated: bool = False

    def holds(self, start: int, end: int) -> bool:
        return self.start <= start and end <= self.end


def definitions(card: Row | None) -> tuple[Definition, ...]:
    """All of a document, in document order; empty for one that defines none."""
    written = card.metadata.get("defined_endpoints") if card is not None else None
    return tuple(Definition(**item) for item in written) if isinstance(written, list) else ()


def definition_of(card: Row | None, endpoint: str) -> Definition | None:
    """The definition that says most of `GET /x`: a heading, else a row or an item."""
    own = [d for d in definitions(card) if d.endpoint == endpoint]
    return min(own, key=lambda d: (d.form != "heading", d.start), default=None)


def others_of(card: Row | None, own: Definition) -> tuple[Definition, ...]:
    """Headings of other endpoints of the page: what stands below them is not about this one."""
    return tuple(
        d
        for d in definitions(card)
        if d.form == "heading" and d.start != own.start and not d.holds(own.start, own.end)
    )


def within(passage: Passage, own: Definition, others: Collection[Definition] = ()) -> Passage:
    """The passage with the statements that stand in `own` and in none of `others`."""
    kept = tuple(
        s
        for s in passage.statements
        if own.holds(s.unit.start, s.unit.end)
        and not any(d.holds(s.unit.start, s.unit.end) for d in others)
    )
    return passage if len(kept) == len(passage.statements) else passage._replace(statements=kept)
