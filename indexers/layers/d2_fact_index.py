"""D2: single statements as subject, predicate, object.

Sources, in this order: frontmatter scalars and lists, `Key: value` bullets of recognised
sections, bullets of requirements and constraints, FR-1 / NFR-1 items, rows of tables (first
column subject, header predicate). The history of a document states nothing about its object and is
left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from docs_agent.core.layers import D2
from docs_agent.core.records import LexicalText, Record
from docs_agent.indexers.document import Block, Section
from docs_agent.indexers.layers.building import LayerRecords, place
from docs_agent.indexers.layers.context import DocumentContext
from docs_agent.indexers.layers.inline import clip, key_and_value, plain, reference_in
from docs_agent.indexers.layers.values import text_of
from docs_agent.templates.lookup import relation_target_kind

MAX_FACTS: Final = 400
"""Facts of one document; a longer reference table is still found through its chunks."""
MAX_ROWS: Final = 100
"""Rows of one table."""
_MAX_OBJECT: Final = 500
_STATED: Final = frozenset({"summary", "contract", "errors", "purpose"})
_RULES: Final = {
    "functional_requirements": "functional_requirement",
    "non_functional_requirements": "non_functional_requirement",
    "requirements": "requirement",
    "constraints": "constraint",
}
_REQUIREMENT = re.compile(r"[\s(*_]{0,4}((?:N?FR|Н?ФТ)-?\d{1,6}(?:\.\d{1,6})?)\b[\s.:)*_—–-]*")
_NOTHING: Final = frozenset({"", "-", "–", "—", "n/a"})


@dataclass(frozen=True, slots=True)
class Fact:
    """One triple and where it stands."""

    subject: str
    predicate: str
    object: str
    reference: str
    anchor: str
    start: int
    end: int
    section: str = ""


def extract_facts(context: DocumentContext) -> tuple[Record, ...]:
    """At most MAX_FACTS records; a warning says from which line on facts were left out."""
    records = LayerRecords(context, D2, "fact_id")
    for fact in _facts(context):
        if not fact.object or not fact.predicate or not fact.subject:
            continue
        if len(records) >= MAX_FACTS:
            context.warn(
                fact.start,
                "facts-capped",
                f"The document states more than {MAX_FACTS} facts; those from this line on are "
                "found as text only. Split the document to have them all as facts.",
            )
            break
        _add(context, records, fact)
    return records.done()


def _add(context: DocumentContext, records: LayerRecords, fact: Fact) -> None:
    content = f"{fact.subject} — {fact.predicate}: {fact.object}"
    records.add(
        (fact.anchor, fact.subject, fact.predicate, fact.object),
        title=f"{fact.subject} — {fact.predicate}",
        content=content,
        span=(fact.start, fact.end),
        metadata={
            "subject_id": fact.subject,
            "predicate": fact.predicate,
            "object": fact.object,
            "object_ref": fact.reference,
            "anchor": fact.anchor,
            "tags": list(context.tags),
            **place(context),
            "document_id": context.document_id,
        },
        lexical=LexicalText(
            title=context.doc.title, section=fact.section, path=context.doc.path, body=content
        ),
    )


def _facts(context: DocumentContext) -> Iterator[Fact]:
    id_key = context.key("id")
    for key, value in context.doc.frontmatter.values.items():
        if key != id_key:
            yield from _frontmatter_facts(context, str(key), str(key), value)
    for index, section in enumerate(context.doc.sections):
        if "history" in context.lineage[index]:
            continue
        yield from _heading_facts(context, section)
        for block in section.blocks:
            if block.kind == "table":
                yield from _table_facts(context, section, block)
            elif block.kind in ("list", "paragraph"):
                yield from _line_facts(context, index, block)


def _frontmatter_facts(
    context: DocumentContext, key: str, predicate: str, value: Any, depth: int = 0
) -> Iterator[Fact]:
    if isinstance(value, Mapping):
        if depth < 3:
            for name, inner in value.items():
                yield from _frontmatter_facts(context, key, f"{predicate}.{name}", inner, depth + 1)
        return
    items = value if isinstance(value, list | tuple) else (value,)
    line = 0
    for item in items[: MAX_FACTS + 1]:
        if isinstance(item, Mapping):
            facts = _map_facts(context, key, item, line)
            line = facts[-1].end if facts else line
            yield from facts
            continue
        text = text_of(item)
        line = context.value_line(key, text, line if len(items) > 1 else 0)
        reference = text if relation_target_kind(predicate.rpartition(".")[2]) else ""
        yield Fact(
            context.document_id, predicate, text, reference, f"frontmatter.{key}", line, line
        )


def _map_facts(
    context: DocumentContext, key: str, item: Mapping[Any, Any], after: int
) -> list[Fact]:
    """A list of maps (an errors catalogue, links): the first value names what the rest is about."""
    pairs = [(str(k), text_of(v)) for k, v in item.items()]
    if not pairs:
        return []
    subject = pairs[0][1]
    line = context.value_line(key, subject, after)
    return [
        Fact(subject, name, text, "", f"frontmatter.{key}", line, line) for name, text in pairs[1:]
    ]


def _heading_facts(context: DocumentContext, section: Section) -> Iterator[Fact]:
    match = _REQUIREMENT.match(section.title)
    if match:
        texts = [section.title[match.end() :], *(plain(b.text) for b in section.blocks)]
        yield _own(
            context,
            section,
            match.group(1),
            " ".join(t for t in texts if t),
            (section.start, section.end),
        )


def _line_facts(context: DocumentContext, index: int, block: Block) -> Iterator[Fact]:
    section = context.doc.sections[index]
    lineage = context.lineage[index]
    rule = next((name for role, name in _RULES.items() if role in lineage), "")
    lines: list[tuple[str, int, int]] = [(i.text, i.line, i.end) for i in block.items]
    if block.kind == "paragraph":
        first = block.text.partition("\n")[0]
        lines = [(block.text if _REQUIREMENT.match(first) else first, block.start, block.end)]
    for text, start, end in lines:
        span = (start, end)
        match = _REQUIREMENT.match(text)
        pair = key_and_value(text, 3 if rule else 6)
        if match:
            yield _own(context, section, match.group(1), text[match.end() :], span)
        elif block.kind == "paragraph":
            continue
        elif pair and pair[1] and (rule or _STATED & lineage):
            yield _own(context, section, pair[0], pair[1], span)
        elif rule:
            yield _own(context, section, rule, text, span)


def _own(
    context: DocumentContext, section: Section, predicate: str, value: str, span: tuple[int, int]
) -> Fact:
    return Fact(
        context.document_id,
        predicate,
        clip(" ".join(plain(value).split()), _MAX_OBJECT),
        reference_in(value),
        section.anchor,
        *span,
        context.section_path(section),
    )


def _table_facts(context: DocumentContext, section: Section, block: Block) -> Iterator[Fact]:
    header = [plain(h).strip() for h in block.header]
    path = context.section_path(section)
    for row in block.rows[:MAX_ROWS]:
        subject = plain(row.cells[0]).strip() if row.cells else ""
        if subject in _NOTHING:
            continue
        for name, cell in zip(header[1:], row.cells[1:], strict=False):
            value = clip(plain(cell).strip(), _MAX_OBJECT)
            if value not in _NOTHING:
                yield Fact(
                    subject,
                    name,
                    value,
                    reference_in(cell),
                    section.anchor,
                    row.line,
                    row.line,
                    path,
                )
    if len(block.rows) > MAX_ROWS:
        context.warn(
            block.rows[MAX_ROWS].line,
            "table-capped",
            f"The table has {len(block.rows)} rows; facts were taken from the first {MAX_ROWS}. "
            "The rest is found as text; split the table to have all rows as facts.",
        )
