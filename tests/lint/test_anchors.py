"""Anchors in every renderer: cases as data, and Python-Markdown itself where it can be run."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import markdown
import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown.extensions.toc import TocExtension, slugify, slugify_unicode

from docs_agent.core.lint_config import ANCHOR_STYLES
from docs_agent.lint.anchors import (
    STYLES,
    HeadingText,
    anchors_of,
    fragment_matches,
    is_line_fragment,
)

CASES = yaml.safe_load((Path(__file__).parent / "cases" / "anchors.yml").read_text("utf-8"))
RENDERED = {"mkdocs": slugify, "mkdocs-unicode": slugify_unicode}


def plain(heading: str) -> str:
    return heading.replace("`", "")


def rendered(style: str, headings: list[str]) -> list[str]:
    toc = TocExtension(slugify=RENDERED[style])
    html = markdown.markdown(
        "\n\n".join(f"## {heading}" for heading in headings), extensions=["attr_list", toc]
    )
    return re.findall(r'<h2(?: class="[^"]*")? id="([^"]*)"', html)


@pytest.mark.parametrize("style", ANCHOR_STYLES)
@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_each_renderer_has_its_own_anchors(case: Any, style: str) -> None:
    headings = [HeadingText(plain(text)) for text in case["headings"]]
    assert list(anchors_of(style, headings)) == case[style]


def test_the_configuration_knows_the_styles() -> None:
    assert tuple(STYLES) == ANCHOR_STYLES


@pytest.mark.parametrize("style", RENDERED)
@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_cases_are_what_python_markdown_renders(case: Any, style: str) -> None:
    assert rendered(style, case["headings"]) == case[style]


words = st.text(alphabet="abcАбвЁй _-1.,!é№", min_size=1, max_size=12)


@settings(max_examples=40)
@given(st.lists(words.map(str.strip).filter(lambda t: t.strip("_-. ") != ""), max_size=8))
def test_any_headings_are_what_python_markdown_renders(headings: list[str]) -> None:
    # A mark at an edge may be emphasis or a rule to the parser; that is not what is compared here.
    texts = [f"x{re.sub(r'_+', ' ', text)}x" for text in headings]
    for style in RENDERED:
        found = anchors_of(style, [HeadingText(" ".join(text.split(" "))) for text in texts])
        assert list(found) == rendered(style, texts)


def test_an_image_counts_where_its_text_is_text() -> None:
    heading = [HeadingText("Logo ", alt_text="Our logo")]
    assert anchors_of("docusaurus", heading) == ("logo-our-logo",)
    assert anchors_of("github", heading) == ("logo",)


def test_fragments_find_their_place() -> None:
    assert fragment_matches("github", "Getting-Started", {"getting-started"})
    assert not fragment_matches("mkdocs", "Getting-Started", {"getting-started"})
    assert fragment_matches("mkdocs", "", ())
    assert fragment_matches("hugo", "top", ())
    assert not fragment_matches("github", "нет", {"да"})


def test_lines_of_a_file_are_told_from_anchors() -> None:
    assert is_line_fragment("L10-L20")
    assert is_line_fragment("L7")
    assert not is_line_fragment("LIMITS")


def test_ten_thousand_equal_headings_are_numbered() -> None:
    headings = [HeadingText("Раздел")] * 10_000
    for style in ANCHOR_STYLES:
        assert len(anchors_of(style, headings)) == 10_000
