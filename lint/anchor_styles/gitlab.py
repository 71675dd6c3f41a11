"""GitLab: files, wikis and issues.

As its documentation says: lower case, what is no word goes, spaces become hyphens, several hyphens
become one, repetitions are counted; of its source, a heading of digits alone becomes `anchor-1`, as
`#1` is an issue. Not verified: headings of nothing but punctuation.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from docs_agent.lint.anchor_styles.heading_text import HeadingText, counted, kept

_HYPHENS: Final = re.compile(r"-{2,}")


def anchors(headings: Sequence[HeadingText]) -> list[str]:
    """One anchor per heading."""
    return counted(_slug(heading.text) for heading in headings)


def _slug(text: str) -> str:
    slug = _HYPHENS.sub("-", kept(text.strip().lower(), "- ").replace(" ", "-"))
    return f"anchor-{slug}" if slug.isdigit() else slug
