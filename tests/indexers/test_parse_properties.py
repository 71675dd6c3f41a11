"""What holds for every input."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from docs_agent.indexers.document import ParsedDocument
from docs_agent.indexers.parse import parse

EXAMPLES = settings(derandomize=True, deadline=None, max_examples=150)
PIECES = st.sampled_from(
    [
        *"#->*_`~|[](){}<>!:/\\&=+.1 \t",
        "\n", "\n\n", "\r\n", "    ", "---\n", "+++\n", "```\n", "# ", "## ", "{ #a }", "///",
        ":::", "!!! note\n", "=== \"t\"\n", "<!--", "-->", "{{< ", " >}}", "{* ", " *}", "<div>",
        "<A b={",
        "import x from 'y'\n", "- ", "1. ", "> ", "| a |\n|---|\n", "key: value\n", "текст", "word",
        "id: x\n", "\u2028", "\x0c", "\0", "\x1b[0m", "&amp;", "<a href='x'>", "[a](b)", "![c](d)",
    ]
)  # fmt: skip
MARKUP = st.lists(PIECES, max_size=60).map("".join)


def parsed(data: bytes) -> ParsedDocument | None:
    document = parse("docs/a.md", data)
    return document if isinstance(document, ParsedDocument) else None


def check(document: ParsedDocument) -> None:
    total = len(document.lines)
    last = document.frontmatter.end
    for order, section in enumerate(document.sections):
        assert section.order == order
        assert last < section.start <= section.end <= total
        if "`" not in "".join(document.lines[section.start - 1 : section.end]):
            assert not section.title.endswith("{ #a }")
        assert "\n" not in section.title
        assert bool(section.path) == (section.level > 0)
        assert not section.path or section.path[-1] == section.title
        block_end = section.start - 1
        for block in section.blocks:
            assert block_end <= block.start <= block.end <= section.end
            assert block.text
            block_end = block.end
            for item in block.items:
                assert block.start <= item.line <= item.end <= block.end
                assert "\n" not in item.text
            for row in block.rows:
                assert len(row.cells) == len(block.header)
                assert block.start < row.line <= block.end
        last = section.end
    anchors = [section.anchor for section in document.sections if section.level]
    assert len(anchors) == len(set(anchors))
    assert all(0 < link.line <= total for link in document.links)
    assert all(0 < line <= total for _, line in document.code_spans)
    assert all(0 < line <= total for line in document.frontmatter.lines.values())
    assert set(document.frontmatter.lines) == set(document.frontmatter.values)
    assert all(0 <= warning.line <= total for warning in document.warnings)


@EXAMPLES
@given(st.binary(max_size=400))
def test_any_bytes_give_a_document_or_a_refusal(data: bytes) -> None:
    document = parsed(data)
    if document:
        check(document)


@EXAMPLES
@given(st.text(max_size=300))
def test_any_text_keeps_its_spans_inside_the_file(text: str) -> None:
    document = parsed(text.encode("utf-8", "surrogatepass"))
    if document:
        check(document)


@settings(derandomize=True, deadline=None, max_examples=600)
@given(MARKUP)
def test_any_markup_keeps_its_spans_inside_the_file(text: str) -> None:
    document = parsed(text.encode())
    if document:
        check(document)


@EXAMPLES
@given(MARKUP)
def test_parsing_is_deterministic(text: str) -> None:
    assert parse("docs/a.md", text.encode()) == parse("docs/a.md", text.encode())


@EXAMPLES
@given(MARKUP)
def test_line_ends_do_not_matter(text: str) -> None:
    plain = text.replace("\r", "")
    documents = [parsed(plain.replace("\n", end).encode()) for end in ("\n", "\r\n", "\r")]
    first = documents[0]
    for other in documents[1:]:
        assert (first is None) == (other is None)
        if first and other:
            assert first.lines == other.lines
            assert first.sections == other.sections
            assert first.frontmatter == other.frontmatter
            assert first.links == other.links


@EXAMPLES
@given(MARKUP, st.integers(min_value=1, max_value=5))
def test_metadata_above_shifts_the_body_and_nothing_else(text: str, keys: int) -> None:
    above = "---\n" + "".join(f"key{n}: value\n" for n in range(keys)) + "---\n"
    body = "Начало.\n\n" + text
    with_metadata, without = parsed((above + body).encode()), parsed(body.encode())
    if with_metadata and without:
        assert len(with_metadata.frontmatter.values) == keys
        shift = keys + 2
        shifted = [(s.title, s.anchor, s.start + shift, s.end + shift) for s in without.sections]
        assert [(s.title, s.anchor, s.start, s.end) for s in with_metadata.sections] == shifted
