"""The Markdown cases under cases/parse: see the README there."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from docs_agent.indexers.document import Block, ParsedDocument
from docs_agent.indexers.parse import parse

CASES = Path(__file__).parent / "cases" / "parse"


def read_cases() -> Iterator[tuple[str, dict[str, str]]]:
    for file in sorted(CASES.glob("*.md")):
        if file.name == "README.md":
            continue
        name, part = "", ""
        parts: dict[str, list[str]] = {}
        for line in [*file.read_text(encoding="utf-8").split("\n"), "## "]:
            if part:
                if line == "~~~~":
                    part = ""
                else:
                    parts[part].append(line)
            elif line.startswith("~~~~ "):
                part = line[5:].strip()
                parts[part] = []
            elif line.startswith("## "):
                if name:
                    yield f"{file.stem}: {name}", {k: "\n".join(v) for k, v in parts.items()}
                name, parts = line[3:], {}


def title(document: ParsedDocument) -> list[str]:
    return [document.title]


def metadata(document: ParsedDocument) -> list[str]:
    front = document.frontmatter
    return [
        f"{key} ({front.lines[key]}) = {shown(value)}".rstrip()
        for key, value in front.values.items()
    ]


def shown(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def sections(document: ParsedDocument) -> list[str]:
    found: list[str] = []
    for section in document.sections:
        head = f"{'#' * section.level} {section.title} {{{section.anchor}}}"
        found.append(f"{head if section.level else ''} {section.start}-{section.end}")
        for block in section.blocks:
            text = block.text.replace("\n", "⏎")
            found.append(f"  {block.kind} {block.start}-{block.end} {text}")
            found.extend("    " + line for line in inside(block))
    return found


def inside(block: Block) -> Iterator[str]:
    for item in block.items:
        marker = f"{item.number}." if item.number else "-"
        yield f"{'  ' * item.level}{marker} {item.line}-{item.end} {item.text}"
    if block.header:
        yield f"| {' | '.join(block.header)} |"
    for row in block.rows:
        yield f"{row.line} | {' | '.join(row.cells)} |"


def links(document: ParsedDocument) -> list[str]:
    return [f"{link.line} {link.target} [{link.text}]" for link in document.links]


def code(document: ParsedDocument) -> list[str]:
    return [f"{line} {content}" for content, line in document.code_spans]


def languages(document: ParsedDocument) -> list[str]:
    blocks = [block for section in document.sections for block in section.blocks]
    return [block.info for block in blocks if block.kind == "code" and block.info]


def warnings(document: ParsedDocument) -> list[str]:
    return [f"{warning.line} {warning.code}" for warning in document.warnings]


VIEWS: dict[str, Callable[[ParsedDocument], list[str]]] = {
    view.__name__: view for view in (title, metadata, sections, links, code, languages, warnings)
}


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"], ids=["lf", "crlf", "cr"])
@pytest.mark.parametrize(("name", "parts"), list(read_cases()))
def test_case_gives_what_it_says(name: str, parts: dict[str, str], line_end: str) -> None:
    source = parts["input"].replace("\n", line_end)
    document = parse("docs/case.md", source.encode())
    assert isinstance(document, ParsedDocument)
    for view, expected in parts.items():
        if view != "input":
            lines = [line for line in expected.split("\n") if line.strip()]
            assert VIEWS[view](document) == lines, f"{name}: {view}"
