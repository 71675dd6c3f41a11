"""Metadata of a page beside the document model."""

from __future__ import annotations

from collections.abc import Iterator

from docs_agent.lint.finding import Span
from docs_agent.lint.front import Key, Value
from docs_agent.lint.scope import Scope
from docs_agent.templates.model import KeySpec


def required_keys(scope: Scope) -> tuple[str, ...]:
    """Keys a page must have: those of its type, or of every type when it names none."""
    if scope.type is not None:
        return scope.type.required
    types = scope.model.types
    return tuple(key for key in types[0].required if all(key in t.required for t in types))


def known_keys(scope: Scope) -> Iterator[tuple[KeySpec, Key]]:
    """Keys of a page that the model knows, nested ones with their dotted specification."""
    yield from _known(scope, scope.page.front.keys, "")


def _known(scope: Scope, keys: tuple[Key, ...], prefix: str) -> Iterator[tuple[KeySpec, Key]]:
    for key in keys:
        spec = scope.model.key(f"{prefix}{key.name}")
        if spec is not None:
            yield spec, key
        if key.value.keys:
            yield from _known(scope, key.value.keys, f"{prefix}{key.name}.")


def is_empty(value: Value) -> bool:
    """Whether a key has no value at all."""
    return value.text is not None and not value.text.strip() and value.style == ""


def block_line(scope: Scope) -> Span:
    """Where a finding about the block as a whole stands: its opening line."""
    return scope.page.line_span(scope.page.front.start)
