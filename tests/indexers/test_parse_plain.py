"""Plain text of Markdown fragments."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from docs_agent.indexers.plain import plain_text

CASES = yaml.safe_load(
    (Path(__file__).parent / "cases" / "parse_plain.yml").read_text(encoding="utf-8")
)
EXAMPLES = settings(derandomize=True, deadline=None, max_examples=300)


@pytest.mark.parametrize(("markdown", "plain"), CASES)
def test_case_reads_as_it_says(markdown: str, plain: str) -> None:
    assert plain_text(markdown) == plain


@EXAMPLES
@given(st.text(max_size=200))
def test_any_text_is_rendered(text: str) -> None:
    assert isinstance(plain_text(text), str)


WORD = st.sampled_from(["слово", "word", "x1", "snake_case"])
INLINE = st.recursive(
    WORD,
    lambda inner: st.one_of(
        inner.map(lambda text: f"**{text}**"),
        inner.map(lambda text: f"[{text}](a.md)"),
        WORD.map(lambda text: f"`{text}`"),
        WORD.map(lambda text: f"![{text}](a.png)"),
        st.lists(inner, min_size=2, max_size=3).map(" ".join),
    ),
    max_leaves=6,
)


def shown(markdown: str) -> str:
    """What the Markdown library shows, links within links aside."""
    tokens = MarkdownIt("commonmark").parseInline(markdown)[0].children or []
    return "".join(t.content if t.type != "softbreak" else " " for t in tokens)


@EXAMPLES
@given(INLINE.filter(lambda text: text.count("](") < 2 or "[[" not in text))
def test_well_formed_markup_reads_as_the_library_shows_it(markdown: str) -> None:
    expected = shown(markdown)
    if "](" not in expected:
        assert plain_text(markdown) == expected
