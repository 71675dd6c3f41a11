"""What holds for every document, however odd."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from docs_agent.core.layers import D0, D1
from docs_agent.core.records import FileRecords
from docs_agent.indexers.document import (
    Block,
    Frontmatter,
    ListItem,
    ParsedDocument,
    Section,
    TableRow,
)
from docs_agent.indexers.extract import extract
from docs_agent.indexers.layers.context import build_context
from docs_agent.indexers.layers.pieces import PIECE_LIMIT
from docs_agent.indexers.parse import parse

SETTINGS = settings(max_examples=150, derandomize=True, deadline=None)

_LINES = st.sampled_from(
    [
        "# Summary",
        "# Заголовок",
        "## Сценарий",
        "## Scenarios",
        "### Основной сценарий",
        "#### Main flow",
        "## Integrations",
        "### Orders API",
        "## Contract",
        "## Функциональные требования",
        "## FR-1",
        "##",
        "",
        "",
        "- Purpose: pay",
        "- **Метод:** `POST`",
        "- details:",
        "  - retry:",
        "    - max: 3",
        "- FR-2. Текст",
        "1. Step",
        "2. Шаг с `code_span`",
        "   ```",
        "**Название**: Оплата",
        "**Trigger**",
        "Текст со [ссылкой](../a.md#b) и `code_span`.",
        "See [out](../../../../x.md) <b>bold</b> &amp; more.",
        "| error_id | http_code |",
        "|---|---|",
        "| a | 1 |",
        "```python",
        "```",
        "---",
        "> quote",
        "***",
    ]
)
_SCALARS = st.one_of(
    st.text(max_size=12), st.none(), st.booleans(), st.integers(), st.floats(allow_nan=True)
)
_VALUES = st.recursive(
    _SCALARS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.dictionaries(st.one_of(st.text(max_size=8), st.integers()), inner, max_size=4),
    ),
    max_leaves=12,
)
_KEYS = st.sampled_from(
    [
        "id",
        "type",
        "doc_type",
        "title",
        "domain",
        "sub_domain",
        "tags",
        "entities",
        "endpoint",
        "aliases",
        "links",
        "related_docs",
        "related_code",
        "parent",
        "children",
        "calls_api",
        "reads_db",
        "source_path",
        "document_id",
        "owner",
    ]
)


def _check(doc: ParsedDocument, found: FileRecords) -> None:
    ids = Counter(r.record_id for r in found.records)
    assert ids.most_common(1)[0][1] == 1
    for record in found.records:
        assert 1 <= record.span_start <= record.span_end <= max(1, len(doc.lines))
        assert record.metadata["source_path"] == doc.path
        json.dumps(record.metadata, allow_nan=False)
    assert [r.layer for r in found.records].count(D1) == 1
    for name in found.names:
        assert name.key


def _check_cover(doc: ParsedDocument, found: FileRecords) -> None:
    chunks = [r for r in found.records if r.layer == D0]
    covered = {n for r in chunks for n in range(r.span_start, r.span_end + 1)}
    text = "\n".join(r.content for r in chunks)
    for section in doc.sections:
        for block in section.blocks:
            if block.kind != "rule" and block.text.strip():
                assert {block.start, block.end} <= covered
                assert block.text.split("\n")[0].strip() in text
    assert [r.metadata["order"] for r in chunks] == list(range(len(chunks)))


@SETTINGS
@given(st.lists(_LINES, max_size=40))
def test_any_markdown_gives_sound_and_stable_records(lines: list[str]) -> None:
    data = "\n".join(lines).encode()
    doc = parse("docs/x/a.md", data, docs_root="docs")
    assert isinstance(doc, ParsedDocument)
    found = extract(doc)
    _check(doc, found)
    _check_cover(doc, found)
    assert extract(doc) == found


@SETTINGS
@given(st.dictionaries(st.one_of(_KEYS, st.integers()), _VALUES, max_size=8))
def test_any_frontmatter_value_is_taken_as_it_is(values: dict[Any, Any]) -> None:
    doc = ParsedDocument(
        path="a.md",
        docs_root=".",
        content_hash="0",
        lines=("---", "x: 1", "---"),
        frontmatter=Frontmatter(values, dict.fromkeys(map(str, values), 2), 1, 3),
        title="a",
        lang="en",
        sections=(),
    )
    found = extract(doc)
    _check(doc, found)
    card = next(r for r in found.records if r.layer == D1)
    overridden = card.metadata.get("frontmatter_overridden", {})
    assert {str(k) for k in values} <= set(card.metadata) | set(overridden)


_BLOCKS = st.builds(
    lambda kind, text, items, header, cells: Block(
        kind,
        1,
        3,
        text,
        items=tuple(ListItem(t, 1, 2, level, number) for t, level, number in items),
        header=tuple(header),
        rows=(TableRow(tuple(cells), 2),),
    ),
    st.sampled_from(["paragraph", "list", "table", "code", "quote", "html", "rule"]),
    st.text(max_size=60),
    st.lists(st.tuples(st.text(max_size=20), st.integers(0, 4), st.integers(0, 3)), max_size=5),
    st.lists(st.text(max_size=8), max_size=3),
    st.lists(st.text(max_size=8), max_size=4),
)
_TITLES = st.sampled_from(["", "Сценарий", "Integrations", "Errors", "Use cases", "How to x", "A"])


@SETTINGS
@given(st.lists(st.tuples(st.integers(0, 6), _TITLES, st.lists(_BLOCKS, max_size=3)), max_size=6))
def test_any_section_tree_is_read_without_error(
    tree: list[tuple[int, str, list[Block]]],
) -> None:
    sections = tuple(
        Section(level, title, (title,) if title else (), title, 1, 3, order, tuple(blocks))
        for order, (level, title, blocks) in enumerate(tree)
    )
    doc = ParsedDocument("a.md", ".", "0", ("a", "b", "c"), Frontmatter(), "a", "ru", sections)
    _check(doc, extract(doc))


@SETTINGS
@given(
    st.lists(st.text("абв. \n-`*", min_size=1, max_size=900), min_size=1, max_size=20),
    st.sampled_from(["", "- ", "> "]),
)
def test_no_chunk_of_prose_is_endless(parts: list[str], mark: str) -> None:
    data = "\n".join(mark + part for part in parts).encode()
    doc = parse("docs/a.md", data, docs_root="docs")
    assert isinstance(doc, ParsedDocument)
    for record in extract(doc).records:
        if record.layer == D0 and "```" not in record.content:
            assert len(record.content) <= PIECE_LIMIT + 50


def test_context_roles_follow_the_tree() -> None:
    doc = parse(
        "docs/a.md", "# Details\n\n## Сценарий\n\n### X\n\n# Y\n".encode(), docs_root="docs"
    )
    assert isinstance(doc, ParsedDocument)
    context = build_context(doc)
    assert context.roles == ("details", "scenario", "", "")
    assert context.lineage[2] == {"details", "scenario"}
    assert context.lineage[3] == frozenset()
    assert list(context.subtree(0)) == [0, 1, 2]
