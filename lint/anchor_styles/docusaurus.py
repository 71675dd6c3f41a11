"""Docusaurus: github-slugger, and `{#id}` at the end of a heading.

Lower case; what is no word, hyphen or space goes; a space becomes a hyphen; a number is added
until the anchor is unique. Alternative texts of images count. An explicit id is taken as it stands
and not counted among the others. Not verified: the comment syntax for ids of later versions.
"""

from __future__ import annotations

from collections.abc import Sequence

from docs_agent.lint.anchor_styles.heading_text import (
    HeadingText,
    explicit_id,
    kept,
    numbered,
)


def anchors(headings: Sequence[HeadingText]) -> list[str]:
    """One anchor per heading."""
    explicit = [explicit_id(heading.with_images)[1] for heading in headings]
    others = iter(
        numbered(
            kept(heading.with_images.lower(), "- ").replace(" ", "-")
            for heading, name in zip(headings, explicit, strict=True)
            if not name
        )
    )
    return [name or next(others) for name in explicit]
