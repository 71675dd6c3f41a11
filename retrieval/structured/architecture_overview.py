"""The parts of the whole: components, their integrations, the documents on the architecture."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from docs_agent.core.evidence import GROUNDED_SUMMARY
from docs_agent.core.layers import D5, D6
from docs_agent.core.records import topic_key
from docs_agent.core.rows import Row
from docs_agent.core.store.protocol import RowFilter
from docs_agent.core.text import name_key
from docs_agent.retrieval.answers.cards import card_at, purpose
from docs_agent.retrieval.answers.draft import Part, Place
from docs_agent.retrieval.answers.passages import Passage, passages
from docs_agent.retrieval.answers.quote import Quotable, Unit
from docs_agent.retrieval.answers.quotes import Quotes
from docs_agent.retrieval.structured.directory import Directory
from docs_agent.retrieval.structured.inquiry import Findings, Inquiry
from docs_agent.retrieval.structured.integration_records import (
    Integration,
    line_of,
)
from docs_agent.retrieval.structured.records import (
    Line,
    answered,
    cards_of,
    evidence,
    listed,
    place_of,
    refused,
    said,
    text_of,
    title_of,
)

TYPES: Final = ("architecture_overview", "architecture")
MAX_DOCUMENTS: Final = 3
"""Documents on the architecture whose components are told."""
MAX_RELATED: Final = 10
_LISTS: Final = ("table", "list")
_SUMMARY_LABELS: Final = frozenset(
    ("main modules", "modules", "components", "основные модули", "модули", "компоненты")
)
_ROWS: Final = 2000


def architecture_overview(inquiry: Inquiry) -> Findings:
    """Components with their purpose and dependencies, integrations, related documents."""
    cards = cards_of(inquiry.reader)
    own = _documents(inquiry, cards)
    words = inquiry.words
    shown = own[:MAX_DOCUMENTS]
    components = [line for path in shown for line in _components(inquiry, cards[path])]
    related = _integrations(inquiry, shown)
    if not own or not (components or related):
        return refused("no_records", words.say("no_architecture"), own)
    directory = Directory(inquiry.reader, cards)
    parts: list[Part] = []
    line = purpose(card_at(cards[own[0]], inquiry.quotes))
    if line is not None:
        parts.append(line)
    if components:
        count = words.counted("components", len(components))
        parts.append(Part(words.say("components", count=count), opens=True))
        parts.extend(listed(inquiry, components))
    if related:
        count = words.counted("integrations", len(related))
        parts.append(Part(f"{count}:", opens=True))
        chosen = related[: inquiry.limit]
        lines = [line_of(Integration(row), cards, directory, words) for row in chosen]
        parts.extend(listed(inquiry, lines, len(related)))
    parts.extend(_further(inquiry, cards, own, directory))
    rows = [*(cards[path] for path in own), *related[: inquiry.limit]]
    return answered(evidence(inquiry, rows, cards), parts, "records_found", GROUNDED_SUMMARY)


def _documents(inquiry: Inquiry, cards: Mapping[str, Row]) -> list[str]:
    """Documents on the architecture: named ones, those of the type, those on the topic."""
    anchors = inquiry.anchors
    typed = [path for path, card in cards.items() if text_of(card, "type") in TYPES]
    topic = inquiry.reader.knowledge.names((topic_key("architecture"),))
    on_topic = [name.path for name in topic if name.path in cards]
    found = list(dict.fromkeys((*typed, *on_topic)))
    named = [path for path in anchors.target_doc_hints if path in found]
    if anchors.process_domain:
        key = name_key(anchors.process_domain)
        named += [path for path in found if name_key(text_of(cards[path], "domain")) == key]
    return list(dict.fromkeys((*named, *found)))


def _components(inquiry: Inquiry, card: Row) -> list[Line]:
    """Rows of the modules' tables and items of their lists; else what the summary names."""
    title = title_of(card, card.path)
    own = passages(inquiry.quotes, card.path, title)
    lines = [
        _component(passage, block, unit)
        for passage in own
        if passage.role == "modules"
        for block in passage.blocks
        if block.kind in _LISTS
        for unit in block.units
        if not unit.level
    ]
    return lines or _named_in_summary(card, inquiry.quotes)


def _component(passage: Passage, block: Quotable, unit: Unit) -> Line:
    place = passage.place(unit.start, unit.end)
    if not unit.cells:
        return Line(said(unit.text, 300), place)
    first, *rest = unit.cells
    told = [
        f"{said(name)}: {said(cell)}" if position else said(cell)
        for position, (name, cell) in enumerate(zip(block.header[1:], rest, strict=False))
        if cell.strip(" -–—")
    ]
    return Line(f"{said(first)}{': ' if told else ''}{'; '.join(told)}", place)


def _named_in_summary(card: Row, quotes: Quotes) -> list[Line]:
    own = card_at(card, quotes)
    for unit in own.summary:
        label, _, value = unit.text.partition(":")
        if label.strip().lower() in _SUMMARY_LABELS:
            return [Line(said(name), own.place(unit)) for name in value.split(",") if name.strip()]
    return []


def _integrations(inquiry: Inquiry, paths: Sequence[str]) -> tuple[Row, ...]:
    if not paths:
        return ()
    return inquiry.reader.rows_of(RowFilter(layers=(D6,), paths=tuple(paths)), _ROWS)


def _further(
    inquiry: Inquiry, cards: Mapping[str, Row], own: Sequence[str], directory: Directory
) -> list[Part]:
    """The other documents on the architecture, then those that the first one relates to."""
    words = inquiry.words
    parts: list[Part] = []
    others = own[1 : 1 + MAX_RELATED]
    if others:
        parts.append(Part(words.say("architecture_documents"), opens=True))
        for path in others:
            title = title_of(cards[path], path)
            parts.append(Part(f"- {title}, {path}", place_of(cards[path], title)))
    where = RowFilter(layers=(D5,), paths=(own[0],))
    title = title_of(cards[own[0]], own[0])
    related: dict[str, Place] = {}
    for row in inquiry.reader.rows_of(where, _ROWS):
        target = str(row.metadata.get("target_document") or "")
        target = target or directory.path(str(row.metadata.get("target_id", "")))
        if target in cards and target not in own and _is_related(row):
            related.setdefault(target, place_of(row, title))
    if related:
        parts.append(Part(words.say("related_documents"), opens=True))
        for path, place in list(related.items())[:MAX_RELATED]:
            parts.append(Part(f"- {title_of(cards[path], path)}, {path}", place))
    return parts


def _is_related(row: Row) -> bool:
    return row.metadata.get("relation_type") not in ("parent", "links_to")
