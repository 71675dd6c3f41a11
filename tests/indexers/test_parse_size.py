"""Documents of any shape are taken apart in time that grows with their size."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from docs_agent.indexers.document import ParsedDocument
from docs_agent.indexers.extract import extract
from docs_agent.indexers.markup_limit import MAX_TOKENS
from docs_agent.indexers.parse import parse


def parsed(text: str) -> ParsedDocument:
    document = parse("docs/a.md", text.encode())
    assert isinstance(document, ParsedDocument)
    return document


def wide_table(columns: int, rows: int) -> str:
    head = f"|{' h |' * columns}\n|{'---|' * columns}\n"
    return f"# Таблица\n\n{head}" + f"|{' v |' * columns}\n" * rows + "\n## После\n\nТекст.\n"


SHAPES: dict[str, Callable[[], str]] = {
    "wide table": lambda: wide_table(2000, 200),
    "tall table": lambda: wide_table(2, 45_000),
    "headings": lambda: "\n".join(f"# Heading {i}" for i in range(49_000)),
    "nested lists": lambda: "\n\n".join(
        "\n".join("  " * depth + f"- item {i} {depth}" for depth in range(25)) for i in range(1800)
    ),
    "metadata keys": lambda: (
        "---\n" + "\n".join(f"key{i}: value {i}" for i in range(6000)) + "\n---\n# T\n\ntext\n"
    ),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_document_of_any_shape_is_taken_apart_in_time(shape: str) -> None:
    text = SHAPES[shape]()
    started = time.process_time()
    assert extract(parsed(text)).records
    # Before the limits: 6 to 10 seconds. The bound allows for a busy machine.
    assert time.process_time() - started < 8


def test_table_with_too_many_cells_is_text_and_what_follows_keeps_its_structure() -> None:
    document = parsed(wide_table(300, MAX_TOKENS // 900 + 1))
    assert [(w.line, w.code) for w in document.warnings] == [(3, "too-much-markup")]
    assert [s.title for s in document.sections] == ["Таблица", "После"]
    assert {b.kind for b in document.sections[0].blocks} == {"paragraph"}


def test_table_below_the_limit_is_a_table() -> None:
    document = parsed(wide_table(300, 90))
    assert document.warnings == ()
    assert [b.kind for b in document.sections[0].blocks] == ["table"]


def test_no_text_is_lost_after_the_limit() -> None:
    count = MAX_TOKENS // 3 + 500
    document = parsed("".join(f"# H{i}\n" for i in range(count)))
    assert [(w.line, w.code) for w in document.warnings] == [
        (MAX_TOKENS // 3 + 1, "too-much-markup")
    ]
    rest = "\n".join(b.text for s in document.sections for b in s.blocks).split("\n")
    assert rest == [f"# H{i}" for i in range(MAX_TOKENS // 3, count)]


def test_pieces_of_a_giant_paragraph_name_their_own_lines() -> None:
    lines = [f"слово {i} и ещё много слов" for i in range(3000)]
    (section,) = parsed("\n".join(lines)).sections
    assert len(section.blocks) > 1
    assert section.blocks[0].start == 1
    assert section.blocks[-1].end == 3000
    for block in section.blocks:
        whole = block.text.split("\n")[1:-1]
        assert whole == lines[block.start : block.end - 1]
