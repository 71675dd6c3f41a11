"""What every layer extractor is given: the document and what its frontmatter and headings mean."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from docs_agent.core.records import IndexWarning, Record
from docs_agent.core.text import normalize
from docs_agent.indexers.doc_kind import doc_kind
from docs_agent.indexers.document import ParsedDocument, Section
from docs_agent.indexers.layers.values import text_of, texts_of
from docs_agent.templates.lookup import key_names, name_form, section_role

PATH_JOINER = " › "
_MAX_SCAN = 400
"""Lines searched for one frontmatter item."""


@dataclass(frozen=True, slots=True)
class DocumentContext:
    """One document on its way through the extractors. Frozen but for `warnings`, which they add
    to."""

    doc: ParsedDocument
    document_id: str
    """Frontmatter id, else the path."""
    doc_type: str
    """`type` or `doc_type`; empty when the frontmatter has neither."""
    module: str
    domain: str
    subdomain: str
    tags: tuple[str, ...]
    doc_kind: str
    roles: tuple[str, ...]
    """Meaning of each section's own heading, `""` for none."""
    lineage: tuple[frozenset[str], ...]
    """Meanings of each section and of all sections around it."""
    starts: tuple[int, ...]
    """First line of each section, for looking up a line's section."""
    warnings: list[IndexWarning] = field(default_factory=list)

    def warn(self, line: int, code: str, message: str) -> None:
        """Notes a fault; the rest of the document goes on."""
        self.warnings.append(IndexWarning(self.doc.path, line, code, message))

    def value(self, meaning: str) -> Any:
        """Frontmatter value by meaning, None when absent."""
        key = self.key(meaning)
        return self.doc.frontmatter.values.get(key) if key else None

    def key(self, meaning: str) -> str:
        """Frontmatter key as written that has this meaning, `""` when absent."""
        return written_key(self.doc.frontmatter.values, meaning)

    def subtree(self, index: int) -> range:
        """Indexes of a section and of all its sub-sections, at least itself."""
        sections = self.doc.sections
        end = index + 1
        while end < len(sections) and sections[end].level > sections[index].level:
            end += 1
        return range(index, end)

    def section_at(self, line: int) -> Section | None:
        """The section a line belongs to."""
        position = bisect_right(self.starts, line) - 1
        return self.doc.sections[position] if position >= 0 else None

    def anchor_at(self, line: int) -> str:
        """Anchor of the section a line belongs to, empty before the first heading."""
        section = self.section_at(line)
        return section.anchor if section else ""

    def section_path(self, section: Section | None) -> str:
        """Headings joined by ` › `; an H1 that repeats the document's title is left out."""
        if section is None or not section.path:
            return ""
        path = section.path
        if normalize(path[0]).strip() == normalize(self.doc.title).strip():
            path = path[1:]
        return PATH_JOINER.join(path)

    def key_line(self, key: str) -> int:
        """Line of a frontmatter key, the block's first line when it is not known."""
        return self.doc.frontmatter.lines.get(key, 0) or max(1, self.doc.frontmatter.start)

    def value_line(self, key: str, value: str, after: int = 0) -> int:
        """Line of one item of a frontmatter key, searched from line `after` + 1; the key's own
        line when the item is not written literally."""
        first = self.key_line(key)
        later = [n for n in self.doc.frontmatter.lines.values() if n > first]
        last = min(later) - 1 if later else self.doc.frontmatter.end
        start = max(first, after + 1)
        for line in range(start, min(last, len(self.doc.lines), start + _MAX_SCAN) + 1):
            if value in self.doc.lines[line - 1]:
                return line
        return first


Extractor = Callable[[DocumentContext], tuple[Record, ...]]
"""Takes one layer's records from a document. Never raises on a parsed document; what it cannot
read or leaves out it says through `DocumentContext.warn`."""


def written_key(values: Mapping[str, Any], meaning: str) -> str:
    """The key of `values` that has this meaning, as written; `""` when there is none."""
    for name in key_names(meaning):
        if name in values:
            return name
    wanted = {name_form(name) for name in key_names(meaning)}
    return next((k for k in values if isinstance(k, str) and name_form(k) in wanted), "")


def build_context(doc: ParsedDocument) -> DocumentContext:
    """Works out once what the extractors share."""
    values = doc.frontmatter.values

    def text(meaning: str) -> str:
        key = written_key(values, meaning)
        return text_of(values[key]) if key else ""

    tags_key = written_key(values, "tags")
    tags = values.get(tags_key) if tags_key else None
    roles = tuple(section_role(s.title) if s.title else "" for s in doc.sections)
    return DocumentContext(
        doc=doc,
        document_id=text("id") or doc.path,
        doc_type=text("type"),
        module=text("module"),
        domain=text("domain"),
        subdomain=text("subdomain"),
        tags=texts_of(tags.split(",") if isinstance(tags, str) else tags),
        doc_kind=doc_kind(doc.path),
        roles=roles,
        lineage=_lineage(doc.sections, roles),
        starts=tuple(s.start for s in doc.sections),
    )


def _lineage(sections: tuple[Section, ...], roles: tuple[str, ...]) -> tuple[frozenset[str], ...]:
    open_sections: list[tuple[int, frozenset[str]]] = []
    found: list[frozenset[str]] = []
    for section, role in zip(sections, roles, strict=True):
        while open_sections and open_sections[-1][0] >= section.level:
            open_sections.pop()
        outer = open_sections[-1][1] if open_sections else frozenset()
        own = outer | {role} if role else outer
        open_sections.append((section.level, own))
        found.append(own)
    return tuple(found)
