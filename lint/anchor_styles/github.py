"""GitHub: files shown on the site.

Lower case; what is no word, hyphen or space goes; a space becomes a hyphen; repetitions are
counted (the table-of-contents filter of html-pipeline). Attribute lists are text there. Fragments
are looked up in any letter case. Not verified: a final sigma in lower case.
"""

from __future__ import annotations

from collections.abc import Sequence

from docs_agent.lint.anchor_styles.heading_text import HeadingText, counted, kept


def anchors(headings: Sequence[HeadingText]) -> list[str]:
    """One anchor per heading."""
    return counted(slug(heading.text) for heading in headings)


def slug(text: str) -> str:
    """The anchor of a text, before repetitions are told apart."""
    return kept(text.strip().lower(), "- ").replace(" ", "-")
