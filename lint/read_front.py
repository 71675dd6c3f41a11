"""Reading the metadata block of a page; a faulty one is recovered as the indexer recovers it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from docs_agent.indexers.frontmatter import split_frontmatter
from docs_agent.indexers.metadata import MetadataError
from docs_agent.lint.finding import Span
from docs_agent.lint.front import READ, RECOVERED, Fault, Front, Key, Value
from docs_agent.lint.yaml_keys import yaml_keys

_CLOSING = ("---", "...")


def read_front(path: str, lines: list[str]) -> Front:
    """The metadata block at the top of a document."""
    if not lines:
        return Front()
    if lines[0].rstrip() == "---":
        front = _in_order(lines)
        if isinstance(front, Front):
            return front
        return _with_error(_recovered(path, lines), front, lines)
    return _recovered(path, lines)


def _with_error(front: Front, error: MetadataError | None, lines: list[str]) -> Front:
    """The recovered block; when nothing was said of what kept it from being read, with that."""
    if error is None or front.faults or not front.start:
        return front
    span = _line_span(lines, error.line + 2)
    fault = Fault(error.code, f"the metadata are no valid YAML: {error.message}", span)
    return front._replace(state=RECOVERED, faults=(fault,))


def _in_order(lines: list[str]) -> Front | MetadataError | None:
    """A block of YAML without any fault of form, else what is wrong with it, if that is known."""
    end = next((n for n in range(1, len(lines)) if lines[n].rstrip() in _CLOSING), 0)
    first = next((line for line in lines[1:end] if line.strip() and line[0] != "#"), "")
    if not first or first[0] in "#-*":
        return None
    try:
        keys = yaml_keys("\n".join(lines[1:end]), 2)
    except MetadataError as error:
        return error
    if not keys or any("\\" in key.name for key in keys):
        return None
    faults = (*_duplicates(keys), *_cut(keys, lines))
    return Front(READ, 1, end + 1, end + 1, keys, faults)


def _duplicates(keys: tuple[Key, ...]) -> Iterator[Fault]:
    seen: dict[str, Key] = {}
    for key in keys:
        if key.name in seen:
            line = seen[key.name].span.line
            message = f"`{key.name}` stands on line {line} already; the last one counts"
            yield Fault("frontmatter-duplicate-key", message, key.span, key.name)
        seen[key.name] = key
        yield from _duplicates(key.value.keys)


def _cut(keys: tuple[Key, ...], lines: list[str]) -> Iterator[Fault]:
    """Plain values that end before their line does: ` #` begins a comment."""
    for key in keys:
        yield from _cut(key.value.keys, lines)
        for value in (key.value, *key.value.items):
            lost = _lost(value, lines)
            if lost:
                line = value.span.line
                end = len(lines[line - 1]) + 1
                words = f"YAML takes `{lost[:40]}` for a comment: the value of `{key.name}` is cut"
                place = Span(line, end - len(lost), line, end)
                yield Fault("frontmatter-comment", words, place, key.name)


def _lost(value: Value, lines: list[str]) -> str:
    """What YAML leaves out after a plain value, when it was meant as text."""
    span = value.span
    if value.text is None or value.style or span.end_line != span.line:
        return ""
    rest = lines[span.end_line - 1][span.end_column - 1 :].lstrip()
    # `# word` after blanks is how comments are written; `#404` is part of a title.
    return rest if rest[:1] == "#" and rest[1:2] not in ("", " ", "#") else ""


def _recovered(path: str, lines: list[str]) -> Front:
    split = split_frontmatter(path, lines)
    read = split.frontmatter
    if not read.start:
        return Front()
    fence = lines[read.start - 1].rstrip()
    keys = tuple(_key(name, read.values[name], line, lines) for name, line in read.lines.items())
    faults = tuple(
        Fault(warning.code, warning.message, _line_span(lines, warning.line))
        for warning in split.warnings
    )
    state = RECOVERED if faults else READ
    language = "toml" if fence == "+++" else "yaml"
    keys = tuple(sorted(keys, key=lambda key: key.span))
    return Front(state, read.start, read.end, split.body, keys, faults, language)


def _key(name: str, value: Any, line: int, lines: list[str]) -> Key:
    """A key whose value's place is known by its line alone."""
    text = lines[line - 1]
    start = max(text.find(name), 0) + 1
    span = Span(line, start, line, min(start + len(name), len(text) + 1))
    rest = Span(line, span.end_column, line, len(text) + 1)
    return Key(name, span, _value(value, rest, lines, line))


def _value(value: Any, span: Span, lines: list[str], line: int) -> Value:
    if isinstance(value, dict):
        inner = tuple(Key(str(k), span, _value(v, span, lines, line)) for k, v in value.items())
        return Value(None, span, ":", (), inner)
    if isinstance(value, list):
        items: list[Value] = []
        at = line
        for item in value:
            place, at = _item_place(str(item), lines, at, span)
            items.append(_value(item, place, lines, at))
        return Value(None, span, "-", tuple(items))
    # Quotes are gone: nothing may be said about how YAML would read a recovered text.
    return Value(str(value), span, '"')


def _item_place(item: str, lines: list[str], after: int, default: Span) -> tuple[Span, int]:
    """Where an item of a list stands: on one of the next few lines, or with its key."""
    for number in range(after, min(after + 4, len(lines)) + 1):
        column = lines[number - 1].find(item) + 1 if item else 0
        if column and (number > default.line or column >= default.column):
            return Span(number, column, number, column + len(item)), number
    return default, after


def _line_span(lines: list[str], line: int) -> Span:
    number = max(line, 1)
    text = lines[number - 1] if number <= len(lines) else ""
    return Span(number, 1, number, len(text) + 1)
