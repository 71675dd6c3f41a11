"""D6: integrations, one record each.

Sources: `### name` blocks with `- key: value` bullets under an Integrations heading, plain bullets
right under that heading, and the integrations table of an architecture overview.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from docs_agent.core.layers import D6
from docs_agent.core.records import LexicalText, Record
from docs_agent.indexers.document import Block, ListItem, Section
from docs_agent.indexers.layers.building import LayerRecords, place
from docs_agent.indexers.layers.context import DocumentContext
from docs_agent.indexers.layers.inline import clip, key_and_value, plain
from docs_agent.templates.lookup import integration_fields

MAX_INTEGRATIONS: Final = 200
EMBED_LIMIT: Final = 1000
_FIELDS: Final = ("target", "target_type", "direction", "interaction", "via", "purpose")
_READ: Final = ("name", *_FIELDS, "component")
_NOTES: Final = "notes"
_MAX_PURPOSE: Final = 500


@dataclass(slots=True)
class Draft:
    """An integration while it is read."""

    name: str
    anchor: str
    start: int
    end: int
    fields: dict[str, str] = field(default_factory=dict)
    details: dict[str, Any] = field(default_factory=dict)

    def put(self, key: str, value: str, meaning: str) -> None:
        """Files a value under the field that its key means, else among the details."""
        text = " ".join(plain(value).split())
        if meaning in _READ and meaning not in self.fields:
            self.fields[meaning] = text
        elif text:
            self.details[key] = text

    def note(self, text: str) -> None:
        """Keeps a text that has no key."""
        self.details.setdefault(_NOTES, []).append(text)


def extract_integrations(context: DocumentContext) -> tuple[Record, ...]:
    """One record per integration; an empty one gives a warning instead."""
    records = LayerRecords(context, D6, "integration_id")
    for draft in _drafts(context):
        target = draft.fields.get("target") or draft.fields.get("name") or draft.name
        if not target or not (draft.fields or draft.details):
            context.warn(
                draft.start,
                "integration-empty",
                f"The integration «{draft.name[:100]}» says nothing; it was left out. Add bullets "
                "such as `- target: …` and `- purpose: …`.",
            )
            continue
        if len(records) >= MAX_INTEGRATIONS:
            context.warn(
                draft.start,
                "integrations-capped",
                f"The document lists more than {MAX_INTEGRATIONS} integrations; those from this "
                "line on were left out. Split the document to have all of them.",
            )
            break
        _add(context, records, draft, target)
    return records.done()


def _add(context: DocumentContext, records: LayerRecords, draft: Draft, target: str) -> None:
    doc = context.doc
    name = draft.name or target
    content = _readable(name, target, draft)
    records.add(
        (draft.anchor, name, target),
        title=name,
        content=content,
        span=(draft.start, draft.end),
        metadata={
            "source_id": context.document_id,
            "source_type": context.doc_type,
            **{f: draft.fields.get(f, "") for f in _FIELDS},
            "target": target,
            "details": draft.details,
            **place(context),
            "anchor": draft.anchor,
            "name": name,
            "component": draft.fields.get("component", ""),
        },
        lexical=LexicalText(
            title=name,
            section=f"{doc.title} › {context.section_path(context.section_at(draft.start))}",
            path=doc.path,
            body=content,
        ),
        embed_text=clip(f"{doc.title}\n{content}", EMBED_LIMIT),
    )


def _readable(name: str, target: str, draft: Draft) -> str:
    lines = [name]
    if target != name:
        lines.append(f"- target: {target}")
    told = (*_FIELDS[1:], "component")
    lines += [f"- {f}: {draft.fields[f]}" for f in told if draft.fields.get(f)]
    lines += [f"- {key}: {_flat(value)}" for key, value in draft.details.items()]
    return "\n".join(lines)


def _flat(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{k}: {_flat(v)}" for k, v in value.items())
    return "; ".join(map(_flat, value)) if isinstance(value, list) else str(value)


def _drafts(context: DocumentContext) -> Iterator[Draft]:
    done = -1
    for index, section in enumerate(context.doc.sections):
        if index > done and context.roles[index] == "integrations":
            span = context.subtree(index)
            done = span[-1]
            yield from _listed(section)
            for inner in context.doc.sections[span.start + 1 : span.stop]:
                yield from _described(inner, section.level + 1)
        elif index > done:
            for block in section.blocks:
                if block.header and _is_integration_table(block):
                    yield from _rows(section, block)


def _is_integration_table(block: Block) -> bool:
    fields = integration_fields(block.header)
    named = not {"name", "target"}.isdisjoint(fields)
    first = fields[:1] and fields[0] in ("name", "target", "component")
    return bool(named and first and "direction" in fields)


def _listed(section: Section) -> Iterator[Draft]:
    """Integrations given right under the heading, as a table or as bullets."""
    for block in section.blocks:
        if block.kind == "table":
            yield from _rows(section, block)
        elif block.kind == "list":
            for item, nested in _grouped(block.items):
                name, value = key_and_value(item.text) or (plain(item.text), "")
                end = max((i.end for i in nested), default=item.end)
                draft = Draft(plain(name), section.anchor, item.line, end)
                if value:
                    draft.fields["purpose"] = plain(value)
                _bullets(draft, nested)
                draft.fields.setdefault("target", draft.fields.get("name", draft.name))
                yield draft


def _rows(section: Section, block: Block) -> Iterator[Draft]:
    meanings = integration_fields([plain(name) for name in block.header], table=True)
    for row in block.rows:
        draft = Draft("", section.anchor, row.line, row.line)
        for header, meaning, cell in zip(block.header, meanings, row.cells, strict=False):
            if cell.strip() not in ("", "-", "–", "—"):
                draft.put(plain(header).strip(), cell, meaning)
        if draft.fields or draft.details:
            draft.name = draft.fields.get("name") or draft.fields.get("target", "")
            yield draft


def _described(section: Section, level: int) -> Iterator[Draft]:
    """One integration under its own heading; a table below a deeper heading is read too."""
    draft = Draft(section.title, section.anchor, section.start, section.end)
    tables = [b for b in section.blocks if b.kind == "table" and _is_integration_table(b)]
    for table in tables:
        yield from _rows(section, table)
    for block in section.blocks:
        if block.kind == "list":
            _bullets(draft, block.items)
        elif block.kind in ("paragraph", "quote"):
            text = clip(" ".join(plain(block.text).split()), _MAX_PURPOSE)
            if "purpose" in draft.fields:
                draft.note(text)
            else:
                draft.fields["purpose"] = text
        elif block not in tables and block.kind != "rule" and block.text.strip():
            draft.note(block.text)
    if draft.fields or draft.details or (section.level == level and not tables):
        yield draft


def _grouped(items: Sequence[ListItem]) -> Iterator[tuple[ListItem, Sequence[ListItem]]]:
    """Items with the items nested below them."""
    start = 0
    while start < len(items):
        end = start + 1
        while end < len(items) and items[end].level > items[start].level:
            end += 1
        yield items[start], items[start + 1 : end]
        start = end


def _bullets(draft: Draft, items: Sequence[ListItem]) -> None:
    read = [(key_and_value(item.text), item, nested) for item, nested in _grouped(items)]
    keys = [pair[0] for pair, _, _ in read if pair]
    meanings = dict(zip(keys, integration_fields(keys), strict=True))
    for pair, item, nested in read:
        if pair is None:
            draft.note(" ".join([plain(item.text), *(plain(i.text) for i in nested)]))
        elif not nested:
            draft.put(*pair, meanings[pair[0]])
        elif meanings[pair[0]] == "details":
            draft.details.update(_tree(nested))
        else:
            if pair[1]:
                draft.put(*pair, meanings[pair[0]])
            draft.details[pair[0]] = _tree(nested)


def _tree(items: Sequence[ListItem]) -> dict[str, Any]:
    """Nested bullets as nested maps; bullets without a key are kept as notes."""
    found: dict[str, Any] = {}
    for item, nested in _grouped(items):
        pair = key_and_value(item.text)
        key, value = pair or (plain(item.text), "")
        if nested:
            found[key] = _tree(nested)
        elif pair:
            found[key] = plain(value)
        else:
            found.setdefault(_NOTES, []).append(key)
    return found
