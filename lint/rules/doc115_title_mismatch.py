"""A title that differs from the H1

What it does: compares `title` of the metadata with the only H1 of the document; markup, letter
case of white space and a trailing attribute list do not count.

Why: one document is found under two names, and nobody knows which is right.

Example: `title: Refunds` above `# Returning money`.

Fix: make them the same.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from docs_agent.lint.finding import WARNING, Place
from docs_agent.lint.page import Page
from docs_agent.lint.rule import Hit, Rule
from docs_agent.lint.scope import Scope

_MARKS = re.compile(r"[*_`]|\s*\{[^{}]*\}\s*$")


def check(page: Page, scope: Scope) -> Iterator[Hit]:
    """Report the H1."""
    key = page.front.key("title") if scope.is_modelled else None
    title = key.value.text if key else None
    heads = [heading for heading in page.headings if heading.level == 1]
    if not key or not title or len(heads) != 1 or _bare(title) == _bare(heads[0].text):
        return
    place = Place(page.path, key.value.span, "the title of the metadata")
    message = f"the H1 differs from the title `{' '.join(title.split())[:80]}`"
    yield Hit(heads[0].span, message, related=(place,))


def _bare(text: str) -> str:
    return " ".join(unicodedata.normalize("NFC", _MARKS.sub("", text[:1000])).split())


RULE = Rule("DOC115", "title-mismatch", "The title differs from the H1", WARNING, check)
