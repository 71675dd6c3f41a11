"""A Markdown document after its one parse: frontmatter, section tree, blocks, links, all with line
spans.

Line numbers are 1-based positions in the original file (frontmatter, BOM and CRLF counted), ends
inclusive.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from docs_agent.core.records import IndexWarning

BlockKind = Literal["paragraph", "list", "table", "code", "quote", "html", "rule"]


@dataclass(frozen=True, slots=True)
class ListItem:
    """One item of a list, nested items follow their parent with a higher level."""

    text: str
    """Plain text with inline Markdown as written (code spans, links, emphasis), joined to one line.
    """
    line: int
    end: int
    level: int
    """0 for the outermost list."""
    number: int
    """Position in an ordered list, 1-based; 0 in a bullet list."""


@dataclass(frozen=True, slots=True)
class TableRow:
    """One body row of a table; cells as written, trimmed, as many as the header has."""

    cells: tuple[str, ...]
    line: int


@dataclass(frozen=True, slots=True)
class Block:
    """One top-level block inside a section."""

    kind: BlockKind
    start: int
    end: int
    text: str
    """The original lines, joined by newlines, markup noise (heading attributes, `///` fences,
    shortcodes, JSX,
    HTML comments) removed; line count may therefore be smaller than the span."""
    info: str = ""
    """Language of a code fence; `title` for a paragraph that names an admonition or tab."""
    items: tuple[ListItem, ...] = ()
    header: tuple[str, ...] = ()
    rows: tuple[TableRow, ...] = ()


@dataclass(frozen=True, slots=True)
class Section:
    """A heading with what follows it up to the next heading. The text before the first heading is a
    section of level 0."""

    level: int
    title: str
    """Plain text of the heading, attributes and markup removed; empty at level 0."""
    path: tuple[str, ...]
    """Titles from the outermost heading to this one, inclusive; empty at level 0."""
    anchor: str
    """Explicit `{ #anchor }` or a GitHub-style slug, unique in the document; empty at level 0."""
    start: int
    """Line of the heading (of the first block at level 0)."""
    end: int
    """Last line of the section's own blocks, sub-sections not counted; never less than start."""
    order: int
    """Position in the document, 0-based."""
    blocks: tuple[Block, ...] = ()


@dataclass(frozen=True, slots=True)
class Link:
    """A Markdown link or image reference found by the parser (never inside code)."""

    target: str
    """As written, percent-decoded; `#fragment` included."""
    text: str
    line: int


@dataclass(frozen=True, slots=True)
class Frontmatter:
    """Metadata of a document. Values are str, list and dict of str, int-free: no date, bool or
    float is ever guessed."""

    values: Mapping[str, Any] = field(default_factory=dict)
    lines: Mapping[str, int] = field(default_factory=dict)
    """Line of each top-level key."""
    start: int = 0
    """Line of the opening fence; 0 when there is no frontmatter."""
    end: int = 0
    """Line of the closing fence, or of the last recovered line."""


@dataclass(frozen=True, slots=True)
class ParsedDocument:
    """Everything later steps need of one file; nobody parses again."""

    path: str
    """Relative to the project root, with `/`."""
    docs_root: str
    """The docs root it was found under, relative to the project root; `.` for the root itself."""
    content_hash: str
    lines: tuple[str, ...]
    """All lines of the file without line ends, decoded; `lines[n - 1]` is line n."""
    frontmatter: Frontmatter
    title: str
    """Frontmatter title, else first H1, else the file name without extension."""
    lang: str
    """`ru`, `en` or empty."""
    sections: tuple[Section, ...]
    """In document order; at least one unless the body is empty."""
    links: tuple[Link, ...] = ()
    code_spans: tuple[tuple[str, int], ...] = ()
    """Inline code with its line, in order."""
    warnings: tuple[IndexWarning, ...] = ()


@dataclass(frozen=True, slots=True)
class Refused:
    """A file that cannot be a document: binary, too large, not decodable. A value: the rest of the
    run goes on."""

    path: str
    line: int
    code: str
    """`binary-file`, `file-too-large`, `encoding-unknown`, …"""
    message: str
    """What is wrong and what to do."""
