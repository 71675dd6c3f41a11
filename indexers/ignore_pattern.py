"""One pattern of `.gitignore` as a regular expression that cannot be slow.

The rules are git's (`man gitignore`), with one difference on purpose: `?` and `[…]` stand for one
character, not for one byte, so that they work in every script.

Patterns and names both come from the repository and may be made to hurt each other. What follows a
wildcard is therefore taken at its first match for good (atomic groups), which finds the same names
as trying everything and takes time in proportion to pattern times name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

_STAR: Final = "*"
_DEEP: Final = "**"
_NOTHING: Final = "(?!)"
_MAX_LENGTH: Final = 4096
"""Characters of a pattern; no path that an operating system opens is longer."""
_CLASSES: Final = {
    "alnum": "0-9A-Za-z",
    "alpha": "A-Za-z",
    "blank": " \\t",
    "digit": "0-9",
    "lower": "a-z",
    "punct": "!-.:-@\\[-`{-~",
    "space": "\\s",
    "upper": "A-Z",
    "xdigit": "0-9A-Fa-f",
}


@dataclass(frozen=True, slots=True)
class Pattern:
    """One line of ignore rules."""

    takes_back: bool
    """Begins with `!`."""
    only_folders: bool
    """Ends with `/`."""
    regex: re.Pattern[str]
    """Matches the whole path of an entry, relative to the folder of the rules."""

    def matches(self, path: str, *, is_folder: bool) -> bool:
        """Whether the entry itself is meant; what lies in a folder that is meant is not asked."""
        return (is_folder or not self.only_folders) and self.regex.fullmatch(path) is not None


def compile_pattern(line: str) -> Pattern | None:
    """The pattern of one line; None when it can never match anything: empty, a comment, a bracket
    that is not closed, a backslash at the end, longer than any path."""
    text = _trimmed(line)
    if text.startswith("#"):
        return None
    takes_back = text.startswith("!")
    text = text.removeprefix("!")
    only_folders = text.endswith("/")
    text = text.removesuffix("/")
    anchored = "/" in text
    segments = _split(text.removeprefix("/")) if len(text) <= _MAX_LENGTH else None
    if not segments or not all(segments):
        return None
    parts = [_segment(segment) for segment in segments]
    if any(part is None for part in parts):
        return None
    known = [part for part in parts if part is not None]
    if anchored:
        body = _anchored(known)
    else:
        body = "(?:.*/)?+" + ("[^/]+" if known[0] == _DEEP else known[0])
    return Pattern(takes_back, only_folders, re.compile(body, re.DOTALL))


def _trimmed(line: str) -> str:
    """Without spaces at the end, unless a backslash keeps them."""
    text = line.rstrip("\r\n")
    while text.endswith(" ") and not re.search(r"(?<!\\)(?:\\\\)*\\ $", text):
        text = text[:-1]
    return text


def _split(text: str) -> list[str] | None:
    """Segments between slashes, an escaped slash is one too, one inside brackets is none. None when
    a bracket is not closed."""
    segments = [""]
    at = 0
    while at < len(text):
        end = at + 1
        if text[at] == "\\" and text[end : end + 1] != "/":
            end = at + 2
        elif text[at] == "[":
            bracket = _bracket(text, end)
            if bracket is None:
                return None
            end = bracket[1]
        if text[at] == "/":
            segments.append("")
        elif text[at:end] != "\\" or end >= len(text):
            segments[-1] += text[at:end]
        at = end
    return segments


def _anchored(parts: list[str]) -> str:
    """Segments from the folder of the rules on. A run between two `**` is taken where it first
    fits."""
    runs: list[list[str]] = [[]]
    for part in parts:
        if part == _DEEP:
            runs.append([])
        else:
            runs[-1].append(part)
    if len(runs) == 1:
        return "/".join(runs[0])
    head, *middle, tail = runs
    text = "".join(f"{part}/" for part in head)
    for run in middle:
        if run:
            text += "(?>(?:[^/]+/)*?" + "".join(f"{part}/" for part in run) + ")"
    # At the end `**` means everything inside, so something must follow.
    return text + ("(?:[^/]+/)*?" + "/".join(tail) if tail else ".+")


def _segment(segment: str) -> str | None:
    """One segment as a regular expression without `/`; `**` stays as it is."""
    if segment == _DEEP:
        return _DEEP
    pieces: list[list[str]] = [[]]
    for token in _tokens(segment):
        if token is None:
            return None
        if token == _STAR:
            pieces.append([])
        else:
            pieces[-1].append(token)
    if len(pieces) == 1:
        return "".join(pieces[0])
    head, *middle, tail = ("".join(piece) for piece in pieces)
    between = "".join(f"(?>[^/]*?{piece})" for piece in middle if piece)
    # `.` alone would also reach over `/`; what is left must end exactly with the last piece.
    return f"{head}{between}[^/]*{tail}(?![^/])"


def _tokens(segment: str) -> Iterator[str | None]:
    """Regular expressions of one character each, `*` for any number; None for a broken pattern."""
    at = 0
    while at < len(segment):
        char = segment[at]
        if char == "\\":
            at += 1
            yield re.escape(segment[at]) if at < len(segment) else None
        elif char == "*":
            yield _STAR
        elif char == "?":
            yield "[^/]"
        elif char == "[":
            found = _bracket(segment, at + 1)
            if found is None:
                yield None
                return
            text, at = found
            yield text
            continue
        else:
            yield re.escape(char)
        at += 1


def _bracket(segment: str, at: int) -> tuple[str, int] | None:
    """The character class whose inside begins at `at`, and where the pattern goes on."""
    negated = segment[at : at + 1] in ("!", "^")
    at += negated
    first = at
    items: list[str] = []
    while at < len(segment) and (segment[at] != "]" or at == first):
        if segment.startswith("[:", at) and (end := segment.find(":]", at + 2)) >= 0:
            name = segment[at + 2 : end]
            if name not in _CLASSES:
                return None
            items.append(_CLASSES[name])
            at = end + 2
            continue
        low, at = _literal(segment, at)
        if segment[at : at + 1] == "-" and segment[at + 1 : at + 2] not in ("", "]"):
            high, at = _literal(segment, at + 1)
            if low <= high:
                items.append(f"{re.escape(low)}-{re.escape(high)}")
        else:
            items.append(re.escape(low))
    if at >= len(segment):
        return None
    inside = "".join(items)
    if negated:
        return f"[^/{inside}]", at + 1
    return (f"(?!/)[{inside}]" if inside else _NOTHING), at + 1


def _literal(segment: str, at: int) -> tuple[str, int]:
    if segment[at] == "\\" and at + 1 < len(segment):
        at += 1
    return segment[at], at + 1
