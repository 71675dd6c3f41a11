"""Headings: plain title and an anchor that is unique in the document."""

from __future__ import annotations

import unicodedata

from docs_agent.indexers.noise import split_attributes, without_noise
from docs_agent.indexers.plain import plain_text

_UNNAMED = "section"
"""Anchor of a heading without a letter."""


def heading_title(content: str) -> tuple[str, str]:
    """(plain title, explicit anchor or empty) of a heading's inline Markdown."""
    text, anchor = _without_attributes(without_noise(" ".join(content.split("\n"))))
    # A zero-width space keeps `1. Title` and `- x` from being read as list items.
    title = " ".join(plain_text("\u200b" + text).replace("\u200b", "").split())
    if title.endswith("}") and "`" not in text:
        # A tag may have stood after the attributes.
        title, hidden = _without_attributes(title)
        anchor = anchor or hidden
    return title, anchor


def _without_attributes(text: str) -> tuple[str, str]:
    """The text without all the attribute groups at its end, and the last anchor named."""
    found = ""
    while True:
        shorter, anchor = split_attributes(text)
        found = found or anchor
        if shorter == text:
            return text.rstrip(), found
        text = shorter


def slug(title: str) -> str:
    """The anchor GitHub gives: lower case, punctuation dropped, blanks as hyphens."""
    kept = [
        char
        for char in title.strip().lower()
        if char in "-_ " or char.isalnum() or unicodedata.category(char)[0] == "M"
    ]
    return "".join(kept).replace(" ", "-")


class Anchors:
    """Gives each heading of a document an anchor of its own."""

    def __init__(self) -> None:
        self._used: set[str] = set()
        self._next: dict[str, int] = {}

    def unique(self, wanted: str) -> str:
        """The wanted anchor, or it with -1, -2, … when it is taken."""
        base = wanted or _UNNAMED
        anchor, number = base, self._next.get(base, 1)
        while anchor in self._used:
            anchor = f"{base}-{number}"
            number += 1
        self._next[base] = number
        self._used.add(anchor)
        return anchor
