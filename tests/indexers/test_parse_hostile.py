"""Input made to break a parser: nothing is raised, work and block sizes stay bounded."""

from __future__ import annotations

import time

import pytest

from docs_agent.indexers.document import ParsedDocument
from docs_agent.indexers.markdown import MAX_LINE
from docs_agent.indexers.parse import parse
from docs_agent.indexers.plain import plain_text

_LIMIT = 20.0
"""Seconds, generous: the attacks below take minutes or for ever when something is quadratic."""

HOSTILE: dict[str, bytes] = {
    "one line of 9 MB": b"a" * 9_000_000,
    "one tag of 2 MB": b"<a" + b" " * 2_000_000,
    "brackets": b"[" * 10_000,
    "nested quotes": b"> " * 10_000 + b"x",
    "nested quotes on lines": b"\n".join(b">" * depth + b" x" for depth in range(1, 400)),
    "nested lists": b"- " * 10_000 + b"x",
    "nested lists on lines": b"\n".join(b"  " * depth + b"- x" for depth in range(400)),
    "nested admonitions": b"".join(b"    " * depth + b"!!! note\n" for depth in range(500)),
    "open link targets": b'[a](b "' * 2_500,
    "open link targets, long": b'[a](b "' * 20_000,
    "backticks of all lengths": b" ".join(b"`" * length for length in range(190)),
    "emphasis": b"*a_ " * 4_500,
    "open comments": b"<!-- " * 20_000,
    "comments in a block": b"<div>\n" + b"<!-- " * 12_000,
    "open attributes": b"<div a=" * 20_000,
    "open attributes on lines": b"<div a='\n" * 5_000,
    "open shortcodes": b"{{< a\n" * 5_000,
    "open components": b"<Foo\n" * 5_000,
    "open imports": b"import {\n" * 5_000,
    "deep flow metadata": b"---\na: " + b"[" * 20_000 + b"\n---\nx",
    "deep block metadata": b"---\n" + b"".join(b" " * n + b"a:\n" for n in range(400)) + b"---\n",
    "huge metadata": b"---\n" + b"k: v\n" * 26_000 + b"---\nx",
    "huge open metadata": b"---\n" + b"k: v\n" * 26_000,
    "glued metadata": b"---\n\n## id: x " + b"a: b " * 100_000,
    "deep TOML": b"+++\na = " + b"[" * 20_000 + b"\n+++\n",
    "wide table": b"|" + b"a|" * 1000 + b"\n|" + b"-|" * 1000 + b"\n" + b"|x|\n" * 1000,
    "many lines": b"\n" * 300_000 + b"x",
    "many headings": b"# a\n" * 5_000,
    "setext": b"a\n" * 5_000 + b"===\n",
}


@pytest.mark.parametrize("data", HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_input_is_parsed_in_bounded_time(data: bytes) -> None:
    started = time.perf_counter()
    document = parse("docs/a.md", data)
    assert isinstance(document, ParsedDocument)
    for section in document.sections:
        for block in section.blocks:
            plain_text(block.text)
    assert time.perf_counter() - started < _LIMIT


def test_a_giant_line_becomes_paragraphs_of_bounded_size() -> None:
    text = "слово " * 100_000
    document = parse("docs/a.md", text.encode())
    assert isinstance(document, ParsedDocument)
    blocks = document.sections[0].blocks
    assert "".join(block.text for block in blocks).strip() == text.strip()
    assert max(len(block.text) for block in blocks) <= MAX_LINE
    assert {(block.start, block.end) for block in blocks} == {(1, 1)}
    assert [(w.line, w.code) for w in document.warnings] == [(1, "line-too-long")]


def test_a_file_of_too_many_lines_is_cut_into_chunks_that_lose_nothing() -> None:
    data = b"---\nid: x\n---\n" + b"one line\n" * 60_000
    document = parse("docs/a.md", data)
    assert isinstance(document, ParsedDocument)
    assert document.frontmatter.values == {"id": "x"}
    assert [section.level for section in document.sections] == [0]
    blocks = document.sections[0].blocks
    assert blocks[0].start == 4
    assert blocks[-1].end == 60_003
    assert sum(block.text.count("one line") for block in blocks) == 60_000
    assert [w.code for w in document.warnings] == ["too-many-lines"]
