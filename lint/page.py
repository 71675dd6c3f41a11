"""A document as the rules see it: every part with its place.

The indexer's document model holds what is asked for; this one holds what can be wrong. Lines and
columns are those of `docs_agent.lint.finding.Span`. Parts are named tuples: a collection has
millions of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from docs_agent.lint.finding import Span, last_line
from docs_agent.lint.front import NO_FRONT, Front
from docs_agent.lint.positions import Positions


class Heading(NamedTuple):
    """A heading, ATX or setext."""

    level: int
    text: str
    """Plain text; an attribute list `{ #id }` is left in, since only some sites read it."""
    raw: str
    alt_text: str
    """Alternative texts of the images in it."""
    span: Span
    """The heading's line, without its line end."""


class Link(NamedTuple):
    """A link or image; never inside code."""

    kind: str
    """`inline`, `reference`, `autolink` or `html`."""
    target: str
    """As the Markdown parser gives it: escapes resolved, percent signs kept."""
    label: str
    """Of a reference, as written; else empty."""
    text: str
    span: Span
    target_span: Span
    """Where the target stands; the whole link where it stands elsewhere."""
    is_image: bool


class Definition(NamedTuple):
    """`[label]: target`."""

    label: str
    target: str
    span: Span
    target_span: Span


class Undefined(NamedTuple):
    """`[text][label]` whose label is not defined."""

    label: str
    form: str
    """`Reference` for `[a][b]`, `Collapsed` for `[a][]`."""
    span: Span


class CodeBlock(NamedTuple):
    """A fenced or indented block of code."""

    info: str
    text: str
    span: Span
    is_fenced: bool
    is_closed: bool


class Stretch(NamedTuple):
    """A place that is worked out when it is asked for: of most parts it never is."""

    at: Positions
    start: int
    end: int

    @property
    def span(self) -> Span:
        """The span, without blanks and line ends around it."""
        return self.at.span(*self.at.trimmed(self.start, self.end))


class InlineCode(NamedTuple):
    """A code span."""

    text: str
    place: Stretch

    @property
    def span(self) -> Span:
        """With its backticks."""
        return self.place.span


class Cell(NamedTuple):
    """A cell of a table, trimmed."""

    text: str
    """Plain text, marks of code and emphasis removed."""
    span: Span


class Table(NamedTuple):
    """A table; `rows` hold as many cells as the header, as Markdown reads them."""

    header: tuple[Cell, ...]
    rows: tuple[tuple[Cell, ...], ...]
    span: Span


class Html(NamedTuple):
    """A piece of HTML, a block or one inline tag; comments are HTML too."""

    text: str
    span: Span
    is_block: bool


class Paragraph(NamedTuple):
    """Running text or the text of a list item; plain, marks removed."""

    text: str
    place: Stretch

    @property
    def span(self) -> Span:
        """From its first to its last character."""
        return self.place.span


class ListItem(NamedTuple):
    """An item of a list."""

    place: Stretch
    depth: int
    """1 for an item of an outermost list."""

    @property
    def span(self) -> Span:
        """With its mark and everything in it."""
        return self.place.span


class Section(NamedTuple):
    """A heading with what follows it up to the next heading; the text before the first heading is
    a section without one."""

    heading: Heading | None
    start: int
    """Line of the heading; 1-based."""
    end: int
    """Last line before the next heading, whatever its level."""
    deep_end: int
    """Last line before the next heading of the same or a higher level."""
    path: tuple[str, ...]
    """Texts of the headings from the outermost to this one."""


@dataclass(frozen=True)
class Page:
    """A readable document. `lines[n - 1]` is line n without its line end.

    Not slotted: the cached properties are worked out once, for the rules that ask.
    """

    path: str
    """POSIX, relative to the project root."""
    docs_root: str
    """The documentation folder it lies in, relative to the project root; `.` for the root."""
    lines: tuple[str, ...]
    has_bom: bool
    line_ends: tuple[str, ...]
    """Kinds of line ends in the order of their first use."""
    mixed_ends: tuple[str, ...] = ()
    """The end of each line, when there are several kinds."""
    front: Front = NO_FRONT
    headings: tuple[Heading, ...] = ()
    links: tuple[Link, ...] = ()
    definitions: tuple[Definition, ...] = ()
    """All of them; of two with one label the first counts."""
    undefined: tuple[Undefined, ...] = ()
    code_blocks: tuple[CodeBlock, ...] = ()
    inline_code: tuple[InlineCode, ...] = ()
    tables: tuple[Table, ...] = ()
    html: tuple[Html, ...] = ()
    paragraphs: tuple[Paragraph, ...] = ()
    items: tuple[ListItem, ...] = ()

    @property
    def body_line(self) -> int:
        """First line after the metadata block."""
        return self.front.body + 1

    @cached_property
    def sections(self) -> tuple[Section, ...]:
        """Sections in document order, the one without heading first when it holds text."""
        from docs_agent.lint.sections import sections_of

        return sections_of(self.headings, self.lines, self.body_line)

    @cached_property
    def code_lines(self) -> frozenset[int]:
        """Lines of code blocks, fences included."""
        blocks = (block.span for block in self.code_blocks)
        return frozenset(n for span in blocks for n in range(span.line, last_line(span) + 1))

    @cached_property
    def prose(self) -> tuple[tuple[int, str], ...]:
        """(line, text) of the body with code and comments blanked, so that columns stay true."""
        return tuple(_prose(self))

    def line_span(self, line: int) -> Span:
        """The whole of a line; an empty span at column 1 for an empty or missing one."""
        text = self.lines[line - 1] if 0 < line <= len(self.lines) else ""
        return Span(line, 1, line, len(text) + 1)

    def section_at(self, line: int) -> Section | None:
        """The section whose own lines hold a line."""
        found = None
        for section in self.sections:
            if section.start > line:
                break
            found = section
        return found


def _prose(page: Page) -> Iterator[tuple[int, str]]:
    hidden: dict[int, list[tuple[int, int]]] = {}
    comments = (piece.span for piece in page.html if piece.text.lstrip().startswith("<!--"))
    for span in (*(code.span for code in page.inline_code), *comments):
        for line in range(span.line, span.end_line + 1):
            start = span.column - 1 if line == span.line else 0
            end = span.end_column - 1 if line == span.end_line else len(page.lines[line - 1])
            hidden.setdefault(line, []).append((start, end))
    for number in range(page.body_line, len(page.lines) + 1):
        if number in page.code_lines:
            continue
        text = page.lines[number - 1]
        for start, end in hidden.get(number, ()):
            text = text[:start] + " " * (end - start) + text[end:]
        yield number, text
