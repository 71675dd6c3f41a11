"""The parts of the whole: components, their integrations, the documents on the architecture."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from docs_agent.core.evidence import GROUNDED_SUMMARY
from docs_agent.core.layers import D0, D5, D6
from docs_agent.core.records import topic_key
from docs_agent.core.rows import Row
from docs_agent.core.store.protocol import LexicalWeights, RowFilter
from docs_agent.core.text import name_key, stems
from docs_agent.retrieval.answers.cards import card_at, is_overview, purpose
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
from docs_agent.templates.lookup import is_components_table, is_responsibility, section_role
from docs_agent.templates.vocabulary import COMPONENT_COLUMNS, SECTION_NAMES

TYPES: Final = ("architecture_overview", "architecture")
MAX_DOCUMENTS: Final = 3
"""Documents on the architecture whose components are told."""
MAX_RELATED: Final = 10
_LISTS: Final = ("table", "list")
_NARROW: Final = ("api", "ui", "changelog", "glossary", "errors", "entity", "domain")
"""First words of types and kinds whose components are those of one method, screen or release."""
_WIDE: Final = "main key system of the and основные ключевые системы"
"""Words in names of sections on components that nearly every document has."""
MAX_SEARCHED: Final = 60
"""Rows that speak of components, looked at when no document on the architecture lists any."""
MAX_READ: Final = 10
"""Documents of these rows that are read."""
_ROWS: Final = 2000


def architecture_overview(inquiry: Inquiry) -> Findings:
    """Components with their purpose and dependencies, integrations, related documents."""
    cards = cards_of(inquiry.reader)
    own = _documents(inquiry, cards)
    words = inquiry.words
    shown = own[:MAX_DOCUMENTS]
    components = [line for path in shown for line in _components(inquiry, cards[path])]
    components = components or [
        name for path in shown for name in _named_in_summary(cards[path], inquiry.quotes)
    ]
    if not components:
        path, components = _described_elsewhere(inquiry, cards, own)
        own += [path] if path else []
        shown = own[:MAX_DOCUMENTS]
    related = _integrations(inquiry, shown)
    if not own or not (components or related):
        return refused("no_records", words.say("no_architecture"), own)
    directory = Directory(inquiry.reader, cards)
    parts: list[Part] = []
    line = purpose(card_at(cards[own[0]], inquiry.quotes))
    told = {(component.place.path, component.place.start) for component in components}
    if line is not None and line.place and (line.place.path, line.place.start) not in told:
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


def _described_elsewhere(
    inquiry: Inquiry, cards: Mapping[str, Row], known: Sequence[str]
) -> tuple[str, list[Line]]:
    """A document that is not on the architecture and lists components all the same, an overview
    before a page of its own, and what it lists; pages of one method or screen list their own."""
    words = (*COMPONENT_COLUMNS, *dict(SECTION_NAMES)["modules"])
    terms = sorted({s for word in words for s in stems(word)} - frozenset(stems(_WIDE)))
    where = RowFilter(layers=(D0,))
    hits = inquiry.reader.lexical(D0, terms, where, LexicalWeights(), MAX_SEARCHED)
    rows = inquiry.reader.rows([hit.row_id for hit in hits])
    paths = [p for p in dict.fromkeys(row.path for row in rows) if p in cards and p not in known]
    paths = [p for p in paths if not _is_narrow(cards[p])]
    paths.sort(key=lambda path: not is_overview(cards[path]))
    for path in paths[:MAX_READ]:
        found = _components(inquiry, cards[path])
        if found:
            return path, found
    return "", []


def _is_narrow(card: Row) -> bool:
    kinds = (text_of(card, "type"), str(card.metadata.get("doc_kind", "")))
    return any(kind.partition("_")[0] in _NARROW for kind in kinds)


def _components(inquiry: Inquiry, card: Row) -> list[Line]:
    """Rows of the tables, items of the lists and headings below a heading for modules; else tables
    of components wherever they stand."""
    title = title_of(card, card.path)
    own = passages(inquiry.quotes, card.path, title)
    listed = [
        (passage, block)
        for passage in own
        if passage.role == "modules"
        for block in passage.blocks
        if block.kind in _LISTS
    ]
    if not listed and (headed := list(_headed(own))):
        return headed
    listed = listed or [
        (passage, block)
        for passage in own
        for block in passage.blocks
        if block.kind == "table" and is_components_table(block.header)
    ]
    return [
        _component(passage, block, unit)
        for passage, block in listed
        for unit in block.units
        if not unit.level
    ]


def _headed(own: Sequence[Passage]) -> Iterator[Line]:
    """Components that have a heading each, with the first sentence below it."""
    for passage in own:
        *above, heading = passage.section.split(" › ")
        if above and section_role(above[-1]) == "modules":
            text = next((b for b in passage.blocks if b.kind in ("paragraph", "list")), None)
            told = f": {said(text.units[0].text)}" if text and text.units else ""
            yield Line(
                f"{said(heading)}{told}",
                passage.place(passage.row.span_start, passage.row.span_end),
            )


def _component(passage: Passage, block: Quotable, unit: Unit) -> Line:
    place = passage.place(unit.start, unit.end)
    if not unit.cells:
        return Line(said(unit.text, 300), place)
    first, *rest = unit.cells
    cells = [
        (name, cell)
        for name, cell in zip(block.header[1:], rest, strict=False)
        if cell.strip(" -–—")
    ]
    main = next((pair for pair in cells if is_responsibility(pair[0])), None)
    if main is None and cells and not any(map(is_responsibility, block.header)):
        main = cells[0]
    told = [said(main[1])] if main else []
    told += [f"{said(name)}: {said(cell)}" for name, cell in cells if (name, cell) != main]
    return Line(f"{said(first)}{': ' if told else ''}{'; '.join(told)}", place)


def _named_in_summary(card: Row, quotes: Quotes) -> list[Line]:
    own = card_at(card, quotes)
    for unit in own.summary:
        label, _, value = unit.text.partition(":")
        if section_role(label) == "modules":
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
