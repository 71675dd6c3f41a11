"""Cutting a record's text into sentence windows, the size at which a sentence encoder is best."""

from __future__ import annotations

import re
from typing import Final

from docs_agent.core.rows import Row

WINDOW: Final = 260
"""Characters of text in a window; a longer sentence is cut."""
MAX_TEXT: Final = 6000
"""Characters of one record that are looked at."""
MAX_SENTENCE: Final = 600
_LINK: Final = re.compile(r"!?\[([^\[\]\n]{0,300})\]\([^()\n]{0,500}\)")
_TAG: Final = re.compile(r"</?[A-Za-z][^<>\n]{0,300}>")
_MARKUP: Final = re.compile(r"[*`|#>]{1,6}|^[-+=~:|\s]{3,}$", re.MULTILINE)
_BREAK: Final = re.compile(r"\n\s{0,80}\n|\n(?=[ \t]{0,12}(?:[-*+]|\d{1,3}[.)]) )")
_SENTENCE: Final = re.compile(r"(?<=[.!?:]) (?=[\"'«“(]?[A-ZА-ЯЁ0-9])")


def windows(row: Row) -> tuple[str, ...]:
    """Windows of a row in order, each with the row's heading in front; at least one."""
    heading = str(row.metadata.get("section_title") or row.title).strip()
    start = f"{heading}. " if heading else ""
    found: list[str] = []
    window = ""
    for sentence in _sentences(row.content[:MAX_TEXT]):
        if window and len(window) + len(sentence) >= WINDOW:
            found.append(window)
            window = ""
        window = f"{window} {sentence}" if window else sentence
    if window or not found:
        found.append(window)
    return tuple(
        (start + text)[: len(start) + WINDOW + MAX_SENTENCE // 4].strip() for text in found
    )


def _sentences(text: str) -> list[str]:
    text = _TAG.sub("", _LINK.sub(r"\1", text.replace("\0", " ")))
    found: list[str] = []
    for block in _BREAK.split(text):
        plain = " ".join(_MARKUP.sub(" ", block).split())
        found.extend(s[:MAX_SENTENCE] for s in _SENTENCE.split(plain) if s)
    return found
