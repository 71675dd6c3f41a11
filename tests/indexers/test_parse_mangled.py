"""Metadata survives what Markdown formatters do to a block whose fence they misread."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from docs_agent.indexers.document import ParsedDocument
from docs_agent.indexers.parse import parse

WORDS = st.text("abcdefghijklmnopqrstuvwxyzабвгдежзийклмнопрст", min_size=2, max_size=9)
KEYS = st.lists(
    st.from_regex(r"[a-z]{2,8}(_[a-z]{2,6})?", fullmatch=True), min_size=2, max_size=6, unique=True
)
VALUES = st.one_of(
    st.lists(WORDS, min_size=1, max_size=4).map(" ".join), st.lists(WORDS, min_size=1, max_size=4)
)
BODY = ["", "# Заголовок", "", "Текст: с двоеточием.", "", "- key: value", ""]

Metadata = dict[str, str | list[str]]


@st.composite
def metadata(draw: st.DrawFn) -> Metadata:
    keys = draw(KEYS)
    values: Metadata = {key: draw(VALUES) for key in keys}
    values[keys[0]] = draw(WORDS)
    return values


def heading_form(values: Metadata, *, bullet: str, indent: str, escape: bool) -> list[str]:
    """The closing fence was read as the underline of a heading."""
    lines: list[str] = []
    for key, value in values.items():
        name = key.replace("_", "\\_") if escape else key
        if isinstance(value, str):
            lines.append(f"{name}: {value}")
        else:
            lines.append(f"{name}:")
            lines.extend(f"{indent}{bullet} {item}" for item in value)
    lines[0] = f"## {lines[0]}"
    return ["---", "", *lines]


def list_form(values: Metadata, *, bullet: str, escape: bool, fence: str) -> list[str]:
    """Lists were set apart by blank lines, and keys after them pulled into their last items."""
    lines: list[str] = []
    in_list = False
    for key, value in values.items():
        name = key.replace("_", "\\_") if escape else key
        lead = "  " if in_list else ""
        if isinstance(value, str):
            lines.append(f"{lead}{name}: {value}")
        else:
            lines.append(f"{lead}{name}:")
            if not in_list:
                lines.append("")
            lines.extend(f"{bullet} {item}" for item in value)
            in_list = True
    return [fence, "", *lines, "", fence]


def glued_form(values: Metadata) -> list[str]:
    """All lines were joined into one heading."""
    pieces: list[str] = []
    for key, value in values.items():
        pieces.append(f"{key}: {value}" if isinstance(value, str) else
                      f"{key}: " + " ".join(f"- {item}" for item in value))  # fmt: skip
    return ["---", "", "## " + " ".join(pieces)]


def check(block: list[str], values: Metadata) -> None:
    document = parse("docs/a.md", "\n".join([*block, *BODY]).encode())
    assert isinstance(document, ParsedDocument)
    assert document.frontmatter.values == values
    assert [w.code for w in document.warnings] == ["frontmatter-mangled"]
    assert f"{len(values)} keys" in document.warnings[0].message
    heading = len(block) + 2
    assert [(s.title, s.start, s.end) for s in document.sections] == [
        ("Заголовок", heading, heading + 4)
    ]
    for key, line in document.frontmatter.lines.items():
        assert f"{key}:" in document.lines[line - 1].replace("\\_", "_")


EXAMPLES = settings(derandomize=True, deadline=None, max_examples=60)


@EXAMPLES
@given(metadata(), st.sampled_from("-*+"), st.sampled_from(["", "  ", "    "]), st.booleans())
def test_a_block_turned_into_a_heading_is_recovered(
    values: Metadata, bullet: str, indent: str, escape: bool
) -> None:
    check(heading_form(values, bullet=bullet, indent=indent, escape=escape), values)


@EXAMPLES
@given(metadata(), st.sampled_from("*+"), st.booleans(), st.sampled_from(["---", "***", "_" * 70]))
def test_a_block_turned_into_lists_is_recovered(
    values: Metadata, bullet: str, escape: bool, fence: str
) -> None:
    values["list"] = ["x"]
    check(list_form(values, bullet=bullet, escape=escape, fence=fence), values)


@EXAMPLES
@given(metadata())
def test_a_block_glued_onto_one_line_is_recovered(values: Metadata) -> None:
    values |= {"one": "a", "two": "b"}
    check(glued_form(values), values)
