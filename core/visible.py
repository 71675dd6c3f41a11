"""Text that reaches a terminal: what could command it or hide in it is written out."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

# Everything that could move the cursor, recolour or reorder what a person sees: C0 and C1 controls
# but tab and newline, DEL, the bidirectional marks, overrides and isolates, and the separators of
# lines and paragraphs.
UNSAFE: Final = r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]"

# What takes no room and could part a word, a key or a path from what it looks like: soft hyphen,
# zero-width space, word joiner, invisible operators, byte order mark and their kin. Joiners of
# scripts and emoji stay: they change what is seen.
INVISIBLE: Final = r"[\u00ad\u034f\u180e\u200b\u2060-\u2064\u206a-\u206f\ufeff\ufff9-\ufffb]"


def visible(text: str) -> str:
    """Text with control characters, invisible ones and lone surrogates written out as `\\x1b`,
    `\\u202e`, `\\udcff`: for what is shown because of its characters. Tabs and line feeds stay;
    CR LF becomes a line feed."""
    shown = re.sub(f"{UNSAFE}|{INVISIBLE}", _escape, text.replace("\r\n", "\n"))
    return shown.encode("utf-8", "backslashreplace").decode("utf-8")


def readable(text: str) -> str:
    """The same, but invisible characters are left out: for what is shown to be read."""
    return visible(re.sub(INVISIBLE, "", text))


def visible_line(text: str) -> str:
    """What `visible` gives, on one line: a line feed is written out as `\\n`."""
    return visible(text).replace("\n", "\\n")


def json_text(value: Mapping[str, Any] | Sequence[Any], *, indent: int | None = 2) -> str:
    """A JSON document without a line feed at its end, safe for a terminal and for UTF-8.

    What is legal in JSON but not on a terminal is escaped and means the same; so is a lone
    surrogate.
    """
    import json

    text = json.dumps(value, ensure_ascii=False, indent=indent, allow_nan=False)
    shown = re.sub(f"{UNSAFE}|{INVISIBLE}", lambda found: f"\\u{ord(found.group()):04x}", text)
    return shown.encode("utf-8", "backslashreplace").decode("utf-8")


def _escape(match: re.Match[str]) -> str:
    code = ord(match.group())
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"
