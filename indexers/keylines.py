"""Finding `key: value` lines where a metadata block is broken, unclosed or reformatted.

One scan serves three cases: YAML with a faulty line, a block without its closing fence, and a block
that a Markdown formatter took for a heading, paragraphs and lists.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

_KEY = re.compile(r"([^\W\d][\w.-]{0,63}|\"[^\"]{1,64}\"|'[^']{1,64}')[ \t]*:(?=[ \t]|$)")
_HEADING = re.compile(r"#{1,6}[ \t]+")
_RULE = re.compile(r"(?:-[ \t]*){3,}$|(?:\*[ \t]*){3,}$|(?:_[ \t]*){3,}$")
_UNDERLINE = re.compile(r"(?:-+|=+)[ \t]*$")
_BULLET = re.compile(r"[-*+][ \t]+(?=\S)")
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")
_GLUED = re.compile(r"(?<=\s)([a-z][a-z0-9]*(?:_[a-z0-9]+)*):(?=\s|$)")
_MIN_GLUED = 2
_MAX_GLUED = 10_000
"""Characters of a line that is searched for keys joined by a formatter."""
_MAX_LINES = 2000
"""A metadata block with more lines is not searched further."""


@dataclass(slots=True)
class KeyLine:
    """One recovered key."""

    key: str
    line: int
    """0-based, in the file."""
    text: str
    """What follows the colon on the line."""
    more: list[str] = field(default_factory=list)
    """The lines after it that belong to the value, as written."""


@dataclass(slots=True)
class KeyBlock:
    """What the scan found."""

    keys: list[KeyLine] = field(default_factory=list)
    end: int = 0
    """Index of the first line after the block, closing fence included."""
    closed: bool = False
    """True when a fence or an underline closes it."""
    stray: list[int] = field(default_factory=list)
    """Lines inside the block that are neither key, value nor comment."""


def is_rule(line: str) -> bool:
    """True for a thematic break, whichever of its spellings."""
    return bool(_RULE.match(line.strip()))


def has_key(line: str) -> bool:
    """True when an unindented line begins with `key:`."""
    return bool(_KEY.match(line))


def heading_key(line: str) -> bool:
    """True for a heading that holds `key: value`, the mark of a formatter."""
    match = _HEADING.match(line)
    return bool(match) and bool(_KEY.match(unescaped(line[match.end() :]))) if match else False


def unescaped(text: str) -> str:
    """The text without the backslashes and hard breaks that formatters add."""
    return _ESCAPE.sub(r"\1", text.rstrip().rstrip("\\"))


def scan(lines: list[str], start: int, closing: int = 0) -> KeyBlock:
    """Keys of a block that begins at a line index, as YAML wrote them; ends where prose begins.

    A line that is no key is forgiven when it stands directly between lines of the block, and
    wherever it stands when the index of the `closing` fence is known.
    """
    block = KeyBlock(end=start)
    index, blank = start, False
    limit = closing + 1 if closing else min(len(lines), start + _MAX_LINES)
    while index < limit:
        line = lines[index]
        stripped = line.strip()
        if not stripped:
            blank = True
        elif stripped in ("---", "...", "+++") and not line[0].isspace():
            block.end, block.closed = index + 1, True
            return block
        elif match := _KEY.match(line):
            block.keys.append(KeyLine(_name(match[1]), index, line[match.end() :].strip()))
            block.end, blank = index + 1, False
        elif line[0] in " \t" and _misindented(block, stripped):
            key = _KEY.match(stripped)
            assert key is not None
            block.keys.append(KeyLine(_name(key[1]), index, stripped[key.end() :].strip()))
            block.end, blank = index + 1, False
        elif line[0] in " \t" and block.keys:
            block.keys[-1].more.append(line)
            block.end, blank = index + 1, False
        elif stripped[0] == "-" and _BULLET.match(stripped + " ") and block.keys and not blank:
            block.keys[-1].more.append(line)
            block.end = index + 1
        elif stripped[0] == "#":
            if (
                not closing
                and blank
                and _HEADING.match(line)
                and not _more_keys(lines, index + 1, limit)
            ):
                return block
        elif not closing and (blank or not _more_keys(lines, index + 1, limit)):
            return block
        else:
            block.stray.append(index)
        index += 1
    return block


def scan_mangled(lines: list[str], start: int) -> KeyBlock:
    """Keys of a block that a formatter rewrote: headings, paragraphs and lists that hold keys."""
    block = KeyBlock(end=start)
    blank = False
    for index in range(start, min(len(lines), start + _MAX_LINES)):
        line = lines[index]
        stripped = line.strip()
        if not stripped:
            blank = True
            continue
        if block.keys and (is_rule(stripped) or (_UNDERLINE.match(stripped) and not blank)):
            block.end, block.closed = index + 1, True
            return block
        heading = _HEADING.match(stripped)
        if heading and not heading_key(stripped):
            return block
        text = unescaped(stripped[heading.end() :] if heading else stripped)
        if not _take(block, text, index, blank=blank):
            return block
        block.end, blank = index + 1, False
    return block


def _take(block: KeyBlock, text: str, index: int, *, blank: bool) -> bool:
    """Add one line to the block; False when it does not belong to it."""
    keys = _keys_of(text, index)
    if keys:
        block.keys.extend(keys)
        return True
    if not block.keys:
        return False
    last = block.keys[-1]
    bullet = _BULLET.match(text)
    if bullet:
        # A list belongs to a key without value; any other list is the document's text.
        if last.text:
            return False
        inner = text[bullet.end() :]
        last.more.append(f"- {inner}")
        return True
    if blank:
        return False
    last.more.append(text)
    return True


def _keys_of(text: str, index: int) -> list[KeyLine]:
    """Keys of one line; several when a formatter joined lines."""
    match = _KEY.match(text)
    if not match:
        return []
    rest = text[match.end() :]
    glued = list(_GLUED.finditer(rest)) if len(rest) <= _MAX_GLUED else []
    if len(glued) < _MIN_GLUED:
        return [KeyLine(_name(match[1]), index, rest.strip())]
    names = [_name(match[1]), *(found[1] for found in glued)]
    starts = [0, *(found.end() for found in glued)]
    ends = [*(found.start() for found in glued), len(rest)]
    result: list[KeyLine] = []
    for name, begin, end in zip(names, starts, ends, strict=True):
        value = rest[begin:end].strip()
        entry = KeyLine(name, index, value)
        if value.startswith(("- ", "* ", "+ ")):
            marker = value[:2]
            entry.text = ""
            entry.more = [f"- {item.strip()}" for item in value[2:].split(f" {marker}")]
        result.append(entry)
    return result


def _misindented(block: KeyBlock, stripped: str) -> bool:
    """True for an indented key under a key that already has a plain value: it cannot be nested."""
    above = block.keys[-1] if block.keys else None
    return bool(above and above.text and above.text[0] not in "|>\"'[{&!#" and _KEY.match(stripped))


def _more_keys(lines: list[str], start: int, limit: int) -> bool:
    """True when the block goes on: the next line that is not blank is a key, a value or a fence."""
    for index in range(start, min(start + 3, limit)):
        line = lines[index]
        if line.strip():
            return (
                bool(_KEY.match(line))
                or line.strip() in ("---", "...")
                or (line[0] in " \t" and index == start)
            )
    return False


def _name(written: str) -> str:
    return written[1:-1] if written[0] in "\"'" else written
