"""Which lines of a text are still there in a later version of it, fast for files of any size.

difflib alone takes minutes for a long file whose lines repeat. Here lines that occur once in both
versions split the work first, and only what is short is left to it.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from difflib import SequenceMatcher
from itertools import pairwise
from typing import Final

Pair = tuple[int, int]
"""A line that stays: its index before and after."""

_SHORT: Final = 250_000
"""Lines before times lines after, up to which difflib is asked."""


def matching_lines(old: Sequence[str], new: Sequence[str]) -> list[Pair]:
    """Equal lines of both versions, in the order of both."""
    found: list[Pair] = []
    todo = [(0, len(old), 0, len(new))]
    while todo:
        a, b, c, d = todo.pop()
        while a < b and c < d and old[a] == new[c]:
            found.append((a, c))
            a, c = a + 1, c + 1
        while a < b and c < d and old[b - 1] == new[d - 1]:
            b, d = b - 1, d - 1
            found.append((b, d))
        inner = [(a + i, c + j) for i, j in _anchors(old[a:b], new[c:d])]
        if inner:
            found += inner
            edges = pairwise([(a - 1, c - 1), *inner, (b, d)])
            todo += [(i + 1, k, j + 1, m) for (i, j), (k, m) in edges]
        else:
            found += [(a + i, c + j) for i, j in _without_anchors(old[a:b], new[c:d])]
    return sorted(found)


def _anchors(old: Sequence[str], new: Sequence[str]) -> list[Pair]:
    """The longest row of lines that occur once on each side and come in the same order."""
    once_old = _places_of_single(old)
    once_new = _places_of_single(new)
    pairs = [(place, once_new[line]) for line, place in once_old.items() if line in once_new]
    ends: list[int] = []
    last: list[int] = []
    before: list[int] = []
    for number, (_, place) in enumerate(pairs):
        length = bisect_left(ends, place)
        before.append(last[length - 1] if length else -1)
        ends[length : length + 1] = [place]
        last[length : length + 1] = [number]
    row = []
    number = last[-1] if last else -1
    while number >= 0:
        row.append(pairs[number])
        number = before[number]
    return row[::-1]


def _places_of_single(lines: Sequence[str]) -> dict[str, int]:
    counts = Counter(lines)
    return {line: place for place, line in enumerate(lines) if counts[line] == 1}


def _without_anchors(old: Sequence[str], new: Sequence[str]) -> list[Pair]:
    if len(old) * len(new) <= _SHORT:
        blocks = SequenceMatcher(None, old, new).get_matching_blocks()
        return [(i + n, j + n) for i, j, size in blocks for n in range(size)]
    if len(old) == len(new):
        # Most fixes keep the number of lines.
        return [(n, n) for n, line in enumerate(old) if line == new[n]]
    return []
