"""The body of a page: Markdown events turned into parts with places.

The parser is pulldown-cmark (CommonMark and GFM tables), by way of pyromark: it is linear on
hostile input and tells where in the file each part stands.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from html import unescape
from typing import Any, Final

import pyromark

from docs_agent.lint.finding import Span
from docs_agent.lint.page import (
    Cell,
    CodeBlock,
    Definition,
    Heading,
    Html,
    InlineCode,
    Link,
    ListItem,
    Paragraph,
    Stretch,
    Table,
    Undefined,
)
from docs_agent.lint.positions import Positions

_OPTIONS: Final = (
    pyromark.Options.ENABLE_TABLES
    | pyromark.Options.ENABLE_FOOTNOTES
    | pyromark.Options.ENABLE_STRIKETHROUGH
    | pyromark.Options.ENABLE_TASKLISTS
)
_TARGET: Final = re.compile(rb"\]\(\s*(<[^<>\n]*>|(?:\\.|[^\s\\()]|\([^\s()]*\))*)")
_DEFINITION: Final = re.compile(
    rb"^ {0,3}\[((?:[^\[\]\\]|\\.)+)\]:[ \t]*(<[^<>\n]*>|\S+)", re.MULTILINE
)
_ATTRIBUTE: Final = re.compile(
    rb"""<(a|img)\b[^<>]*?\s(href|src)\s*=\s*("[^"<>]*"|'[^'<>]*'|[^\s"'<>=]+)""", re.IGNORECASE
)


class Body:
    """Collects the parts of one body."""

    def __init__(self, text: str, first_line: int) -> None:
        """text: the body, lines joined by line feeds. first_line: of it in the file."""
        self._data = text.encode("utf-8", "surrogatepass")
        self._at = Positions(self._data, first_line)
        self._first = first_line
        self._text = text
        self.headings: list[Heading] = []
        self.links: list[Link] = []
        self.definitions: list[Definition] = []
        self.undefined: list[Undefined] = []
        self.code_blocks: list[CodeBlock] = []
        self.inline_code: list[InlineCode] = []
        self.tables: list[Table] = []
        self.html: list[Html] = []
        self.paragraphs: list[Paragraph] = []
        self.items: list[ListItem] = []
        self._words: list[str] = []
        """Plain text of the innermost open block."""
        self._alts: list[str] = []
        self._open_links: list[tuple[int, dict[str, Any], int]] = []
        """(start, what the parser says, words before it) of links not closed yet."""
        self._last = 0
        """Where the innermost link's content ends so far."""
        self._cells: list[Cell] = []
        self._rows: list[tuple[Cell, ...]] = []
        self._code: list[str] = []
        self._in_code = False
        self._depth = 0
        self._paragraph = 0

    def read(self) -> Body:
        """Parse; returns itself."""
        broken: list[Any] = []

        def remember(link: Any) -> None:
            broken.append(link)

        events = pyromark.events_with_range(
            self._text, options=_OPTIONS, merge_text=True, broken_link_callback=remember
        )
        handlers = _HANDLERS
        for event, where in events:
            start, end = where["start"], where["end"]
            if isinstance(event, str):
                if event in ("SoftBreak", "HardBreak"):
                    self._words.append(" ")
                continue
            value: Any
            ((kind, value),) = event.items()
            if kind == "Text":
                (self._code if self._in_code else self._words).append(value)
                self._last = end
            elif kind in ("Start", "End"):
                if isinstance(value, dict):
                    ((name, detail),) = value.items()
                else:
                    name, detail = value, None
                handler = handlers.get((kind, name))
                if handler:
                    handler(self, start, end, detail)
            elif kind == "Code":
                self._words.append(value)
                self.inline_code.append(InlineCode(value, Stretch(self._at, start, end)))
                self._last = end
            elif kind == "InlineHtml":
                self._keep_html(start, end, is_block=False)
        self._keep_undefined(broken)
        self._keep_definitions()
        return self

    # -- blocks

    def _open_text(self, start: int, end: int, detail: Any) -> None:
        self._words, self._alts, self._paragraph = [], [], start

    def _close_paragraph(self, start: int, end: int, detail: Any) -> None:
        self._flush(start, end)

    def _flush(self, start: int, end: int) -> None:
        text = "".join(self._words).strip()
        if text:
            self.paragraphs.append(Paragraph(text, Stretch(self._at, start, end)))
        self._words = []

    def _close_heading(self, start: int, end: int, detail: Any) -> None:
        start, end = self._at.trimmed(start, end)
        text = "".join(self._words).strip()
        raw = self._at.slice(start, end)
        line, column = self._at.at(start)
        # A heading underlined is two lines; what is said of it is said of its first.
        last = start + len(self._data[start:end].split(b"\n", 1)[0])
        span = Span(line, column, *self._at.at(last))
        self.headings.append(Heading(int(detail[1]), text, raw, " ".join(self._alts), span))
        self._words = []

    def _open_item(self, start: int, end: int, detail: Any) -> None:
        self._flush_open_item(start)
        self._depth += 1
        self.items.append(ListItem(Stretch(self._at, start, end), self._depth))
        self._words, self._paragraph = [], start

    def _flush_open_item(self, end: int) -> None:
        """The text of a tight item ends where a list inside of it begins."""
        if self._depth and self._words:
            self._flush(self._paragraph, end)

    def _close_item(self, start: int, end: int, detail: Any) -> None:
        self._flush_open_item(end)
        self._depth -= 1
        self._paragraph = end

    def _open_code(self, start: int, end: int, detail: Any) -> None:
        self._flush_open_item(start)
        self._in_code, self._code = True, []

    def _close_code(self, start: int, end: int, detail: Any) -> None:
        self._in_code = False
        source = self._data[start:end]
        text = "".join(self._code)
        opening = source.split(b"\n", 1)[0].lstrip(b"> \t")
        is_fenced = opening[:3] in (b"```", b"~~~")
        info = opening.lstrip(b"`~").decode("utf-8", "ignore").strip() if is_fenced else ""
        mark = opening[:1]
        closing = source.rstrip().rsplit(b"\n", 1)[-1].strip(b"> \t")
        fence = len(opening) - len(opening.lstrip(mark))
        is_closed = not is_fenced or (
            b"\n" in source.rstrip() and len(closing) >= fence and not closing.strip(mark)
        )
        span = self._at.span(start, start + len(source.rstrip(b"\n")))
        self.code_blocks.append(CodeBlock(info, text, span, is_fenced, is_closed))

    def _open_table(self, start: int, end: int, detail: Any) -> None:
        self._flush_open_item(start)
        self._rows = []

    def _open_row(self, start: int, end: int, detail: Any) -> None:
        self._cells = []

    def _close_row(self, start: int, end: int, detail: Any) -> None:
        self._rows.append(tuple(self._cells))

    def _open_cell(self, start: int, end: int, detail: Any) -> None:
        self._words = []

    def _close_cell(self, start: int, end: int, detail: Any) -> None:
        start, end = self._at.trimmed(start, end)
        text = "".join(self._words).strip()
        if end < start:
            end = start
        self._cells.append(Cell(text, self._at.span(start, end)))
        self._words = []

    def _close_table(self, start: int, end: int, detail: Any) -> None:
        header, *rows = self._rows or [()]
        span = self._at.span(*self._at.trimmed(start, end))
        self.tables.append(Table(header, tuple(rows), span))

    # -- links

    def _open_link(self, start: int, end: int, detail: Any) -> None:
        self._open_links.append((start, detail, len(self._words)))
        self._last = start

    def _close_link(self, start: int, end: int, detail: Any) -> None:
        self._keep_link(end, is_image=False)

    def _close_image(self, start: int, end: int, detail: Any) -> None:
        self._keep_link(end, is_image=True)

    def _keep_link(self, end: int, *, is_image: bool) -> None:
        start, said, before = self._open_links.pop()
        text = "".join(self._words[before:])
        if is_image:
            self._alts.append(text)
            # What an image shows instead of itself is no text of the block.
            del self._words[before:]
        kind = said["link_type"]
        span = self._at.span(start, end)
        place = span
        if kind == "Inline":
            found = _TARGET.search(self._data, max(self._last, start), end)
            if found:
                place = self._at.span(*found.span(1))
        self._last = end
        kept = "inline" if kind == "Inline" else "autolink" if kind in _AUTOLINKS else "reference"
        target = said["dest_url"]
        self.links.append(Link(kept, target, said["id"], text, span, place, is_image))

    def _close_html(self, start: int, end: int, detail: Any) -> None:
        self._keep_html(start, end, is_block=True)

    def _keep_html(self, start: int, end: int, *, is_block: bool) -> None:
        self._last = end
        source = self._data[start:end]
        self.html.append(Html(_text(source), self._at.span(start, end), is_block))
        if source.lstrip().startswith(b"<!--"):
            return
        for found in _ATTRIBUTE.finditer(source):
            first, last = found.span(3)
            if found[3][:1] in (b'"', b"'"):
                first, last = first + 1, last - 1
            place = self._at.span(start + first, start + last)
            target = unescape(_text(source[first:last]))
            is_image = found[1].lower() == b"img"
            self.links.append(Link("html", target, "", "", place, place, is_image))

    def _keep_undefined(self, broken: list[Any]) -> None:
        seen: set[tuple[int, int]] = set()
        for link in broken:
            span = link["span"]["start"], link["span"]["end"]
            if link["link_type"] in ("Reference", "Collapsed") and span not in seen:
                seen.add(span)
                place = self._at.span(*span)
                self.undefined.append(Undefined(link["reference"], link["link_type"], place))

    def _keep_definitions(self) -> None:
        if "]:" not in self._text:
            return
        code = [(block.span.line, block.span.end_line) for block in self.code_blocks]
        html = [(p.span.line, p.span.end_line) for p in self.html if p.is_block]
        hidden = {n for first, last in (*code, *html) for n in range(first, last + 1)}
        for found in _DEFINITION.finditer(self._data):
            label = _text(found[1]).strip()
            span = self._at.span(*found.span())
            if span.line in hidden or label.startswith("^") or not label:
                continue
            place = self._at.span(*found.span(2))
            self.definitions.append(Definition(label, _text(found[2]).strip("<>"), span, place))


def _text(source: bytes) -> str:
    return source.decode("utf-8", "ignore")


_AUTOLINKS: Final = ("Autolink", "Email")
_Handler = Callable[[Body, int, int, Any], None]
_HANDLERS: Final[dict[tuple[str, str], _Handler]] = {
    ("Start", "Paragraph"): Body._open_text,
    ("End", "Paragraph"): Body._close_paragraph,
    ("Start", "Heading"): Body._open_text,
    ("End", "Heading"): Body._close_heading,
    ("Start", "Item"): Body._open_item,
    ("End", "Item"): Body._close_item,
    ("Start", "CodeBlock"): Body._open_code,
    ("End", "CodeBlock"): Body._close_code,
    ("End", "HtmlBlock"): Body._close_html,
    ("Start", "Table"): Body._open_table,
    ("End", "Table"): Body._close_table,
    ("Start", "TableHead"): Body._open_row,
    ("End", "TableHead"): Body._close_row,
    ("Start", "TableRow"): Body._open_row,
    ("End", "TableRow"): Body._close_row,
    ("Start", "TableCell"): Body._open_cell,
    ("End", "TableCell"): Body._close_cell,
    ("Start", "Link"): Body._open_link,
    ("End", "Link"): Body._close_link,
    ("Start", "Image"): Body._open_link,
    ("End", "Image"): Body._close_image,
}
