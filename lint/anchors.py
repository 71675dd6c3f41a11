"""Anchors of a page in the renderers people publish with, each with its own truth."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from docs_agent.lint.anchor_styles import docusaurus, github, gitlab, hugo, mkdocs, vitepress
from docs_agent.lint.anchor_styles.heading_text import HeadingText

__all__ = ["STYLES", "HeadingText", "anchors_of", "fragment_matches", "is_line_fragment"]

Style = Callable[[Sequence[HeadingText]], list[str]]
"""The anchor of each heading of a page, in order."""

STYLES: Final[Mapping[str, Style]] = MappingProxyType(
    {
        "github": github.anchors,
        "gitlab": gitlab.anchors,
        "mkdocs": mkdocs.ascii_anchors,
        "mkdocs-unicode": mkdocs.unicode_anchors,
        "mkdocs-pymdownx": mkdocs.pymdownx_anchors,
        "docusaurus": docusaurus.anchors,
        "vitepress": vitepress.anchors,
        "hugo": hugo.anchors,
    }
)
"""By the names of `docs_agent.core.lint_config.ANCHOR_STYLES`."""
_CASELESS: Final = ("github",)
_LINES: Final = re.compile(r"L\d+(?:C\d+)?(?:-L?\d+(?:C\d+)?)?")


def anchors_of(style: str, headings: Sequence[HeadingText]) -> tuple[str, ...]:
    """The anchor of each heading of a page. Raises KeyError for an unknown style."""
    return tuple(STYLES[style](headings))


def fragment_matches(style: str, fragment: str, anchors: Collection[str]) -> bool:
    """Whether a fragment, percent-decoded and without `#`, finds a place on the page."""
    # An empty fragment and `top` lead to the beginning of any page (HTML standard).
    if not fragment or fragment.casefold() == "top" or fragment in anchors:
        return True
    if fragment.startswith(":~:"):
        return True
    if style in _CASELESS:
        # The site adds its prefix to anchors and looks them up in lower case.
        wanted = fragment.lower().removeprefix("user-content-")
        return any(anchor.lower() == wanted for anchor in anchors)
    return False


def is_line_fragment(fragment: str) -> bool:
    """Whether a fragment names lines of a file: `L10`, `L10-L20`."""
    return _LINES.fullmatch(fragment) is not None
