"""Restoring metadata that a formatter rewrote."""

from __future__ import annotations

from collections.abc import Iterator

from docs_agent.indexers.keylines import KeyLine, scan_mangled
from docs_agent.indexers.metadata import MetadataError
from docs_agent.lint.front import Key
from docs_agent.lint.page import Page
from docs_agent.lint.yaml_keys import yaml_keys


def restored(page: Page) -> str:
    """The block as it was before, without a line end at its end; empty when what would be written
    does not read equal to what was recovered."""
    first = page.front.start
    while first < len(page.lines) and not page.lines[first].strip():
        first += 1
    block = scan_mangled(list(page.lines), first)
    text = "\n".join(line for entry in block.keys for line in _lines(entry))
    try:
        keys = yaml_keys(text, 1)
    except MetadataError:
        return ""
    same = _values(keys) == _values(page.front.keys) and block.end == page.front.end
    return f"---\n{text}\n---" if same else ""


def _lines(entry: KeyLine) -> Iterator[str]:
    yield f"{entry.key}: {entry.text}".rstrip()
    for line in entry.more:
        yield f"  {line.strip()}"


def _values(keys: tuple[Key, ...]) -> list[tuple[str, list[str | None]]]:
    return [(key.name, [value.text for value in (key.value, *key.value.items)]) for key in keys]
