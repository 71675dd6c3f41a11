"""A heading as renderers see it, and what several of them do to it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from typing import Final, NamedTuple

_BRACES: Final = re.compile(r"\s*\{#([^{}]+)\}\s*$")
_WORD_CATEGORIES: Final = ("L", "M", "Nd", "Pc")


class HeadingText(NamedTuple):
    """A heading of a page."""

    text: str
    """Plain text: marks of emphasis and code gone, a trailing attribute list still there."""
    raw: str = ""
    """The source."""
    level: int = 2
    alt_text: str = ""
    """Alternative texts of its images, which some renderers count as text."""

    @property
    def with_images(self) -> str:
        """Text and alternative texts, for renderers that count both."""
        return f"{self.text}{self.alt_text}" if self.alt_text else self.text


def explicit_id(text: str) -> tuple[str, str]:
    """(text without it, id) of a heading that ends in `{#id}`; the id is empty when it does not."""
    found = _BRACES.search(text[-1000:])
    if not found:
        return text, ""
    start = max(len(text) - 1000, 0) + found.start()
    return text[:start], found[1].strip()


def kept(text: str, also: str) -> str:
    """The text without characters that are no letters, marks, decimal digits or connectors, those
    of `also` excepted: what Unicode and Ruby call a word."""
    if text.isascii():
        return "".join(char for char in text if char.isalnum() or char == "_" or char in also)
    return "".join(char for char in text if char in also or _is_word(char))


@lru_cache(maxsize=4096)
def _is_word(char: str) -> bool:
    return unicodedata.category(char).startswith(_WORD_CATEGORIES)


def numbered(ids: Iterable[str], joiner: str = "-") -> list[str]:
    """Each id, repeated ones with a number that makes them unique among all so far: `a`, `a-1`."""
    taken: dict[str, int] = {}
    found: list[str] = []
    for wanted in ids:
        name = wanted
        while name in taken:
            taken[wanted] += 1
            name = f"{wanted}{joiner}{taken[wanted]}"
        taken[name] = 0
        found.append(name)
    return found


def counted(ids: Iterable[str]) -> list[str]:
    """Each id, repeated ones with the number of their repetition, whatever else is called so."""
    seen: dict[str, int] = {}
    found: list[str] = []
    for wanted in ids:
        times = seen.get(wanted, 0)
        seen[wanted] = times + 1
        found.append(f"{wanted}-{times}" if times else wanted)
    return found
