"""What a document is: its card (D1), the line that says its purpose, the facts of its summary."""

from __future__ import annotations

from functools import cache
from typing import Any, Final, NamedTuple

from docs_agent.core.evidence import Evidence
from docs_agent.core.layers import D1
from docs_agent.core.rows import Row
from docs_agent.core.store.protocol import Reader, RowFilter
from docs_agent.core.text import normalize, stems, stop_stems
from docs_agent.retrieval.answers.draft import Part, Place
from docs_agent.retrieval.answers.quote import Unit, plain
from docs_agent.retrieval.answers.quotes import Quotes
from docs_agent.templates.lookup import key_names, section_role

_DEFINING: Final = frozenset(
    ("purpose", "definition", "scope", "назначение", "определение", "цель", "границы")
)
_HOUSEKEEPING: Final = frozenset(
    stem
    for label in ("source of truth", "источник истины", "owner", "владелец", "version", "версия")
    for stem in label.split()
)
_NAMING_KEYS: Final = ("id", "title", "aliases", "endpoint")
_COMMON_NAMES: Final = (
    "api endpoint method метод ручка эндпоинт get post put patch delete document документ"
)


class Card(NamedTuple):
    """A document as its catalogue row describes it."""

    path: str
    title: str
    row: Row | None
    """The D1 row; None when the index has none."""
    summary: tuple[Unit, ...]
    """Statements of the summary, in order."""

    @property
    def modelled(self) -> bool:
        """True when the document carries the frontmatter of the document model."""
        if self.row is None:
            return False
        return any(self.row.metadata.get(key) for key in key_names("type"))

    @property
    def endpoint(self) -> str:
        """As the frontmatter writes it, empty when there is none."""
        return str(self._value("endpoint") or "")

    def place(self, unit: Unit) -> Place:
        return Place(self.path, unit.start, unit.end, self.title, "")

    def naming_stems(self) -> frozenset[str]:
        """Stems a question may use merely to say which document it means."""
        names = [self.title, self.path.rpartition("/")[2].rpartition(".")[0], _COMMON_NAMES]
        for key in _NAMING_KEYS:
            value = self._value(key)
            names.extend(map(str, value) if isinstance(value, list) else [str(value or "")])
        return frozenset(stem for name in names for stem in stems(name))

    def _value(self, meaning: str) -> Any:
        if self.row is None:
            return None
        return next((v for k in key_names(meaning) if (v := self.row.metadata.get(k))), None)


def card_of(evidence: Evidence, quotes: Quotes) -> Card:
    """The card of a document that is evidence."""
    rows = [row for row in evidence.rows if row.layer == D1]
    return _card(
        evidence.path, evidence.title, rows or _stored(quotes.reader, evidence.path), quotes
    )


def card_at(row: Row, quotes: Quotes) -> Card:
    """The card that a D1 row is."""
    return _card(row.path, row.title, [row], quotes)


def purpose(card: Card) -> Part | None:
    """One line that says what the document is about; None when its summary says nothing."""
    for unit in card.summary:
        label, _, value = unit.text.partition(":")
        if value.strip() and label.strip().lower() in _DEFINING:
            return Part(value.strip(), card.place(unit))
    for unit in card.summary:
        if not is_housekeeping(unit) and not unit.text.endswith(":") and not _is_task(unit):
            return Part(unit.text, card.place(unit))
    return None


def lead(card: Card) -> Part | None:
    """The purpose as the first line of an answer: one that begins in the middle of a sentence
    ("sends messages to …") gets its subject, the title."""
    told = purpose(card)
    if told is None or not told.text[:1].islower() or not card.title:
        return told
    if normalize(told.text).startswith(normalize(card.title)):
        return told._replace(text=told.text[:1].upper() + told.text[1:])
    return told._replace(text=f"{plain(card.title)}: {told.text}")


def summary_facts(card: Card, limit: int) -> tuple[Part, ...]:
    """The other statements of the summary, without those about the document itself."""
    first = purpose(card)
    taken = [
        unit
        for unit in card.summary
        if not is_housekeeping(unit) and (first is None or card.place(unit) != first.place)
    ]
    return tuple(
        Part(f"  - {unit.text}" if ":" in unit.text else unit.text, card.place(unit))
        for unit in taken[:limit]
    )


def _stored(reader: Reader, path: str) -> list[Row]:
    return list(reader.rows_of(RowFilter(layers=(D1,), paths=(path,)), 1))


def _card(path: str, title: str, rows: list[Row], quotes: Quotes) -> Card:
    row = rows[0] if rows else None
    summary: tuple[Unit, ...] = ()
    if row is not None:
        summary = tuple(
            unit
            for block in quotes.of((row,))[0]
            if block.kind in ("paragraph", "list")
            for unit in block.units
        )
    return Card(path, title, row, summary)


def is_housekeeping(unit: Unit) -> bool:
    """True for a line of a summary that is about the document, not about its object."""
    label = unit.text.partition(":")[0].lower().split()
    return 0 < len(label) <= 3 and all(word in _HOUSEKEEPING for word in label)


def _is_task(unit: Unit) -> bool:
    """True for a box to tick, which says what to do, not what the document is."""
    return unit.text.startswith(("[ ]", "[x]", "[X]"))


def is_overview(row: Row) -> bool:
    """True for a D1 row that introduces others: a README, an index page, an architecture."""
    kinds = {str(row.metadata.get(key, "")) for key in (*key_names("type"), "doc_kind")}
    return bool(kinds & {"readme", "index", "index_page"}) or (
        section_role(row.title) == "overview" or is_architecture(row)
    )


def is_architecture(row: Row) -> bool:
    """True for a D1 row whose document is about the system as a whole: of that type, or without a
    type and with a title that names no part of it."""
    types = {str(value) for key in key_names("type") if (value := row.metadata.get(key))}
    if types:
        return "architecture_overview" in types
    title = frozenset(stems(row.title))
    return bool(title & _architecture()) and title <= _architecture() | _whole()


@cache
def _architecture() -> frozenset[str]:
    return frozenset(stems("architecture overview архитектура обзор устройство"))


@cache
def _whole() -> frozenset[str]:
    words = "of the system service application project системы сервиса проекта"
    return frozenset(stems(words)) | stop_stems()
