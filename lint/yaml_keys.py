"""A YAML mapping as keys and values with their places, no type guessed.

What is refused is what the indexer refuses (`docs_agent.indexers.metadata`): one reading of
metadata, two views of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from docs_agent.indexers.metadata import (
    MAX_CHARS,
    MAX_DEPTH,
    SHIELD,
    UNSHIELD,
    MetadataError,
    refuse_reuse,
)
from docs_agent.lint.finding import Span
from docs_agent.lint.front import Key, Value


def yaml_keys(text: str, first_line: int) -> tuple[Key, ...]:
    """Keys of a YAML mapping, repeated ones included; none for an empty document.

    first_line: number of the text's first line in the file.
    Raises MetadataError when the text is no such mapping.
    """
    import yaml

    if len(text) > MAX_CHARS:
        raise MetadataError("frontmatter-too-large", "it is too large", 0, refused=True)
    loader: Any = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
    try:
        return _Reader(yaml.parse(text.translate(SHIELD), Loader=loader), first_line).document()
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = mark.line if mark else 0
        message = str(error.problem or "it is no YAML")
        raise MetadataError("frontmatter-invalid", message, line) from None
    except (yaml.YAMLError, ValueError, OverflowError):
        raise MetadataError("frontmatter-invalid", "it is no YAML", 0) from None


class _Reader:
    def __init__(self, events: Iterator[Any], first_line: int) -> None:
        self._events = events
        self._first = first_line

    def document(self) -> tuple[Key, ...]:
        import yaml

        keys: tuple[Key, ...] | None = None
        for event in self._events:
            line = event.start_mark.line
            if keys is not None and isinstance(event, yaml.DocumentStartEvent):
                raise MetadataError("frontmatter-invalid", "it holds a second YAML document", line)
            if isinstance(event, yaml.MappingStartEvent):
                refuse_reuse(event)
                keys = self._keys(1)[0]
            elif isinstance(event, yaml.NodeEvent):
                message = "it is no list of `key: value`"
                raise MetadataError("frontmatter-invalid", message, line)
        return keys or ()

    def _keys(self, depth: int) -> tuple[tuple[Key, ...], Any]:
        """Keys up to the end of the mapping, and where it ends."""
        import yaml

        keys: list[Key] = []
        for event in self._events:
            if isinstance(event, yaml.MappingEndEvent):
                return tuple(keys), event.end_mark
            refuse_reuse(event)
            line = event.start_mark.line
            if not isinstance(event, yaml.ScalarEvent):
                raise MetadataError("frontmatter-invalid", "a key is no plain text", line)
            name = event.value.translate(UNSHIELD)
            if name == "<<":
                message = "merge keys (`<<`) are not read"
                raise MetadataError("frontmatter-alias-refused", message, line, refused=True)
            span = self._span(event.start_mark, event.end_mark)
            keys.append(Key(name, span, self._value(next(self._events), depth)))
        raise MetadataError("frontmatter-invalid", "it is no YAML", 0)

    def _value(self, event: Any, depth: int) -> Value:
        import yaml

        refuse_reuse(event)
        start = event.start_mark
        if isinstance(event, yaml.ScalarEvent):
            span = self._span(start, event.end_mark)
            return Value(event.value.translate(UNSHIELD), span, event.style or "")
        if depth >= MAX_DEPTH:
            message = "it is nested too deep"
            raise MetadataError("frontmatter-too-large", message, start.line, refused=True)
        if isinstance(event, yaml.MappingStartEvent):
            keys, end = self._keys(depth + 1)
            return Value(None, self._span(start, end), "{" if event.flow_style else ":", (), keys)
        items: list[Value] = []
        for inner in self._events:
            if isinstance(inner, yaml.SequenceEndEvent):
                end = inner.end_mark
                break
            items.append(self._value(inner, depth + 1))
        style = "[" if event.flow_style else "-"
        return Value(None, self._span(start, end), style, tuple(items))

    def _span(self, start: Any, end: Any) -> Span:
        first = self._first
        return Span(start.line + first, start.column + 1, end.line + first, end.column + 1)
