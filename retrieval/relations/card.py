"""All that the index holds of one document, as one value."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from docs_agent.core.layers import D0, D1, D2, D3, D4, D6
from docs_agent.core.records import IndexWarning
from docs_agent.core.rows import Row
from docs_agent.core.store.protocol import Reader, RowFilter
from docs_agent.retrieval.relations.graph import Graph
from docs_agent.retrieval.relations.sections import SectionLines, section_tree
from docs_agent.retrieval.relations.values import Edge, Node
from docs_agent.templates.lookup import key_names

_ALL: Final = 2**62
_SERVICE: Final = ("source_path", "summary_text", "doc_kind", "document_id", "defined_endpoints")
"""Keys of D1 metadata that are the tool's."""
_OVERRIDDEN: Final = "frontmatter_overridden"
"""Where D1 metadata keeps frontmatter keys that have the name of one of those."""
FRONTMATTER: Final = "frontmatter."
"""How the anchor of a fact begins that was taken from the frontmatter."""


@dataclass(frozen=True, slots=True)
class Field:
    """A key of the frontmatter."""

    key: str
    value: Any
    """JSON-able, as written: text, list, map or None."""
    start_line: int
    """First line that states it, 1-based; 0 when the index has no line of it."""
    end_line: int


@dataclass(frozen=True, slots=True)
class Fact:
    """A D2 record."""

    subject: str
    predicate: str
    object: str
    anchor: str
    start_line: int
    end_line: int


@dataclass(frozen=True, slots=True)
class Entity:
    """A D3 record."""

    name: str
    origin: str
    """Where it was found: `frontmatter`, `heading`, `code`, …"""
    start_line: int
    end_line: int


@dataclass(frozen=True, slots=True)
class Workflow:
    """A D4 record."""

    name: str
    steps: int
    """Lines of the main flow."""
    alternatives: int
    """Lines of the alternative flow."""
    start_line: int
    end_line: int


@dataclass(frozen=True, slots=True)
class Integration:
    """A D6 record."""

    name: str
    target: str
    target_type: str
    direction: str
    interaction: str
    via: str
    purpose: str
    start_line: int
    end_line: int


@dataclass(frozen=True, slots=True)
class Card:
    """One document."""

    node: Node
    doc_kind: str
    """What its path says it is: `api`, `guide`, `readme`, …"""
    lang: str
    """`ru`, `en` or empty."""
    end_line: int
    """Last line that any record covers."""
    fields: tuple[Field, ...]
    """Frontmatter in its order."""
    summary: str
    """Markdown as written."""
    summary_start: int
    summary_end: int
    sections: tuple[SectionLines, ...]
    facts: tuple[Fact, ...]
    entities: tuple[Entity, ...]
    workflows: tuple[Workflow, ...]
    integrations: tuple[Integration, ...]
    outgoing: tuple[Edge, ...]
    """Relations the document states, by line."""
    incoming: tuple[Edge, ...]
    """Relations of other documents that lead here, by source and line."""
    warnings: tuple[IndexWarning, ...]
    """What was wrong with the file when it was indexed."""


def card_of(node: Node, reader: Reader, graph: Graph) -> Card:
    """The card of a document that `reader` holds."""
    path = node.path
    rows: dict[str, list[Row]] = {}
    for row in reader.rows_of(RowFilter(paths=(path,)), _ALL):
        rows.setdefault(row.layer, []).append(row)
    document = rows[D1][0]
    facts = tuple(map(_fact, rows.get(D2, ())))
    return Card(
        node=node,
        doc_kind=_text(document, "doc_kind"),
        lang=document.lang,
        end_line=max(row.span_end for found in rows.values() for row in found),
        fields=tuple(_fields(document.metadata, facts)),
        summary=document.content,
        summary_start=document.span_start,
        summary_end=document.span_end,
        sections=section_tree(rows.get(D0, ())),
        facts=facts,
        entities=tuple(
            Entity(_text(r, "entity_name"), _text(r, "origin"), r.span_start, r.span_end)
            for r in rows.get(D3, ())
        ),
        workflows=tuple(map(_workflow, rows.get(D4, ()))),
        integrations=tuple(map(_integration, rows.get(D6, ()))),
        outgoing=graph.outgoing(path),
        incoming=tuple(edge for edge in graph.incoming(path) if edge.source != path),
        warnings=reader.warnings_of(path),
    )


def _fields(metadata: Mapping[str, Any], facts: Sequence[Fact]) -> Iterator[Field]:
    lines: dict[str, tuple[int, int]] = {}
    for fact in facts:
        if fact.anchor.startswith(FRONTMATTER):
            key = fact.anchor.removeprefix(FRONTMATTER)
            start, end = lines.get(key, (fact.start_line, fact.end_line))
            lines[key] = min(start, fact.start_line), max(end, fact.end_line)
    # The tool adds `type` and `subdomain` for documents that spell them otherwise.
    added = {
        meaning
        for meaning in ("type", "subdomain")
        if any(key in metadata for key in key_names(meaning) if key != meaning)
    }
    written = {k: v for k, v in metadata.items() if k not in (*_SERVICE, _OVERRIDDEN, *added)}
    overridden = metadata.get(_OVERRIDDEN)
    if isinstance(overridden, dict):
        written |= overridden
    for key, value in written.items():
        start, end = lines.get(key, (0, 0))
        yield Field(key, value, start, end)


def _fact(row: Row) -> Fact:
    subject, predicate, said, anchor = (
        _text(row, key) for key in ("subject_id", "predicate", "object", "anchor")
    )
    return Fact(subject, predicate, said, anchor, row.span_start, row.span_end)


def _workflow(row: Row) -> Workflow:
    steps, others = (_length(row, key) for key in ("main_flow", "alternative_flow"))
    return Workflow(_text(row, "workflow_name"), steps, others, row.span_start, row.span_end)


def _integration(row: Row) -> Integration:
    keys = ("target", "target_type", "direction", "interaction", "via", "purpose")
    values = {key: _text(row, key) for key in keys}
    return Integration(name=row.title, **values, start_line=row.span_start, end_line=row.span_end)


def _text(row: Row, key: str) -> str:
    value = row.metadata.get(key)
    return value if isinstance(value, str) else ""


def _length(row: Row, key: str) -> int:
    value = row.metadata.get(key)
    return len(value) if isinstance(value, list) else 0
