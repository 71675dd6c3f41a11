"""Markdown fragments as readable plain text: one pass, linear, for any input."""

from __future__ import annotations

import html
import re

from docs_agent.indexers.codespans import code_content, code_end
from docs_agent.indexers.noise import split_attributes, without_noise

_BLOCK_MARK = re.compile(r"[ \t]*(?:>|#{1,6}(?:[ \t]|$)|[-*+][ \t]|\d{1,9}[.)][ \t]|\||```|~~~)")
_QUOTE = re.compile(r"[ \t]{0,3}>[ \t]?")
_HEADING = re.compile(r"[ \t]*#{1,6}(?:[ \t]+|$)")
_BULLET = re.compile(r"[ \t]*[-*+][ \t]+(?:\[[ xX]\][ \t]+)?")
_NUMBER = re.compile(r"[ \t]*\d{1,9}[.)][ \t]")
_FENCE = re.compile(r"[ \t]*(`{3,}|~{3,})")
_UNDERLINE = re.compile(r"[ \t]{0,3}(?:=+|-+|[-*_](?:[ \t]*[-*_]){2,})[ \t]*$")
_DELIMITER_ROW = re.compile(r"[ \t|:-]+$")
_PIPE = re.compile(r"\\.|`+|\|", re.DOTALL)

_MARK = re.compile(r"\\.|`+|\*+|_+|~~+|!?\[|\]|<|&", re.DOTALL)
_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z]\w{1,31});")
# The alternatives share no character and none crosses a `<`: every tag is scanned once.
_TAG = re.compile(r"<(/?)([A-Za-z][A-Za-z0-9.-]*)((?:[^<>\"']|\"[^\"<]*\"|'[^'<]*'){0,2000})>")
_AUTOLINK = re.compile(r"<((?:[A-Za-z][A-Za-z0-9+.-]{1,31}:|[^\s<>@]{1,64}@)[^\s<>]{1,2000})>")
_SPACES = re.compile(r"[ \t\r\f\v]{2,}")
_PUNCTUATION = frozenset("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")
_MAX_TARGET = 4000
"""Characters of a link target and title together."""
_MAX_WASTE = 100_000
"""Characters of a paragraph searched in vain for the ends of link targets."""
_MAX_LOOKBACK = 40
"""Emphasis marks still open that a closing one is compared with."""

_TAGS = frozenset(
    """
    a abbr address area article aside audio b bdi bdo blockquote body br button caption center cite
    code col colgroup dd del details dfn div dl dt em embed fieldset figcaption figure font footer
    form h1 h2 h3 h4 h5 h6 head header hr html i iframe img input ins kbd label legend li link main
    map mark meta nav noscript ol optgroup option p picture pre q rp rt ruby s samp script section
    select small source span strike strong style sub summary sup svg table tbody td template
    textarea tfoot th thead time title tr track tt u ul var video wbr
    """.split()  # noqa: SIM905
)
_SPACED = frozenset(
    "br p div li td th tr dd dt hr h1 h2 h3 h4 h5 h6 summary details table ul ol pre".split()  # noqa: SIM905
)


def plain_text(markdown: str) -> str:
    """What a reader sees of a Markdown fragment; blocks on lines of their own.

    Links and images become their text, emphasis marks and HTML tags go, code keeps its content,
    entities are decoded. Never raises; takes time proportional to the length.
    """
    text = without_noise(markdown)
    if "\n" not in text and not _BLOCK_MARK.match(text):
        return _inline(text)
    return "\n".join(line for line in _blocks(text) if line)


def _blocks(text: str) -> list[str]:
    """Logical lines: paragraphs joined, items, rows and code lines apart."""
    done: list[str] = []
    current: list[str] = []
    fence = ""

    def flush() -> None:
        if current:
            done.append(_inline(" ".join(current)))
            current.clear()

    for raw in text.split("\n"):
        line, quoted = _unquoted(raw)
        mark = _FENCE.match(line)
        if fence:
            if mark and mark[1].startswith(fence) and not line.strip(" \t" + fence[0]):
                fence = ""
            else:
                done.append(line.rstrip())
        elif mark and not ("`" in mark[1] and "`" in line[mark.end() :]):
            flush()
            fence = mark[1]
        elif not line.strip() or _UNDERLINE.match(line):
            flush()
        elif line.lstrip().startswith("|"):
            flush()
            if not _DELIMITER_ROW.match(line):
                done.append("; ".join(filter(None, map(_inline, _cells(line.strip())))))
        elif heading := _HEADING.match(line):
            flush()
            done.append(_inline(split_attributes(line[heading.end() :])[0].rstrip("# ")))
        elif bullet := _BULLET.match(line):
            flush()
            current.append(line[bullet.end() :].strip())
        else:
            if _NUMBER.match(line) or (quoted and not current):
                flush()
            current.append(line.strip().removesuffix("\\"))
    flush()
    return done


def _unquoted(line: str) -> tuple[str, bool]:
    position = 0
    while match := _QUOTE.match(line, position):
        position = match.end()
    return line[position:], position > 0


def _cells(row: str) -> list[str]:
    """Cells of a table row, cut at pipes that are neither escaped nor code."""
    cells: list[str] = []
    start = position = 0
    unclosed: set[str] = set()
    while match := _PIPE.search(row, position):
        position = match.end()
        mark = match.group()
        if mark == "|":
            cells.append(row[start : match.start()])
            start = position
        elif mark[0] == "`" and mark not in unclosed:
            close = code_end(row, position, mark)
            if close < 0:
                unclosed.add(mark)
            else:
                position = close + len(mark)
    cells.append(row[start:])
    return [cell.strip().replace("\\|", "|") for cell in cells]


def _inline(text: str) -> str:
    if not _MARK.search(text):
        return _SPACES.sub(" ", text.strip())
    return _SPACES.sub(" ", _Inline(text).run().strip())


class _Inline:
    """One pass over a paragraph. `pieces` is the output; marks that pair up are blanked in it."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._position = 0
        self.pieces: list[str] = []
        self._emphasis: list[tuple[str, int]] = []
        self._brackets: list[int] = []
        self._unclosed: set[str] = set()
        self._wasted = 0

    def run(self) -> str:
        text = self._text
        while match := _MARK.search(text, self._position):
            self.pieces.append(text[self._position : match.start()])
            self._position = match.end()
            mark = match.group()
            char = mark[0]
            if char == "\\":
                self.pieces.append(
                    mark[1] if mark[1] in _PUNCTUATION else " " if mark[1] == "\n" else mark
                )
            elif char == "`":
                self._code(mark)
            elif char in "*_~":
                self._mark(mark, match.start())
            elif char in "![":
                self._brackets.append(len(self.pieces))
                self.pieces.append(mark)
            elif char == "]":
                self._close_bracket()
            elif char == "<":
                self._angle(match.start())
            else:
                self._entity(match.start())
        self.pieces.append(text[self._position :])
        return "".join(self.pieces)

    def _code(self, run: str) -> None:
        close = -1 if run in self._unclosed else code_end(self._text, self._position, run)
        if close < 0:
            self._unclosed.add(run)
            self.pieces.append(run)
            return
        self.pieces.append(code_content(self._text[self._position : close]))
        self._position = close + len(run)

    def _mark(self, run: str, start: int) -> None:
        """Emphasis by the rules of CommonMark: flanking first, then the nearest opener."""
        before = self._text[start - 1] if start else " "
        after = self._text[self._position] if self._position < len(self._text) else " "
        left = not after.isspace() and (_is_word(after) or not _is_word(before))
        right = not before.isspace() and (_is_word(before) or not _is_word(after))
        char, left_over = run[0], len(run)
        if char == "_":
            left, right = left and not _is_word(before), right and not _is_word(after)
        if right:
            left_over = self._close_marks(char, left_over)
        self.pieces.append(char * left_over)
        if left_over and left:
            self._emphasis.append((char, len(self.pieces) - 1))

    def _close_marks(self, char: str, count: int) -> int:
        lowest = max(0, len(self._emphasis) - _MAX_LOOKBACK)
        for index in range(len(self._emphasis) - 1, lowest - 1, -1):
            opener, piece = self._emphasis[index]
            if opener != char:
                continue
            paired = min(count, len(self.pieces[piece]))
            self.pieces[piece] = self.pieces[piece][paired:]
            count -= paired
            del self._emphasis[index + 1 if self.pieces[piece] else index :]
            if not count:
                break
        return count

    def _close_bracket(self) -> None:
        opened = self._brackets.pop() if self._brackets else -1
        if opened < 0:
            self.pieces.append("]")
            return
        following = self._text[self._position : self._position + 1]
        end = -1
        if following == "(":
            if self._wasted < _MAX_WASTE:
                end = _target_end(self._text, self._position)
                self._wasted += _MAX_TARGET if end < 0 else 0
        elif following == "[" and not self._after_word(opened):
            close = self._text.find("]", self._position, self._position + 200)
            end = close + 1 if close >= 0 else -1
        if end >= 0:
            self.pieces[opened] = ""
            self._position = end
        elif self._text_after(opened).startswith("^"):
            del self.pieces[opened:]
            self._emphasis = [entry for entry in self._emphasis if entry[1] < opened]
        else:
            self.pieces.append("]")

    def _after_word(self, piece: int) -> bool:
        before = self.pieces[piece - 1] if piece else ""
        return bool(before) and _is_word(before[-1])

    def _text_after(self, piece: int) -> str:
        return self.pieces[piece + 1] if len(self.pieces) > piece + 1 else ""

    def _angle(self, start: int) -> None:
        tag = _TAG.match(self._text, start)
        if tag and _is_tag(tag):
            name = tag[2].lower()
            self._position = tag.end()
            if name in ("script", "style") and not tag[1]:
                close = self._text.find(f"</{tag[2]}", self._position)
                self._position = close if close >= 0 else self._position
            alt = _alt(tag[3]) if name == "img" else ""
            self.pieces.append(alt or (" " if name in _SPACED else ""))
            return
        link = _AUTOLINK.match(self._text, start)
        if link:
            self.pieces.append(link[1].removeprefix("mailto:"))
            self._position = link.end()
        else:
            self.pieces.append("<")

    def _entity(self, start: int) -> None:
        match = _ENTITY.match(self._text, start)
        if match:
            self.pieces.append(html.unescape(match.group()))
            self._position = match.end()
        else:
            self.pieces.append("&")


def _is_word(char: str) -> bool:
    return char.isalnum()


def _is_tag(tag: re.Match[str]) -> bool:
    """HTML and components, but not placeholders such as `<name>` or `List<item>`."""
    name, rest = tag[2], tag[3]
    if rest and rest[0] not in " \t\n/":
        return False
    return name.lower() in _TAGS or "=" in rest or rest.endswith("/") or "-" in name[1:]


def _alt(attributes: str) -> str:
    _, found, rest = attributes.partition("alt=")
    if not found or rest[:1] not in ("'", '"'):
        return ""
    return html.unescape(rest[1:].partition(rest[0])[0])


def _target_end(text: str, position: int) -> int:
    """Offset after `(target "title")`, or -1 when that is no link target."""
    limit = min(len(text), position + _MAX_TARGET)
    depth, quote, index = 0, "", position
    while index < limit:
        char = text[index]
        if char == "\\":
            index += 1
        elif quote:
            quote = "" if char == quote else quote
        elif char in "\"'" and text[index - 1] in " \t\n":
            quote = char
        elif char == "<" and text[index - 1] in "( ":
            quote = ">"
        elif char == "(":
            depth += 1
        elif char == ")":
            depth -= 1
            if not depth:
                return index + 1
        index += 1
    return -1
