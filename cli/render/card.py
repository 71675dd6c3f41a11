"""The card of a document, as JSON and as lines."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any, Final, Literal

from docs_agent.cli.lines import Line, columns, plain
from docs_agent.cli.render.references import (
    WIDTH,
    clip,
    edge_json,
    heading,
    more,
    node_json,
    place,
)
from docs_agent.core.store.protocol import SessionInfo
from docs_agent.core.visible import readable
from docs_agent.retrieval.relations.card import FRONTMATTER, Card, Fact
from docs_agent.retrieval.relations.values import Edge
from docs_agent.templates.lookup import section_role

State = Literal["unchanged", "changed", "gone"]
_STATES: Final[dict[State, str]] = {
    "unchanged": "the file has not changed since",
    "changed": "the file has changed since; run docs-agent index",
    "gone": "the file is gone; run docs-agent index",
}
_SHOWN: Final = 10
"""Items of a group without --all."""
_SHOWN_SECTIONS: Final = 40
_HOW: Final = "--all shows them"
_LIST_GAP: Final = ", "


def card_json(ref: str, card: Card, session: SessionInfo, state: State) -> dict[str, Any]:
    """Everything, without bounds."""
    return {
        "ref": ref,
        "found": True,
        **node_json(card.node),
        "doc_kind": card.doc_kind,
        "lang": card.lang,
        "start_line": 1,
        "end_line": card.end_line,
        "indexed_at": session.updated_at,
        "state": state,
        "metadata": [asdict(field) for field in card.fields],
        "summary": {
            "text": card.summary,
            "start_line": card.summary_start,
            "end_line": card.summary_end,
        },
        "sections": [asdict(section) for section in card.sections],
        "facts": [asdict(fact) for fact in card.facts],
        "entities": [asdict(entity) for entity in card.entities],
        "workflows": [asdict(workflow) for workflow in card.workflows],
        "integrations": [asdict(integration) for integration in card.integrations],
        "relations_out": [edge_json(edge) for edge in card.outgoing],
        "relations_in": [edge_json(edge) for edge in card.incoming],
        "warnings": [
            {"path": w.path, "line": w.line, "code": w.code, "message": w.message}
            for w in card.warnings
        ],
    }


def card_lines(card: Card, session: SessionInfo, state: State, *, full: bool) -> list[Line]:
    """The card; lists are bounded and texts are cut unless `full`."""
    return [
        ((clip(card.node.title, WIDTH), "bold"),),
        plain(place(1, card.end_line, card.node.path)),
        ((f"indexed {session.updated_at}; {_STATES[state]}", _style(state)),),
        *_metadata(card, full),
        *_summary(card, full),
        *_sections(card, full),
        *_facts(card, full),
        *_parts(card, full),
        *_outgoing(card.outgoing, full),
        *_incoming(card.incoming, full),
        *_warnings(card),
    ]


def _style(state: State) -> str:
    return "" if state == "unchanged" else "yellow"


def _group(
    name: str, rows: Sequence[tuple[str, ...]], full: bool, bound: int = _SHOWN
) -> list[Line]:
    """A heading and aligned rows; nothing for no rows."""
    if not rows:
        return []
    shown = rows if full else rows[:bound]
    aligned = columns(shown, indent="  ")
    lines = [plain(row if full else clip_row(row)) for row in aligned]
    rest = [more(len(rows) - len(shown), _HOW)] if len(shown) < len(rows) else []
    return [*heading(f"{name} ({len(rows)})" if rest else name), *lines, *rest]


def clip_row(row: str) -> str:
    """An aligned row, cut to the width of a terminal with its spaces kept."""
    return row if len(row) <= WIDTH else row[: WIDTH - 1].rstrip() + "…"


def _metadata(card: Card, full: bool) -> list[Line]:
    rows = [
        (place(f.start_line, f.end_line), clip(f.key, WIDTH // 3), _shown(f.value))
        for f in card.fields
    ]
    stated = {f.key for f in card.fields}
    if not stated & {"title"}:
        rows.append(("", "title", card.node.title))
    rows.append(("", "doc_kind", _LIST_GAP.join(filter(None, (card.doc_kind, card.lang)))))
    # A card is about its metadata: all of it is shown.
    return _group("Metadata", rows, full, len(rows))


def _shown(value: Any) -> str:
    """A frontmatter value on one line."""
    if isinstance(value, str):
        return value
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return _LIST_GAP.join(value)
    if isinstance(value, dict) and value:
        return "; ".join(f"{key}: {_shown(item)}" for key, item in value.items())
    return json.dumps(value, ensure_ascii=False)


def _summary(card: Card, full: bool) -> Iterator[Line]:
    if not card.summary.strip():
        return
    yield from heading(f"Summary  {place(card.summary_start, card.summary_end)}")
    lines = [line for line in readable(card.summary).split("\n") if line.strip()]
    for line in lines if full else lines[:_SHOWN]:
        yield plain(f"  {line.rstrip()}" if full else clip_row(f"  {line.rstrip()}"))
    if not full and len(lines) > _SHOWN:
        yield more(len(lines) - _SHOWN, _HOW)


def _sections(card: Card, full: bool) -> list[Line]:
    rows = [
        (place(s.start_line, s.end_line), f"{'  ' * s.level}{s.title or '(before any heading)'}")
        for s in card.sections
    ]
    return _group("Sections", rows, full, _SHOWN_SECTIONS)


def _facts(card: Card, full: bool) -> list[Line]:
    """Facts of the text; those of frontmatter and summary are shown above."""
    summaries = {s.anchor for s in card.sections if section_role(s.title) == "summary"}
    rows = [
        (place(f.start_line, f.end_line), _said(f, card))
        for f in card.facts
        if not f.anchor.startswith(FRONTMATTER) and f.anchor not in summaries
    ]
    return _group("Facts", rows, full)


def _said(fact: Fact, card: Card) -> str:
    about = fact.subject not in (card.node.document_id, card.node.path)
    subject = f"{fact.subject} · " if about else ""
    return f"{subject}{fact.predicate}: {fact.object}"


def _parts(card: Card, full: bool) -> Iterator[Line]:
    """Entities, workflows and integrations."""
    entities = [(place(e.start_line, e.end_line), e.name, e.origin) for e in card.entities]
    yield from _group("Entities", entities, full)
    workflows = [
        (
            place(w.start_line, w.end_line),
            w.name,
            _count(w.steps, "step"),
            _count(w.alternatives, "alternative") if w.alternatives else "",
        )
        for w in card.workflows
    ]
    yield from _group("Workflows", workflows, full)
    integrations = [
        (
            place(i.start_line, i.end_line),
            i.name,
            i.target if i.target != i.name else "",
            " ".join(filter(None, (i.direction, i.interaction))),
        )
        for i in card.integrations
    ]
    yield from _group("Integrations", integrations, full)


def _outgoing(edges: Sequence[Edge], full: bool) -> list[Line]:
    rows = [
        (place(e.start_line, e.end_line), e.kind, e.target or f"{e.written}{_fate(e)}")
        for e in edges
    ]
    return _group("Relations out", rows, full)


def _fate(edge: Edge) -> str:
    if edge.resolved:
        return ""
    return " (external)" if edge.target_kind == "external_object" else " (not found)"


def _incoming(edges: Sequence[Edge], full: bool) -> list[Line]:
    rows = [(place(e.start_line, e.end_line, e.source), e.kind) for e in edges]
    return _group("Relations in", rows, full)


def _warnings(card: Card) -> Iterator[Line]:
    if card.warnings:
        yield from heading("Warnings")
    for warning in card.warnings:
        where = place(warning.line, warning.line) or "whole file"
        yield (
            (f"  {where}  ", "bold"),
            (warning.message, "yellow"),
            (f"  [{warning.code}]", "dim"),
        )


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" + ("" if number == 1 else "s")
