"""The Markdown of a document as sections, links and code spans. Structure comes from tokens."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from docs_agent.indexers import inline, markup_limit, noise
from docs_agent.indexers.blocks import BlockBuilder
from docs_agent.indexers.document import Block, Link, Section
from docs_agent.indexers.headings import Anchors, heading_title, slug
from docs_agent.indexers.html_text import first_h1

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

MAX_LINE = 20_000
"""Characters of one line that are searched for structure, and the size of the pieces it is cut
into."""
MAX_LINES = 50_000
"""A file with more lines is no document for people: it is cut into chunks without structure."""
_MAX_NESTING = 60
_CHUNK_LINES = 40
_MAX_LANGUAGE = 10_000
"""Characters of prose that tell a document's language."""


@dataclass(slots=True)
class Body:
    """What the Markdown part of a document gives."""

    sections: list[Section] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)
    code_spans: list[tuple[str, int]] = field(default_factory=list)
    html_title: str = ""
    """Text of the first `<h1>`; empty when there is none."""
    prose: str = ""
    """Beginning of the text without code, to tell its language by."""
    warnings: list[tuple[int, str, str]] = field(default_factory=list)
    """(line, code, message)."""


def read_body(lines: list[str], first: int) -> Body:
    """Parse a document whose body begins at the line index `first`; the lines before it are not
    looked at, yet counted."""
    body = Body()
    if len(lines) - first > MAX_LINES:
        body.warnings.append(
            (0, "too-many-lines", "the file was cut into chunks without headings. Split the file")
        )
        return _chunked(lines, first, body)
    try:
        _Reader(lines, first, body).read()
    except RecursionError:
        body = Body(warnings=[(0, "nested-too-deep", "the file was cut into chunks. Simplify it")])
        return _chunked(lines, first, body)
    return body


@lru_cache(maxsize=1)
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt

    class Parser(MarkdownIt):
        """Targets of links stay as written: they are data here, never output."""

        def normalizeLink(self, url: str) -> str:
            return url

        def validateLink(self, url: str) -> bool:
            return True

    parser = Parser("commonmark", {"maxNesting": _MAX_NESTING, "html": True}).enable("table")
    noise.install(parser)
    inline.install(parser)
    markup_limit.install(parser)
    return parser


class _Reader:
    def __init__(self, lines: list[str], first: int, body: Body) -> None:
        self._lines = lines
        self._first = first
        self._body = body
        self._builder = BlockBuilder(lines)
        self._anchors = Anchors()
        self._path: list[tuple[int, str]] = []
        self._open: tuple[int, str, tuple[str, ...], str, int, int] | None = None
        self._blocks: list[Block] = []
        self._prose: list[str] = []
        self._prose_size = 0

    def read(self) -> None:
        parser = _parser()
        env: dict[str, Any] = {}
        tokens: list[Token] = []
        parser.block.parse(self._source(), parser, env, tokens)
        if markup_limit.LIMITED in env:
            message = "there is too much markup; from here on it is text only. Split the file"
            self._body.warnings.append((env[markup_limit.LIMITED], "too-much-markup", message))
        reader = inline.InlineReader(parser, env)
        for group in _groups(tokens):
            self._inlines(group, reader)
            if group[0].type == "heading_open":
                self._heading(group)
                continue
            block = self._builder.block(group)
            if block:
                self._blocks.extend(_bounded(block))
            if group[0].type == "html_block" and not self._body.html_title:
                self._body.html_title = first_h1(group[0].content)
        self._close()
        body = self._body
        body.links, body.code_spans = reader.links, reader.code_spans
        body.prose = "\n".join(self._prose)
        if reader.skipped_line:
            body.warnings.append(
                (
                    reader.skipped_line,
                    "links-not-searched",
                    "a paragraph is too large to search for links. Break it up",
                )
            )

    def _source(self) -> str:
        """The text for the parser: same line numbers, metadata blank, giant lines cut."""
        shown = [""] * self._first + self._lines[self._first :]
        giants = [n for n, line in enumerate(shown) if len(line) > MAX_LINE]
        for number in giants:
            shown[number] = shown[number][:MAX_LINE]
        if giants:
            message = f"only the first {MAX_LINE} characters were searched for structure. Break it"
            self._body.warnings.append((giants[0] + 1, "line-too-long", message))
        return "\n".join(shown) + "\n"

    def _inlines(self, group: list[Token], reader: inline.InlineReader) -> None:
        for token in group:
            if token.type in ("inline", noise.TITLE) and token.map:
                reader.read(token.content, token.map[0] + 1)
                if self._prose_size < _MAX_LANGUAGE:
                    self._prose.append(token.content)
                    self._prose_size += len(token.content)
            elif token.type == "html_block" and token.map:
                reader.html(token.content, token.map[0] + 1)

    def _heading(self, group: list[Token]) -> None:
        self._close()
        token = group[0]
        assert token.map is not None
        level = int(token.tag[1])
        title, explicit = heading_title(group[1].content)
        while self._path and self._path[-1][0] >= level:
            self._path.pop()
        self._path.append((level, title))
        anchor = self._anchors.unique(explicit or slug(title))
        path = tuple(name for _, name in self._path)
        self._open = (level, title, path, anchor, token.map[0] + 1, self._builder.last_line(token))

    def _close(self) -> None:
        """Finish the section that is open, or the text before the first heading."""
        blocks = tuple(self._blocks)
        self._blocks = []
        order = len(self._body.sections)
        if self._open:
            level, title, path, anchor, start, end = self._open
            end = max(end, blocks[-1].end) if blocks else end
            self._body.sections.append(
                Section(level, title, path, anchor, start, end, order, blocks)
            )
        elif blocks:
            start, end = blocks[0].start, blocks[-1].end
            self._body.sections.append(Section(0, "", (), "", start, end, order, blocks))
        self._open = None


def _groups(tokens: list[Token]) -> Iterator[list[Token]]:
    """Top-level tokens, each with what is nested in it."""
    start = 0
    for index, token in enumerate(tokens):
        if token.level == 0 and token.nesting <= 0:
            yield tokens[start : index + 1]
            start = index + 1


def _bounded(block: Block) -> list[Block]:
    """A paragraph made of a giant line, cut into pieces of bounded size."""
    if block.kind != "paragraph" or len(block.text) <= MAX_LINE:
        return [block]
    whole = block.text.count("\n") == block.end - block.start
    pieces: list[Block] = []
    line = block.start
    for at in range(0, len(block.text), MAX_LINE):
        text = block.text[at : at + MAX_LINE]
        last = line + text.count("\n") if whole else block.end
        pieces.append(Block(block.kind, line, last, text))
        line = last if whole else line
    return pieces


def _chunked(lines: list[str], first: int, body: Body) -> Body:
    """Fixed-size chunks of text, for files that have no usable structure."""
    blocks: list[Block] = []
    for start in range(first, len(lines), _CHUNK_LINES):
        chunk = lines[start : start + _CHUNK_LINES]
        filled = [n for n, line in enumerate(chunk) if line.strip()]
        if filled:
            text = "\n".join(chunk[filled[0] : filled[-1] + 1])
            block = Block("paragraph", start + filled[0] + 1, start + filled[-1] + 1, text)
            blocks.extend(_bounded(block))
    if blocks:
        section = Section(0, "", (), "", blocks[0].start, blocks[-1].end, 0, tuple(blocks))
        body.sections.append(section)
        body.prose = "\n".join(block.text for block in blocks[:50])[:_MAX_LANGUAGE]
    return body
