"""Integrations as records (D6) tell them: who gives to whom, and which are those of a subject."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from docs_agent.core.layers import D6
from docs_agent.core.rows import Row
from docs_agent.core.store.protocol import Reader, RowFilter
from docs_agent.core.text import name_key, stems, stop_stems
from docs_agent.retrieval.answers.cards import is_architecture
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
from docs_agent.router.integration_terms import Direction, direction_of, kinds_of
from docs_agent.templates.lookup import integration_fields

IN: Final = "in"
OUT: Final = "out"
BOTH: Final = "both"
_ARROWS: Final = {OUT: "{own} → {target}", IN: "{target} → {own}", BOTH: "{own} ↔ {target}"}
EXTERNAL: Final = "external_system"
_BOILERPLATE: Final = "integration интеграция"
"""What the title of an integration document says besides the name of the system."""
_OWN_KINDS: Final = ("database", "queue")
_NO_ARROW: Final = "{own} – {target}"


class Integration(NamedTuple):
    """One record, seen from the document that states it and from the subject that asks."""

    row: Row
    reverse: bool = False
    """True when the subject is the target."""
    foreign: bool = False
    """True when a document that is not the subject's states it."""
    partner: bool = False
    """True when the subject is a system beyond ours with an integration document: what documents
    call outbound goes to it."""

    @property
    def stated(self) -> Direction:
        """From the document that states it; how it is exchanged tells when nothing else does."""
        return direction_of(self.field("direction")) or direction_of(self.field("interaction"))

    def field(self, key: str) -> str:
        """A field of the record as text."""
        return str(self.row.metadata.get(key) or "")

    def has_kind(self, kinds: Sequence[str]) -> bool:
        """True when its own values state one of `kinds`."""
        keys = ("target_type", "interaction", "via", "name", "target")
        details = self.row.metadata.get("details")
        more = details if isinstance(details, Mapping) else {}
        told = zip(more.values(), integration_fields(tuple(map(str, more))), strict=True)
        values = [*map(self.field, keys), *(str(value) for value, f in told if f in keys)]
        return not kinds_of(values).isdisjoint(kinds)

    def is_external(self, cards: Mapping[str, Row], directory: Directory) -> bool:
        """True when its target is a system beyond ours: as its type says; without a type, when it
        is no database or queue and no document of ours but one on an integration."""
        if self.field("target_type"):
            return EXTERNAL in kinds_of((self.field("target_type"),))
        target = self.field("target")
        if not kinds_of((target, self.field("name"))).isdisjoint(_OWN_KINDS):
            return False
        path = directory.path(target)
        return not path or is_integration_document(cards[path])

    def goes(self, asked: str, named: bool = False) -> bool:
        """True when it goes the way that is asked for; an unknown direction goes no way.

        named: the question uses the word of the documents, "outbound".
        """
        side: str = self.stated
        if self.reverse and not (self.partner and named):
            side = {IN: OUT, OUT: IN}.get(side, side)
        return not asked or side in (asked, BOTH)


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
    return tuple(
        sorted(rows, key=lambda row: "architecture" not in str(row.metadata.get("source_type", "")))
    )


def of_subject(
    rows: Iterable[Row], subject: Named, cards: Mapping[str, Row], directory: Directory
) -> tuple[Integration, ...]:
    """The integrations of a subject: its own, then those that others state with it."""
    partner = any(is_integration_document(cards.get(path)) for path in subject.paths)
    own: list[Integration] = []
    reverse: list[Integration] = []
    for row in rows:
        if subject.owns(row, cards.get(row.path)):
            own.append(Integration(row, is_itself(row, cards, directory), partner=partner))
        elif subject.is_target(row, cards, directory):
            reverse.append(Integration(row, reverse=True, foreign=True, partner=partner))
    return (*own, *reverse)


def is_integration_document(card: Row | None) -> bool:
    """True for a document on an integration, which is called after the system beyond."""
    return "integration" in text_of(card, "type")


def is_itself(row: Row, cards: Mapping[str, Row], directory: Directory) -> bool:
    """True when an integration document states its own object as the target."""
    card = cards.get(row.path)
    if card is None or not is_integration_document(card):
        return False
    target = str(row.metadata.get("target") or "")
    if directory.path(target) == row.path:
        return True
    title, found = frozenset(stems(card.title)), frozenset(stems(target))
    bare = title - frozenset(stems(_BOILERPLATE)) - stop_stems()
    return has_name(target, title) or (bool(bare) and bare <= found)


def own_side(row: Row, cards: Mapping[str, Row], directory: Directory, words: Wording) -> str:
    """Who has the integration: the component that the record names, else what the document is
    about; the system where that is the whole of it or the target itself."""
    component = said(row.metadata.get("component") or "")
    if component:
        return directory.titled(component) or component
    card = cards.get(row.path)
    if (card is not None and is_architecture(card)) or is_itself(row, cards, directory):
        return words.say("system")
    return title_of(card, row.path)


def line_of(
    integration: Integration,
    cards: Mapping[str, Row],
    directory: Directory,
    words: Wording,
) -> Line:
    """`from → to (direction; kind; via): purpose, file`."""
    row = integration.row
    title = title_of(cards.get(row.path), row.path)
    own = own_side(row, cards, directory, words)
    written = integration.field("target")
    # An id says little to a reader; any other name is told as the document writes it.
    target = directory.titled(written) or said(written)
    arrow = _ARROWS.get(integration.stated, _NO_ARROW).format(own=own, target=target)
    kinds = [said(integration.field(key)) for key in ("direction", "interaction", "via")]
    if integration.foreign and own == title:
        kinds.append(words.say("stated_by", title=words.quote(own)))
    kind = "; ".join(filter(None, kinds))
    purpose = said(integration.field("purpose"))
    if not purpose and integration.field("name") != written:
        purpose = said(integration.field("name"))
    text = f"{arrow}{f' ({kind})' if kind else ''}{f': {purpose}' if purpose else ''}, {row.path}"
    return Line(text, place_of(row, title, row.title))
