"""YAML and TOML metadata without guessed types: every scalar is the text that stands in the file.

Of a key given twice the last value counts, as in other YAML readers; the warning names both lines.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

MAX_DEPTH = 16
"""Nesting of lists and maps; deeper metadata is no metadata."""
MAX_CHARS = 128_000
"""Size of a metadata block; more is data, not metadata."""

# YAML counts these as line ends and refuses control characters: both would shift or lose lines.
SHIELD = {
    code: 0x10FE00 + code for code in (*range(9), 11, 12, *range(14, 32), 127, *range(0x80, 0xA0))
} | {0x2028: 0x10FF01, 0x2029: 0x10FF02, 0xFEFF: 0x10FF03, 0xFFFE: 0x10FF04, 0xFFFF: 0x10FF05}
UNSHIELD = {value: key for key, value in SHIELD.items()}
_TOML_KEY = re.compile(r"\s*([\w-]+|\"[^\"\n]*\"|'[^'\n]*')\s*=")
_TOML_TABLE = re.compile(r"\s*\[\[?\s*([\w-]+)")
_TOML_LINE = re.compile(r"at line (\d+)")


class MetadataError(Exception):
    """Metadata that cannot be read as it stands; never leaves this package.

    line: 0-based within the text; refused: it must not be recovered piecemeal either.
    """

    def __init__(self, code: str, message: str, line: int, *, refused: bool = False) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.line = line
        self.refused = refused


@dataclass(slots=True)
class Metadata:
    """A mapping read from text, lines 0-based within that text."""

    values: dict[str, Any] = field(default_factory=dict)
    lines: dict[str, int] = field(default_factory=dict)
    duplicates: list[tuple[str, int, int]] = field(default_factory=list)
    """(key, line of the value dropped, line of the value kept)."""


def read_yaml(text: str) -> Metadata:
    """Read a YAML mapping; raises MetadataError, and nothing else, when it is none."""
    import yaml

    if len(text) > MAX_CHARS:
        raise MetadataError("frontmatter-too-large", "it is too large", 0, refused=True)
    loader: Any = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
    try:
        return _Builder(yaml.parse(text.translate(SHIELD), Loader=loader)).document()
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise MetadataError(
            "frontmatter-invalid", str(error.problem or "it is no YAML"), mark.line if mark else 0
        ) from None
    except (yaml.YAMLError, ValueError, OverflowError):
        raise MetadataError("frontmatter-invalid", "it is no YAML", 0) from None


def read_toml(text: str) -> Metadata:
    """Read TOML metadata; numbers and dates stay as written. Raises MetadataError."""
    if len(text) > MAX_CHARS:
        raise MetadataError("frontmatter-too-large", "it is too large", 0, refused=True)
    # Seldom used, and slow to load.
    import tomllib

    try:
        loaded = tomllib.loads(text, parse_float=str)
    except tomllib.TOMLDecodeError as error:
        found = _TOML_LINE.search(str(error))
        line = int(found[1]) - 1 if found else text.count("\n")
        raise MetadataError("frontmatter-invalid", str(error), line) from None
    except (RecursionError, ValueError):
        raise MetadataError("frontmatter-invalid", "it is no TOML", 0, refused=True) from None
    result = Metadata()
    written, result.lines = _toml_source(text)
    for key, value in loaded.items():
        scalar = not isinstance(value, str | list | dict)
        result.values[key] = written.get(key, "") if scalar else _plain(value, 0)
        result.lines.setdefault(key, 0)
    return result


def _toml_source(text: str) -> tuple[dict[str, str], dict[str, int]]:
    """Source text of top-level values and the line of each top-level key."""
    written: dict[str, str] = {}
    lines: dict[str, int] = {}
    top_level = True
    for number, line in enumerate(text.split("\n")):
        table = _TOML_TABLE.match(line)
        if table:
            top_level = False
            lines.setdefault(table[1], number)
            continue
        key = _TOML_KEY.match(line) if top_level else None
        if key:
            name = key[1].strip("\"'")
            lines.setdefault(name, number)
            written.setdefault(name, line[key.end() :].split("#")[0].strip())
    return written, lines


def _plain(value: Any, depth: int) -> Any:
    if depth > MAX_DEPTH:
        raise MetadataError("frontmatter-too-large", "it is nested too deep", 0, refused=True)
    if isinstance(value, dict):
        return {str(key): _plain(inner, depth + 1) for key, inner in value.items()}
    if isinstance(value, list):
        return [_plain(inner, depth + 1) for inner in value]
    if isinstance(value, bool):
        return str(value).lower()
    return value.isoformat() if hasattr(value, "isoformat") else str(value)


class _Builder:
    """Builds str, list and dict from YAML events; refuses what could reuse or run anything."""

    def __init__(self, events: Iterator[Any]) -> None:
        self._events = events
        self._result = Metadata()

    def document(self) -> Metadata:
        import yaml

        for event in self._events:
            if isinstance(event, yaml.MappingStartEvent):
                refuse_reuse(event)
                self._result.values = self._mapping(1)
                self._finish()
                return self._result
            if isinstance(event, yaml.NodeEvent):
                raise MetadataError(
                    "frontmatter-invalid", "it is no list of `key: value`", _line(event)
                )
        return self._result

    def _finish(self) -> None:
        """Read to the end, so that an error after the mapping is an error too."""
        import yaml

        for event in self._events:
            if isinstance(event, yaml.DocumentStartEvent):
                raise MetadataError(
                    "frontmatter-invalid", "it holds a second YAML document", _line(event)
                )

    def _mapping(self, depth: int) -> dict[str, Any]:
        import yaml

        values: dict[str, Any] = {}
        lines: dict[str, int] = {}
        for event in self._events:
            if isinstance(event, yaml.MappingEndEvent):
                break
            line = _line(event)
            if not isinstance(event, yaml.ScalarEvent):
                refuse_reuse(event)
                raise MetadataError("frontmatter-invalid", "a key is no plain text", line)
            refuse_reuse(event)
            key = event.value.translate(UNSHIELD)
            if key == "<<":
                raise MetadataError(
                    "frontmatter-alias-refused",
                    "merge keys (`<<`) are not read",
                    line,
                    refused=True,
                )
            if key in values:
                self._result.duplicates.append((key, lines[key], line))
            lines[key] = line
            values[key] = self._value(next(self._events), depth)
        if depth == 1:
            self._result.lines = lines
        return values

    def _value(self, event: Any, depth: int) -> Any:
        import yaml

        refuse_reuse(event)
        if isinstance(event, yaml.ScalarEvent):
            return event.value.translate(UNSHIELD)
        if depth >= MAX_DEPTH:
            raise MetadataError(
                "frontmatter-too-large",
                "it is nested too deep",
                _line(event),
                refused=True,
            )
        if isinstance(event, yaml.MappingStartEvent):
            return self._mapping(depth + 1)
        items: list[Any] = []
        for inner in self._events:
            if isinstance(inner, yaml.SequenceEndEvent):
                break
            items.append(self._value(inner, depth + 1))
        return items


def refuse_reuse(event: Any) -> None:
    """Raise MetadataError for a YAML event that reuses other values or could run anything."""
    import yaml

    line = _line(event)
    if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
        raise MetadataError(
            "frontmatter-alias-refused",
            "YAML anchors and aliases (`&name`, `*name`) are not read",
            line,
            refused=True,
        )
    tag = getattr(event, "tag", None)
    if tag and tag != "!" and not tag.startswith("tag:yaml.org,2002:"):
        raise MetadataError(
            "frontmatter-tag-refused", f"the YAML tag `{tag}` is not read", line, refused=True
        )
    if tag and tag.startswith("tag:yaml.org,2002:python"):
        raise MetadataError(
            "frontmatter-tag-refused", f"the YAML tag `{tag}` is not read", line, refused=True
        )


def _line(event: Any) -> int:
    return int(event.start_mark.line)
