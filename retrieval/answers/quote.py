"""Reading the Markdown of a row back into things that can be quoted, each with its lines.

Tokens, not patterns, decide what is a table, a list item, code or a link. Inline text is rendered
plain: links become their words, tags and images go, code spans keep their ticks.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Literal, NamedTuple

from docs_agent.core.rows import Row
from docs_agent.retrieval.answers.sentences import sentences

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

BlockKind = Literal["paragraph", "list", "table", "code", "heading", "label"]

DEFINED = "definitions"
"""`Quotable.info` of a definition list."""
MAX_SENTENCE = 600
"""Characters of one quoted statement; longer ones are cut at a word with an ellipsis."""
_LABEL_WORDS = 8
"""Words of a bold line that still is the name of what follows."""
_BARE_LABEL_WORDS = 2
"""The same where nothing marks the line as a name."""
_MAX_CONTENT = 60_000
"""Characters of one row that are looked at; only a giant table or code block is longer."""

_MARK = re.compile(r"\[(\d{1,4})\](?!\()")
_NOISE = re.compile(
    r"\{\{[<%][^{}\n]{0,300}[%>]\}\}"  # Hugo shortcodes
    r"|\{\*[^{}\n]{0,300}\*\}"  # included source files
    r"|\{:?[ ]?[#.][^{}\n]{0,100}\}"  # heading and block attributes
    r"|\[\^[^\]\s]{1,60}\]"  # footnote marks
)
_COLOURED = ("console", "shell", "terminal")
_COLOUR = r"</?(?:font|span|u|b|i)(?: [^<>\n]{0,200})?>"  # colours of a terminal
_ANNOTATION = re.compile(r"(?:#|//|--) ?\(\d{1,3}\)!?$")
"""Mark in code of a note below it; alone on its line it is no line of the code."""
_TAG = re.compile(r"<[^<>]{1,2000}>")


class Unit(NamedTuple):
    """A statement that can stand alone: a sentence, a list item, a table row."""

    text: str
    """Plain text on one line."""
    start: int
    """First line in the file, 1-based."""
    end: int
    level: int = 0
    """Nesting of a list item."""
    number: int = 0
    """Position in an ordered list, 1-based; 0 elsewhere."""
    cells: tuple[str, ...] = ()
    """Cells of a table row."""
    info: str | None = None
    """Language of a code block inside a list item, whose lines `text` then is; else None."""


class Quotable(NamedTuple):
    """A block of a row."""

    kind: BlockKind
    start: int
    end: int
    units: tuple[Unit, ...]
    """Sentences, items or rows; for code one unit with the whole text."""
    header: tuple[str, ...] = ()
    info: str = ""
    """Language of a code block; `definitions` for a definition list."""


def plain(text: str) -> str:
    """White space collapsed, leftover markup gone, `[1]` outside code no longer like a mark."""
    pieces = text.split("`")
    pieces[::2] = [_MARK.sub(r"(\1)", _NOISE.sub("", piece)) for piece in pieces[::2]]
    return " ".join("`".join(pieces).split())


def shortened(text: str, limit: int = MAX_SENTENCE) -> str:
    """`text`, cut at a word border with an ellipsis when it is longer than `limit` characters."""
    if len(text) <= limit:
        return text
    cut = text[: limit - 1].rsplit(None, 1)[0] if " " in text[: limit - 1] else text[: limit - 1]
    return cut.rstrip(" ,;:") + ("`" if cut.count("`") % 2 else "") + " …"


def blocks(row: Row) -> tuple[Quotable, ...]:
    """The blocks of a row's Markdown in order. Never fails, whatever the text."""
    content = row.content
    if len(content) > _MAX_CONTENT:
        content = content[:_MAX_CONTENT].rpartition("\n")[0] or content[:_MAX_CONTENT]
    lines = _Lines(row, content)
    return _joined(tuple(_walk(_markdown().parse(content), lines)))


def _joined(found: Sequence[Quotable]) -> tuple[Quotable, ...]:
    """Neighbouring entries of a definition list as one list; a label that names nothing is text."""
    done: list[Quotable] = []
    for position, block in enumerate(found):
        last = done[-1] if done else None
        following = found[position + 1].kind if position + 1 < len(found) else "label"
        if block.info == DEFINED and last is not None and last.info == DEFINED:
            done[-1] = last._replace(end=block.end, units=last.units + block.units)
        elif block.kind == "label" and following in ("label", "heading"):
            done.append(block._replace(kind="paragraph"))
        else:
            done.append(block)
    return tuple(done)


class _Lines:
    """From lines of a row's content to lines of its file.

    Cleaning may have removed lines somewhere inside, so a content line is known to lie between two
    bounds; they meet when nothing was removed.
    """

    def __init__(self, row: Row, content: str) -> None:
        self._row = row
        self._count = row.content.count("\n") + 1 if row.content else 1
        mapped = row.metadata.get("line_numbers")
        self._exact: Sequence[int] = (
            mapped if isinstance(mapped, list) and len(mapped) == self._count else ()
        )

    def span(self, first: int, last: int) -> tuple[int, int]:
        """File lines of the content lines `first` to `last` (0-based, inclusive)."""
        first, last = min(first, self._count - 1), min(max(first, last), self._count - 1)
        if self._exact:
            return self._exact[first], self._exact[last]
        row = self._row
        start = min(row.span_start + first, row.span_end)
        end = max(row.span_end - (self._count - 1 - last), start)
        return start, min(end, row.span_end)


@lru_cache(maxsize=1)
def _markdown() -> MarkdownIt:
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark").enable("table")


def _walk(tokens: Sequence[Token], lines: _Lines) -> Iterator[Quotable]:
    i = 0
    while i < len(tokens):
        token = tokens[i]
        close = _closing(tokens, i)
        inner = tokens[i : close + 1]
        first, last = token.map or [0, 1]
        if token.type in ("fence", "code_block"):
            yield _code(token, lines)
        elif token.type in ("bullet_list_open", "ordered_list_open"):
            yield Quotable("list", *lines.span(first, last - 1), tuple(_items(inner, lines)))
        elif token.type == "table_open":
            yield _table(inner, lines)
        elif token.type == "blockquote_open":
            yield from _walk(tokens[i + 1 : close], lines)
        elif token.type == "heading_open":
            units = _sentences(tokens[i + 1], lines)
            yield Quotable("heading", *lines.span(first, last - 1), units)
        elif token.type == "paragraph_open":
            yield from _paragraph(tokens[i + 1], lines)
        elif token.type == "html_block":
            units = _html(token, lines)
            if units:
                yield Quotable("paragraph", units[0].start, units[-1].end, units)
        i = close + 1


def _paragraph(token: Token, lines: _Lines) -> Iterator[Quotable]:
    first, last = token.map or [0, 1]
    span = lines.span(first, last - 1)
    entries = _definitions(token, lines)
    if entries:
        yield Quotable("list", *span, entries, info=DEFINED)
        return
    units = _sentences(token, lines)
    if units:
        yield Quotable("label" if _is_label(token) else "paragraph", *span, units)


def _definitions(token: Token, lines: _Lines) -> tuple[Unit, ...]:
    """The entries of a definition list: a term, then lines that begin with a colon."""
    rows = token.content.split("\n")
    if len(rows) < 2 or not rows[1].lstrip().startswith((": ", ":\t")):
        return ()
    text, breaks = _inline(token)
    pieces = [text[a:b].strip() for a, b in pairwise([0, *breaks, len(text)])]
    first = (token.map or [0, 1])[0]
    starts = [n - 1 for n, piece in enumerate(pieces) if n and piece.startswith(":")]
    starts = [n for n in starts if not pieces[n].startswith(":")]
    units = []
    for n, stop in pairwise([*starts, len(pieces)]):
        said = " ".join(piece.removeprefix(":").strip() for piece in pieces[n + 1 : stop])
        shown = shortened(plain(f"{pieces[n]}: {said}"))
        units.append(Unit(shown, *lines.span(first + n, first + stop - 1)))
    return tuple(units)


def _closing(tokens: Sequence[Token], i: int) -> int:
    """Index of the token that closes `tokens[i]`; `i` itself when it opens nothing."""
    if tokens[i].nesting != 1:
        return i
    depth = 0
    for j in range(i, len(tokens)):
        depth += tokens[j].nesting
        if depth == 0:
            return j
    return len(tokens) - 1


def _code(token: Token, lines: _Lines) -> Quotable:
    first, last = token.map or [0, 1]
    start, end = lines.span(first, last - 1)
    info = _language(token)
    text = _unmarked(token.content.rstrip("\n"))
    if info.lower() in _COLOURED:
        text = re.sub(_COLOUR, "", text)
    return Quotable("code", start, end, (Unit(text, start, end),), info=info)


def _language(token: Token) -> str:
    """Language of a fence; attributes in braces (`{ .dockerfile .annotate }`) name it first."""
    words = token.info.strip(" {}").split()
    return words[0].lstrip(".") if words else ""


def _unmarked(code: str) -> str:
    lines = ((line, _ANNOTATION.sub("", line.rstrip()).rstrip()) for line in code.split("\n"))
    return "\n".join(kept for line, kept in lines if kept or not line.strip())


def _items(tokens: Sequence[Token], lines: _Lines) -> Iterator[Unit]:
    """List items, nested ones after their parent. Only the first paragraph of an item is its text;
    further ones are items without a number."""
    counters: list[int] = []
    fresh = False
    for i, token in enumerate(tokens):
        if token.type == "ordered_list_open":
            counters.append(int(token.attrGet("start") or 1))
        elif token.type == "bullet_list_open":
            counters.append(-1)
        elif token.type in ("ordered_list_close", "bullet_list_close"):
            counters.pop()
        elif token.type == "list_item_open":
            fresh = True
        elif token.type == "inline" and tokens[i - 1].type in ("paragraph_open", "heading_open"):
            number = counters[-1] if fresh and counters[-1] >= 0 else 0
            if fresh and counters[-1] >= 0:
                counters[-1] += 1
            text = plain(_inline(token)[0])
            if text:
                first, last = token.map or [0, 1]
                start, end = lines.span(first, last - 1)
                yield Unit(shortened(text), start, end, len(counters) - 1, number)
            fresh = False
        elif token.type in ("fence", "code_block"):
            first, last = token.map or [0, 1]
            start, end = lines.span(first, last - 1)
            code = _unmarked(token.content.rstrip("\n"))
            yield Unit(code, start, end, len(counters) - 1, info=_language(token))


def _table(tokens: Sequence[Token], lines: _Lines) -> Quotable:
    header: tuple[str, ...] = ()
    rows: list[Unit] = []
    cells: list[str] = []
    at = 0
    for i, token in enumerate(tokens):
        if token.type == "tr_open":
            cells = []
            at = (token.map or [at, at])[0]
        elif token.type == "inline" and tokens[i - 1].type in ("th_open", "td_open"):
            cells.append(shortened(plain(_inline(token)[0]), 300))
        elif token.type == "tr_close":
            if header:
                start, end = lines.span(at, at)
                rows.append(Unit("; ".join(filter(None, cells)), start, end, cells=tuple(cells)))
            else:
                header = tuple(cells)
    first, last = tokens[0].map or [0, 1]
    return Quotable("table", *lines.span(first, last - 1), tuple(rows), header)


def _sentences(token: Token, lines: _Lines) -> tuple[Unit, ...]:
    """The sentences of a paragraph; their lines follow from the line breaks before them."""
    text, breaks = _inline(token)
    first, last = token.map or [0, 1]
    units: list[Unit] = []
    for start, end in sentences(text):
        shown = shortened(plain(text[start:end]))
        if any(char.isalnum() for char in shown):
            a = min(first + bisect_right(breaks, start), last - 1)
            b = min(first + bisect_right(breaks, max(start, end - 1)), last - 1)
            units.append(Unit(shown, *lines.span(a, b)))
    return tuple(units)


def _is_label(token: Token) -> bool:
    """True for the name of a tab or a bold line, which names what follows."""
    said = [c for c in token.children or () if c.type not in ("text", "softbreak") or c.content]
    bold = len(said) > 2 and said[0].type == "strong_open" and said[-1].type == "strong_close"
    text = _inline(token)[0].strip()
    words = len(text.split())
    if bold and sum(c.type == "strong_open" for c in said) == 1:
        return words <= _LABEL_WORDS and not text.endswith((".", "!", "?", "…"))
    return words <= _BARE_LABEL_WORDS and not text.endswith((".", "!", "?", "…", ":"))


def _html(token: Token, lines: _Lines) -> tuple[Unit, ...]:
    if token.content.lstrip().startswith(("<!--", "<script", "<style", "<?", "<!")):
        return ()
    text = plain(_TAG.sub(" ", token.content))
    first, last = token.map or [0, 1]
    if not any(char.isalnum() for char in text):
        return ()
    start, end = lines.span(first, last - 1)
    return tuple(Unit(shortened(text[a:b]), start, end) for a, b in sentences(text))


def _inline(token: Token) -> tuple[str, list[int]]:
    """Plain text of an inline token and the offsets at which its source lines break."""
    pieces: list[str] = []
    breaks: list[int] = []
    length = 0
    for child in token.children or ():
        if child.type in ("softbreak", "hardbreak"):
            piece = " "
            breaks.append(length)
        elif child.type == "code_inline":
            piece = f"`{child.content}`"
        elif child.type == "text":
            piece = child.content
        else:
            continue
        pieces.append(piece)
        length += len(piece)
    return "".join(pieces), breaks
