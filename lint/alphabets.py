"""Latin and Cyrillic letters that look alike."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

_LATIN: Final = "aceopxyABCEHKMOPTXi"
_CYRILLIC: Final = "асеорхуАВСЕНКМОРТХі"
_TO_CYRILLIC: Final = dict(zip(_LATIN, _CYRILLIC, strict=True))
_TO_LATIN: Final = dict(zip(_CYRILLIC, _LATIN, strict=True))
_MIXED: Final = re.compile(
    r"[A-Za-z]+[\u0400-\u04ff][A-Za-z\u0400-\u04ff]*|[\u0400-\u04ff]+[A-Za-z][A-Za-z\u0400-\u04ff]*"
)
_SHORTEST: Final = 3
_ENDING: Final = 3


def mixed_words(line: str) -> Iterator[tuple[int, str, str]]:
    """(offset, word, the word in one alphabet) of words that mix letters which look alike."""
    for found in _MIXED.finditer(line):
        word = found.group()
        meant = _in_one(word)
        if meant:
            yield found.start(), word, meant


def _in_one(word: str) -> str:
    """The word in the alphabet of most of its letters; empty when the mixture may be meant."""
    latin = [char for char in word if char.isascii()]
    cyrillic = [char for char in word if not char.isascii()]
    if len(word) < _SHORTEST or _is_ending(word, latin, cyrillic):
        return ""
    few, table = (latin, _TO_CYRILLIC) if len(latin) <= len(cyrillic) else (cyrillic, _TO_LATIN)
    if not all(char in table for char in few):
        return ""
    return "".join(table.get(char, char) if char in few else char for char in word)


def _is_ending(word: str, latin: list[str], cyrillic: list[str]) -> bool:
    """Whether a Russian ending follows a Latin name: `IDа`, `Pythonу`, `SLAм`."""
    head, ending = "".join(latin), "".join(cyrillic)
    return len(head) > 1 and len(ending) <= _ENDING and word == head + ending and ending.islower()
