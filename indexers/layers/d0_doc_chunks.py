"""D0: the text of every section, long ones cut at block borders.

A section without text of its own gives no record: its heading lives on in the section path of
what is below it. Where a document has no headings, its blocks are cut by size alone.
"""

from __future__ import annotations

from typing import Final

from docs_agent.core.layers import D0
from docs_agent.core.records import LexicalText, Record
from docs_agent.core.text import language_of
from docs_agent.indexers.document import Section
from docs_agent.indexers.layers.building import LayerRecords, place
from docs_agent.indexers.layers.context import DocumentContext
from docs_agent.indexers.layers.pieces import Chunk, chunks

EMBED_LIMIT: Final = 2000
"""Characters handed to the embedder."""
_LANGUAGE_SAMPLE: Final = 800


def extract_doc_chunks(context: DocumentContext) -> tuple[Record, ...]:
    """One record per section with text, more for long ones; `order` counts through the document."""
    records = LayerRecords(context, D0)
    for section in context.doc.sections:
        for part, chunk in enumerate(chunks(section.blocks, context.doc.lines)):
            _add(context, records, section, chunk, part)
    return records.done()


def _add(
    context: DocumentContext, records: LayerRecords, section: Section, chunk: Chunk, part: int
) -> None:
    doc = context.doc
    path = context.section_path(section)
    body = "\n".join(p.plain for p in chunk.pieces)
    prose = " ".join(p.text for p in chunk.pieces if not p.is_code)
    numbers = chunk.line_numbers
    records.add(
        (*section.path, str(part), chunk.text),
        title=section.title or doc.title,
        content=chunk.text,
        span=chunk.span,
        lang=language_of(prose[:_LANGUAGE_SAMPLE]) or doc.lang,
        metadata={
            "document_id": context.document_id,
            "type": context.doc_type,
            "module": context.module,
            **place(context),
            "tags": list(context.tags),
            "section_path": path,
            "section_title": section.title,
            "order": len(records),
            "doc_kind": context.doc_kind,
            "artifact_type": "DOCS",
            "anchor": section.anchor,
            # Answers cite single lines, also where cleaning or cutting removed some.
            **({"line_numbers": numbers} if numbers else {}),
        },
        lexical=LexicalText(title=doc.title, section=path, path=doc.path, body=body),
        embed_text="\n".join(t for t in (doc.title, path, body) if t)[:EMBED_LIMIT],
    )
