"""Hugo: its `github` ids of headings (the default), and `{#id}`.

Letters, digits and `_` stay, in lower case; spaces and hyphens become hyphens; the rest goes. From
the source; not run.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from docs_agent.lint.anchor_styles.heading_text import HeadingText, explicit_id, numbered


def anchors(headings: Sequence[HeadingText]) -> list[str]:
    """One anchor per heading."""
    explicit = [explicit_id(heading.text)[1] for heading in headings]
    pairs = zip(headings, explicit, strict=True)
    return numbered(name or _slug(heading.text) or "heading" for heading, name in pairs)


def _slug(text: str) -> str:
    return "".join(map(_kept, text.strip()))


def _kept(char: str) -> str:
    if char in " -":
        return "-"
    is_kept = char == "_" or char.isalpha() or unicodedata.category(char) == "Nd"
    return char.lower() if is_kept else ""
