"""Frontmatter values, whatever a document put there, as texts and as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

_MAX_DEPTH: Final = 12
_NAMING_KEYS: Final = ("name", "id", "target", "title", "path")
"""In a map where a text is expected, the key that names it."""


def text_of(value: Any) -> str:
    """One line of text for a scalar or a named map, else empty."""
    if isinstance(value, Mapping):
        return next((text_of(value[k]) for k in _NAMING_KEYS if k in value), "")
    if value is None or isinstance(value, list | tuple | set | frozenset):
        return ""
    return " ".join(str(value).split())


def texts_of(value: Any) -> tuple[str, ...]:
    """Texts of a list, or of a scalar standing where a list is expected; no empty ones."""
    items = value if isinstance(value, list | tuple | set | frozenset) else (value,)
    return tuple(text for item in items if (text := text_of(item)))


def jsonable(value: Any, depth: int = 0) -> Any:
    """The value as JSON can hold it: keys and unknown scalars become text, deep parts too."""
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, Mapping | list | tuple | set | frozenset) and depth >= _MAX_DEPTH:
        return "…"
    if isinstance(value, Mapping):
        return {str(k): jsonable(v, depth + 1) for k, v in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [jsonable(item, depth + 1) for item in value]
    return str(value)
