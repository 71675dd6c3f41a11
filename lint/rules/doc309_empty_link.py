"""A link without a target or without text

What it does: reports `[text]()` and links that show nothing.

Why: the first leads to the page itself, the second cannot be seen or clicked.

Example: `[the guide]()`, `[](guide.md)`.

Fix: write what is missing, or remove the link.
"""

from __future__ import annotations

from collections.abc import Iterator

from docs_agent.lint.finding import WARNING
from docs_agent.lint.page import Link, Page
from docs_agent.lint.rule import Hit, Rule
from docs_agent.lint.scope import Scope


def check(page: Page, scope: Scope) -> Iterator[Hit]:
    """Report such links."""
    for link in page.links:
        if link.kind != "inline":
            continue
        if not link.target.strip():
            what = "image" if link.is_image else "link"
            yield Hit(link.span, f"the {what} has no target")
        elif not link.is_image and not link.text.strip() and not _shows_something(page, link):
            yield Hit(link.span, f"the link to `{link.target[:80]}` shows no text")


def _shows_something(page: Page, link: Link) -> bool:
    """Whether an image or HTML stands where the text would."""
    span = link.span
    lines = list(page.lines[span.line - 1 : span.end_line])
    lines[-1] = lines[-1][: span.end_column - 1]
    lines[0] = lines[0][span.column - 1 :]
    return any(mark in text for text in lines for mark in ("![", "<"))


RULE = Rule("DOC309", "empty-link", "A link has no target or no text", WARNING, check)
