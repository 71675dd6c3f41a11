"""VitePress: the slug function of mdit-vue, numbering of markdown-it-anchor, `{#id}`.

Letters are taken apart (NFKD) and lose their accents (й becomes и, ё becomes е), runs of
punctuation and blanks become one hyphen, none is left at the ends, a digit in front gets a `_`.
Emoji stay, as they are no punctuation there. From the sources of both; not run.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from typing import Final

from docs_agent.lint.anchor_styles.heading_text import HeadingText, explicit_id, numbered

_COMBINING: Final = re.compile("[\u0300-\u036f]")
_CONTROL: Final = re.compile(r"[\x00-\x1f]")
_SPECIAL: Final = re.compile(r"[\s~`!@#$%^&*()\-_+=\[\]{}|\\;:\"'“”‘’<>,.?/]+")


def anchors(headings: Sequence[HeadingText]) -> list[str]:
    """One anchor per heading."""
    explicit = [explicit_id(heading.with_images)[1] for heading in headings]
    pairs = zip(headings, explicit, strict=True)
    # An explicit id is among those that the numbering keeps free.
    return numbered(name or _slug(heading.with_images) for heading, name in pairs)


def _slug(text: str) -> str:
    plain = _CONTROL.sub("", _COMBINING.sub("", unicodedata.normalize("NFKD", text)))
    slug = _SPECIAL.sub("-", plain).strip("-")
    return f"_{slug}".lower() if slug[:1].isascii() and slug[:1].isdigit() else slug.lower()
