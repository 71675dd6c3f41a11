"""What a refusal offers instead: names that look most like the one that was not found."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import islice
from typing import Final, TypeVar

Item = TypeVar("Item")
MAX_COMPARED: Final = 2000
"""Names that are compared; in a longer list the first ones."""
_MAX_NAME: Final = 200
"""Characters of a name that are compared."""


def by_likeness(wanted: str, items: Iterable[Item], spelled: Callable[[Item], str]) -> list[Item]:
    """The items, those whose name looks most like `wanted` first, equal ones by name."""
    from difflib import SequenceMatcher

    matcher = SequenceMatcher(None, autojunk=False)
    # The second sequence is the one that is prepared once.
    matcher.set_seq2(wanted.lower()[:_MAX_NAME])

    def order(item: Item) -> tuple[float, str]:
        name = spelled(item)
        matcher.set_seq1(name.lower()[:_MAX_NAME])
        return -matcher.ratio(), name

    return sorted(islice(items, MAX_COMPARED), key=order)
