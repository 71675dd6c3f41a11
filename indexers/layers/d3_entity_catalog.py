"""D3: the entities a document is about.

The frontmatter says them. Where it does not, identifiers in headings and identifiers written as
inline code at least three times stand in, marked by `origin`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from docs_agent.core.layers import D3
from docs_agent.core.records import LexicalText, Record
from docs_agent.indexers.layers.building import LayerRecords, place
from docs_agent.indexers.layers.context import DocumentContext
from docs_agent.indexers.layers.inline import clip, plain, sentences
from docs_agent.indexers.layers.values import text_of

MAX_FOUND: Final = 12
"""Entities of a document that does not name its own."""
MAX_WRITTEN: Final = 200
"""Entities of one frontmatter."""
MIN_REPEATS: Final = 3
_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)*(?:\(\))?")
_HEADING_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]{2,59}")
_CAMEL = re.compile(r"[a-z0-9][A-Z]")
_LITERALS: Final = frozenset({"None", "True", "False", "GET", "POST", "PUT", "PATCH", "DELETE"})
_MAX_SENTENCE: Final = 400


@dataclass(frozen=True, slots=True)
class Entity:
    """A name and where the document writes it."""

    name: str
    origin: str
    """`frontmatter`, `heading` or `code`."""
    line: int


def extract_entities(context: DocumentContext) -> tuple[Record, ...]:
    """One record per distinct entity name."""
    entities = tuple(_written(context)) or tuple(_found(context))
    names = {e.name for e in entities}
    definitions = _definitions(context, names) if names else {}
    records = LayerRecords(context, D3)
    for entity in entities:
        definition = definitions.get(entity.name, "")
        content = definition or entity.name
        anchor = f"frontmatter.{context.key('entities')}"
        records.add(
            (entity.name,),
            title=entity.name,
            content=content,
            span=(entity.line, entity.line),
            metadata={
                "entity_name": entity.name,
                "document_id": context.document_id,
                "document_type": context.doc_type,
                "module": context.module,
                **place(context),
                "tags": list(context.tags),
                "origin": entity.origin,
                "anchor": anchor
                if entity.origin == "frontmatter"
                else context.anchor_at(entity.line),
            },
            lexical=LexicalText(
                title=entity.name,
                section=context.doc.title,
                path=context.doc.path,
                body=content,
            ),
        )
    return records.done()


def _written(context: DocumentContext) -> Iterator[Entity]:
    key = context.key("entities")
    value = context.doc.frontmatter.values.get(key) if key else None
    if isinstance(value, str):
        value = value.split(",")
    items = value if isinstance(value, list | tuple) else [value]
    seen: set[str] = set()
    line = 0
    for item in items:
        name = text_of(item).strip("` ")
        if not name or name in seen:
            continue
        if len(seen) == MAX_WRITTEN:
            context.warn(
                context.key_line(key),
                "entities-capped",
                f"The frontmatter names more than {MAX_WRITTEN} entities; the rest is left out. "
                "Keep to the entities the document is about.",
            )
            return
        seen.add(name)
        line = context.value_line(key, name, line)
        yield Entity(name, "frontmatter", line)


def _found(context: DocumentContext) -> Iterator[Entity]:
    headings = {s.start for s in context.doc.sections if s.title}
    first: dict[str, int] = {}
    counts: Counter[str] = Counter()
    in_heading: dict[str, int] = {}
    for code, line in context.doc.code_spans:
        name = _identifier(code)
        if not name:
            continue
        first.setdefault(name, line)
        counts[name] += 1
        if line in headings:
            in_heading.setdefault(name, line)
    for section in context.doc.sections:
        for word in _HEADING_WORD.findall(section.title):
            if "_" in word.strip("_") or _CAMEL.search(word):
                in_heading.setdefault(word, section.start)
    found = [Entity(name, "heading", line) for name, line in in_heading.items()]
    found += [
        Entity(name, "code", first[name])
        for name, count in counts.most_common()
        if count >= MIN_REPEATS and name not in in_heading
    ]
    yield from found[:MAX_FOUND]


def _identifier(code: str) -> str:
    """A name of a thing in code: capitalised, joined by `_` or `.`, or called; not `str` nor
    `True`."""
    code = code.strip()
    if not 3 <= len(code) <= 60 or not _IDENTIFIER.fullmatch(code):
        return ""
    name = code.removesuffix("()")
    shaped = "_" in name or "." in name or name != code or not name.islower()
    return name if shaped and name not in _LITERALS else ""


def _definitions(context: DocumentContext, names: set[str]) -> dict[str, str]:
    """The first sentence of the text that begins with each name."""
    found: dict[str, str] = {}
    phrases = tuple(name for name in names if not _IDENTIFIER.fullmatch(name))
    for section in context.doc.sections:
        for block in section.blocks:
            if block.kind != "paragraph":
                continue
            for sentence in sentences(block.text):
                name = _leading_name(sentence.lstrip("`*_["), names, phrases)
                if name and name not in found and len(sentence) > len(name) + 12:
                    found[name] = clip(plain(sentence), _MAX_SENTENCE)
                    if len(found) == len(names):
                        return found
    return found


def _leading_name(text: str, names: set[str], phrases: tuple[str, ...]) -> str:
    word = _IDENTIFIER.match(text)
    if word and word.group().removesuffix("()") in names:
        return word.group().removesuffix("()")
    return next((p for p in phrases if text.startswith(p)), "")
