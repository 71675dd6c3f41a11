"""Parser tokens as blocks: paragraphs, lists, tables, code, quotes, HTML, rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

from docs_agent.indexers.document import Block, BlockKind, ListItem, TableRow
from docs_agent.indexers.noise import NOISE, TITLE, without_noise
from docs_agent.indexers.plain import plain_text

if TYPE_CHECKING:
    from markdown_it.token import Token

TITLE_INFO = "title"
"""`Block.info` of a paragraph that is the title of an admonition or tab."""
_KINDS: dict[str, BlockKind] = {
    "paragraph_open": "paragraph",
    TITLE: "paragraph",
    "bullet_list_open": "list",
    "ordered_list_open": "list",
    "table_open": "table",
    "fence": "code",
    "code_block": "code",
    "blockquote_open": "quote",
    "html_block": "html",
    "hr": "rule",
}
_CODE = ("fence", "code_block")


class BlockBuilder:
    """Makes Blocks of one document's tokens; `lines` are its original lines."""

    def __init__(self, lines: list[str]) -> None:
        self._lines = lines

    def block(self, tokens: list[Token]) -> Block | None:
        """The block of one top-level token and what is nested in it; None when nothing is left."""
        first = tokens[0]
        kind = _KINDS.get(first.type)
        if kind is None or first.map is None:
            return None
        start, end = first.map[0] + 1, self.last_line(first)
        if kind == "code":
            return Block(kind, start, end, self._joined(first, start, end), info=_language(first))
        if first.type == TITLE:
            return Block(kind, start, end, first.content, info=TITLE_INFO)
        if kind == "html":
            text = without_noise(self._joined(first, start, end), code_spans=False)
            return Block(kind, start, end, text.strip()) if plain_text(text) else None
        text = self._text(tokens, start, end)
        if not text.strip():
            return None
        if kind == "list":
            return Block(kind, start, end, text, items=self._items(tokens))
        if kind == "table":
            header, rows = _table(tokens)
            return Block(kind, start, end, text, header=header, rows=rows)
        return Block(kind, start, end, text)

    def last_line(self, token: Token) -> int:
        """1-based last line of a token, trailing blank lines not counted."""
        assert token.map is not None
        start, end = token.map
        while end > start + 1 and (end > len(self._lines) or not self._lines[end - 1].strip()):
            end -= 1
        return min(end, len(self._lines))

    def _joined(self, token: Token, start: int, end: int) -> str:
        """The original lines; what an indented container added is taken off again."""
        lines = self._lines[start - 1 : end]
        first = lines[0]
        indent = len(first) - len(first.lstrip(" \t"))
        # Four columns more than Markdown allows: the block stands inside `!!!` or `===`.
        if token.type != "code_block" and (indent >= 4 or first[:1] == "\t"):
            lines = [_dedented(line, indent) for line in lines]
        return "\n".join(lines)

    def _text(self, tokens: list[Token], start: int, end: int) -> str:
        source = self._joined(tokens[0], start, end)
        protected = {
            number
            for token in tokens
            if token.type in _CODE and token.map
            for number in range(token.map[0] + 1, token.map[1] + 1)
        }
        replaced = {
            number: token.content if number == token.map[0] + 1 else ""
            for token in tokens
            if token.type in (NOISE, TITLE) and token.map
            for number in range(token.map[0] + 1, token.map[1] + 1)
        }
        if not protected and not replaced:
            return without_noise(source)
        return _cleaned(source.split("\n"), start, protected, replaced)

    def _items(self, tokens: list[Token]) -> tuple[ListItem, ...]:
        items: list[ListItem] = []
        texts: list[list[str]] = []
        opened: list[int] = []
        numbers: list[int] = []
        for token in tokens:
            kind = token.type
            if kind == "ordered_list_open":
                numbers.append(int(token.attrs.get("start", 1)))
            elif kind == "bullet_list_open":
                numbers.append(-1)
            elif kind in ("ordered_list_close", "bullet_list_close"):
                numbers.pop()
            elif kind == "list_item_open" and token.map:
                number = max(numbers[-1], 0)
                numbers[-1] += 1 if numbers[-1] >= 0 else 0
                opened.append(len(items))
                texts.append([])
                line, end = token.map[0] + 1, self.last_line(token)
                items.append(ListItem("", line, end, len(numbers) - 1, number))
            elif kind == "list_item_close":
                opened.pop()
            elif kind == "inline" and opened:
                texts[opened[-1]].append(one_line(token.content))
            elif kind == TITLE and opened:
                texts[opened[-1]].append(token.content)
        return tuple(
            ListItem(" ".join(filter(None, text)), item.line, item.end, item.level, item.number)
            for item, text in zip(items, texts, strict=True)
        )


def one_line(content: str) -> str:
    """Inline Markdown without noise, line breaks as blanks."""
    text = without_noise(content)
    if "\n" not in text:
        return text.strip()
    return " ".join(line.strip().removesuffix("\\").rstrip() for line in text.split("\n")).strip()


def _language(fence: Token) -> str:
    """The language in a fence's info string: `python title="x"`, `py{1,3}`, `{.py}` name one."""
    words = fence.info.strip().strip("{}").split()
    word = words[0].split("{")[0].lstrip(".") if words else ""
    return "" if "=" in word else word


def _table(tokens: list[Token]) -> tuple[tuple[str, ...], tuple[TableRow, ...]]:
    header: tuple[str, ...] = ()
    rows: list[TableRow] = []
    cells: list[str] = []
    for token in tokens:
        if token.type == "inline":
            cells.append(one_line(token.content))
        elif token.type == "tr_open":
            cells = []
            line = token.map[0] + 1 if token.map else 0
        elif token.type == "tr_close":
            if header:
                rows.append(TableRow(tuple(cells), line))
            else:
                header = tuple(cells)
    return header, tuple(rows)


def _cleaned(lines: list[str], start: int, protected: set[int], replaced: dict[int, str]) -> str:
    """Noise out of lines, whole ones and in part, code lines as they are."""
    done: list[str] = []
    pending: list[str] = []

    def clean() -> None:
        if pending:
            done.append(without_noise("\n".join(pending)))
            pending.clear()

    for number, line in enumerate(lines, start):
        if number in protected:
            clean()
            done.append(line)
        elif number in replaced:
            if replaced[number]:
                indent = line[: len(line) - len(line.lstrip())]
                pending.append(indent + replaced[number])
        else:
            pending.append(line)
    clean()
    return "\n".join(done)


def _dedented(line: str, indent: int) -> str:
    cut = 0
    while cut < indent and line[cut : cut + 1] in (" ", "\t"):
        cut += 1
    return line[cut:]
