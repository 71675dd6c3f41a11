"""Integrations as records (D6) tell them: who gives to whom, and which are those of a subject."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from docs_agent.core.layers import D6
from docs_agent.core.rows import Row
from docs_agent.core.store.protocol import Reader, RowFilter
from docs_agent.core.text import name_key, stems
from docs_agent.retrieval.structured.directory import Directory
from docs_agent.retrieval.structured.records import (
    EVERYTHING,
    Line,
    place_of,
    said,
    text_of,
    title_of,
)
from docs_agent.retrieval.structured.subject import has_name
from docs_agent.retrieval.structured.wording import Wording
from docs_agent.router.integration_terms import direction_of, kinds_of

IN: Final = "in"
OUT: Final = "out"
BOTH: Final = "both"
_ARROWS: Final = {OUT: "{own} → {target}", IN: "{target} → {own}", BOTH: "{own} ↔ {target}"}
_NO_ARROW: Final = "{own} – {target}"


class Integration(NamedTuple):
    """One record, seen from the document that states it and from the subject that asks."""

    row: Row
    reverse: bool = False
    """True when the subject is the target and another document states it."""

    @property
    def stated(self) -> str:
        """`in`, `out`, `both` or empty, from the document that states it."""
        return direction_of(self.field("direction"))

    @property
    def side(self) -> str:
        """The same from the subject."""
        return {IN: OUT, OUT: IN}.get(self.stated, self.stated) if self.reverse else self.stated

    def field(self, key: str) -> str:
        """A field of the record as text."""
        return str(self.row.metadata.get(key) or "")

    def has_kind(self, kinds: Sequence[str]) -> bool:
        """True when its way of exchange is one of `kinds`."""
        details = self.row.metadata.get("details")
        more = details.values() if isinstance(details, Mapping) else ()
        stated = [self.field(key) for key in ("target_type", "interaction", "via", "name")]
        return not kinds_of([*stated, *map(str, more)]).isdisjoint(kinds)

    def goes(self, asked: str) -> bool:
        """True when it goes the way that is asked for; an unknown direction goes no way."""
        return not asked or self.side in (asked, BOTH)


class Named(NamedTuple):
    """A subject: documents, and names that integrations may call it by."""

    paths: frozenset[str]
    names: tuple[str, ...]

    def owns(self, row: Row, card: Row | None) -> bool:
        """True for an integration that the subject's own document states."""
        if row.path in self.paths:
            return True
        if self.paths or card is None:
            return False
        title = frozenset(stems(f"{card.title} {text_of(card, 'id')}"))
        return any(has_name(name, title) for name in self.names)

    def is_target(self, row: Row, cards: Mapping[str, Row], directory: Directory) -> bool:
        """True for an integration of another document whose target is the subject."""
        targets = [str(row.metadata.get("target") or "")]
        details = row.metadata.get("details")
        if isinstance(details, Mapping):
            targets += [str(v) for k, v in details.items() if "doc" in str(k).lower()]
        resolved = {directory.path(target) for target in targets}
        if self.paths:
            # What the title of a document has in common with other names proves nothing.
            own = {name_key(name) for name in self.names}
            return bool(resolved & self.paths) or name_key(targets[0]) in own
        titles = [cards[path].title for path in resolved if path in cards]
        said_by = frozenset(stems(" ".join((*targets, str(row.metadata.get("name")), *titles))))
        return any(has_name(name, said_by) for name in self.names)


def all_integrations(reader: Reader, where: RowFilter | None = None) -> tuple[Row, ...]:
    """Every D6 row, the overviews of the architecture first: they are about the whole."""
    rows = reader.rows_of(where or RowFilter(layers=(D6,)), EVERYTHING)
    return tuple(sorted(rows, key=lambda row: not _is_overview(row)))


def of_subject(
    rows: Iterable[Row], subject: Named, cards: Mapping[str, Row], directory: Directory
) -> tuple[Integration, ...]:
    """The integrations of a subject: its own, then those that others state with it."""
    own: list[Integration] = []
    reverse: list[Integration] = []
    for row in rows:
        if subject.owns(row, cards.get(row.path)):
            own.append(Integration(row))
        elif subject.is_target(row, cards, directory):
            reverse.append(Integration(row, reverse=True))
    return (*own, *reverse)


def line_of(
    integration: Integration,
    cards: Mapping[str, Row],
    directory: Directory,
    words: Wording,
) -> Line:
    """`from → to (direction; kind; via): purpose, file`."""
    row = integration.row
    own = title_of(cards.get(row.path), row.path)
    written = integration.field("target")
    # An id says little to a reader; any other name is told as the document writes it.
    target = directory.titled(written) or said(written)
    arrow = _ARROWS.get(integration.stated, _NO_ARROW).format(own=own, target=target)
    kinds = [said(integration.field(key)) for key in ("direction", "interaction", "via")]
    if integration.reverse:
        kinds.append(words.say("stated_by", title=words.quote(own)))
    kind = "; ".join(filter(None, kinds))
    purpose = said(integration.field("purpose"))
    text = f"{arrow}{f' ({kind})' if kind else ''}{f': {purpose}' if purpose else ''}, {row.path}"
    return Line(text, place_of(row, own, row.title))


def _is_overview(row: Row) -> bool:
    return "architecture" in str(row.metadata.get("source_type", ""))
