"""How many tokens a text has, without a tokenizer, and making texts fit.

Characters of a token by script, on the safe side: every tokenizer that was measured (on Russian and
English documentation) gets more characters into a token, so an estimate is never too low there.
Single spaces are free but before a digit: tokens of words contain them.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

CYRILLIC_CHARS: Final = 1.8
"""Characters of a token in Russian words."""
LATIN_CHARS: Final = 3.0
"""Characters of a token in words of plain Latin letters."""
OTHER_ASCII_CHARS: Final = 1.0
"""Characters of a token for digits, punctuation and what is more than a single space."""
OTHER_BYTES: Final = 1.0
"""UTF-8 bytes of a token for all other characters: at worst each byte is a token."""

_WEIGHTS: Final = (
    (re.compile(r"[\u0400-\u04ff]+"), CYRILLIC_CHARS),
    (re.compile(r"[A-Za-z]+"), LATIN_CHARS),
    (re.compile(r"[!-@\[-`{-~\x00-\x1f\x7f]+|(?<= ) +| (?=[0-9])"), OTHER_ASCII_CHARS),
)
_OTHER: Final = re.compile(r"[^\x00-\x7f\u0400-\u04ff]+")
_END: Final = re.compile(r"\n+|[.!?…][\"'»”)\]]{0,3}(?=\s)")
_WORD: Final = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class Cut:
    """A text that did not fit whole."""

    index: int
    """Its place among the texts, from 0."""
    kept: int
    """Characters that were kept; 0 = the text was left out."""
    dropped: int
    """Characters that were not."""


@dataclass(frozen=True, slots=True)
class Fitted:
    """Texts within a budget."""

    texts: tuple[str, ...]
    """As many as were given, in their order; an empty text where one was left out."""
    tokens: int
    """Estimate of all of them."""
    cuts: tuple[Cut, ...]
    """What is missing, in order."""


def estimate(text: str) -> int:
    """Tokens of a text, rather too many than too few."""
    return math.ceil(_tokens(text))


def fit(texts: Sequence[str], budget: int) -> Fitted:
    """The texts, the first ones whole as long as they fit, the next one cut at the end of a line or
    sentence (of a word, when there is none), the rest left out."""
    kept: list[str] = []
    cuts: list[Cut] = []
    left = float(budget)
    for index, text in enumerate(texts):
        whole = len(text) <= _most_chars(left) and _tokens(text) <= left
        part = text if whole else _beginning(text, left)
        left -= _tokens(part)
        if len(part) < len(text):
            cuts.append(Cut(index, len(part), len(text) - len(part)))
            left = 0.0
        kept.append(part)
    return Fitted(tuple(kept), math.ceil(sum(map(_tokens, kept))), tuple(cuts))


def _tokens(text: str) -> float:
    known = sum(_length(pattern, text) / chars for pattern, chars in _WEIGHTS)
    other = sum(len(part.encode("utf-8", "replace")) for part in _OTHER.findall(text))
    return known + other / OTHER_BYTES


def _length(pattern: re.Pattern[str], text: str) -> int:
    return sum(map(len, pattern.findall(text)))


def _most_chars(tokens: float) -> int:
    """No text of so many tokens is longer: single letters with single spaces between them."""
    return int(2 * tokens * LATIN_CHARS) + 1


def _beginning(text: str, tokens: float) -> str:
    """The longest part from the beginning that has so many tokens at most."""
    text = text[: _most_chars(tokens)]
    for boundary in (_END, _WORD):
        ends = [match.end() for match in boundary.finditer(text)]
        fitting = bisect_right(ends, tokens, key=lambda end: _tokens(text[:end]))
        if fitting:
            return text[: ends[fitting - 1]].rstrip()
    return text[: bisect_right(range(1, len(text) + 1), tokens, key=lambda n: _tokens(text[:n]))]
