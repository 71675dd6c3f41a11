"""D1: the card of a document: its summary, its frontmatter as it is, what it is.

The lexical text is the whole page, so that a plan of few rows still finds a page by what it says.
Fields of the tool win over frontmatter keys of the same name; the document's own values are kept
under `frontmatter_overridden`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from docs_agent.core.layers import D1
from docs_agent.core.records import LexicalText, Record
from docs_agent.indexers.blocks import TITLE_INFO
from docs_agent.indexers.document import Block, Section
from docs_agent.indexers.endpoints import definitions
from docs_agent.indexers.layers.building import LayerRecords
from docs_agent.indexers.layers.context import DocumentContext
from docs_agent.indexers.layers.inline import clip, plain
from docs_agent.indexers.layers.values import jsonable, text_of, texts_of

LEAD_LIMIT: Final = 800
"""Characters of a summary that was not written as one."""
SUMMARY_LIMIT: Final = 2400
"""Characters of a Summary section: it is written to be short and its lines are facts."""
EMBED_LIMIT: Final = 2000
OVERRIDDEN: Final = "frontmatter_overridden"
DEFINED: Final = "defined_endpoints"
_SERVICE: Final = ("source_path", "summary_text", "doc_kind", "document_id", DEFINED, OVERRIDDEN)
_MIN_WORDS: Final = 5
"""Words beside a link that make a paragraph prose."""

Summary = tuple[str, int, int]
"""Text, first line, last line."""


def extract_document_card(context: DocumentContext) -> tuple[Record, ...]:
    """Exactly one record, also for a document that is nothing but frontmatter."""
    doc = context.doc
    text, start, end = _summary(context)
    records = LayerRecords(context, D1)
    headings = " › ".join(s.title for s in doc.sections if s.title)
    records.add(
        (),
        title=doc.title,
        content=text,
        span=(start, end),
        metadata=_metadata(context, text),
        lexical=LexicalText(
            title=" · ".join((doc.title, *_aliases(context))),
            section=headings,
            path=doc.path,
            body=_page_text(context),
        ),
        embed_text=clip(f"{doc.title}\n{plain(text)}", EMBED_LIMIT),
    )
    return records.done()


def _aliases(context: DocumentContext) -> tuple[str, ...]:
    """What people also call the document; it must be found by these words too."""
    return texts_of(context.value("aliases"))


def _metadata(context: DocumentContext, summary: str) -> dict[str, Any]:
    doc = context.doc
    written = jsonable(doc.frontmatter.values)
    metadata = {k: v for k, v in written.items() if k not in _SERVICE}
    overridden = {k: v for k, v in written.items() if k in _SERVICE}
    # Filters look at one spelling, whichever of the two the document uses.
    for meaning in ("type", "subdomain"):
        if context.key(meaning):
            metadata.setdefault(meaning, metadata[context.key(meaning)])
    metadata |= {"source_path": doc.path, "summary_text": summary, "doc_kind": context.doc_kind}
    if text_of(doc.frontmatter.values.get("id")):
        metadata["document_id"] = context.document_id
    defined = [definition._asdict() for definition in definitions(context)]
    if defined:
        metadata[DEFINED] = defined
    if overridden:
        metadata[OVERRIDDEN] = overridden
    return metadata


def _summary(context: DocumentContext) -> Summary:
    doc = context.doc
    for role, limit in (("summary", SUMMARY_LIMIT), ("", LEAD_LIMIT), ("purpose", LEAD_LIMIT)):
        if role:
            found = _section_summary(context, role, limit)
        else:
            found = _lead(_title_sections(doc.sections))
        if found:
            return found
    first = _lead(doc.sections) or _any_text(doc.sections)
    if first:
        return first
    return text_of(context.value("description")) or doc.title, 1, max(1, doc.frontmatter.end)


def _section_summary(context: DocumentContext, role: str, limit: int) -> Summary | None:
    for index, own in enumerate(context.roles):
        if own != role:
            continue
        blocks = [b for i in context.subtree(index) for b in context.doc.sections[i].blocks]
        found = _joined(blocks, limit)
        if found:
            return found
    return None


def _title_sections(sections: Sequence[Section]) -> Sequence[Section]:
    """The text before the first heading and under the first one: where a lead stands."""
    if sections and sections[0].level == 0:
        return sections[:2]
    return sections[:1]


def _lead(sections: Sequence[Section]) -> Summary | None:
    for section in sections:
        taken: list[Block] = []
        for block in section.blocks:
            prose = block.kind == "paragraph" and block.info != TITLE_INFO
            if (prose and _says_something(block.text)) or (
                taken and block.kind == "list" and taken[-1].text.rstrip().endswith(":")
            ):
                taken.append(block)
            elif taken:
                break
            if sum(len(b.text) for b in taken) > LEAD_LIMIT:
                break
        found = _joined(taken, LEAD_LIMIT)
        if found:
            return found
    return None


def _says_something(text: str) -> bool:
    """False for badges and bare links: "Source code: https://…" is no summary."""
    words = [w for w in plain(text).split() if "://" not in w and any(c.isalpha() for c in w)]
    linked = "](" in text or "://" in text
    return len(words) >= (_MIN_WORDS if linked else 1)


def _any_text(sections: Sequence[Section]) -> Summary | None:
    blocks = [b for s in sections for b in s.blocks if b.kind != "rule"]
    return _joined(blocks[:1], LEAD_LIMIT)


def _joined(blocks: Sequence[Block], limit: int) -> Summary | None:
    filled = [b for b in blocks if b.text.strip() and b.kind != "rule"]
    if not filled:
        return None
    text = "\n\n".join(b.text.strip() for b in filled)
    clipped = clip(text, limit)
    last = filled[0]
    length = 0
    for block in filled:
        if length >= len(clipped):
            break
        last = block
        length += len(block.text.strip()) + 2
    return clipped, filled[0].start, last.end


def _page_text(context: DocumentContext) -> str:
    return "\n".join(
        block.text if block.kind == "code" else plain(block.text)
        for section in context.doc.sections
        for block in section.blocks
    )
