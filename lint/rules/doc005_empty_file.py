"""A document without text

What it does: reports a file that holds nothing but white space, and a document of the model that
holds nothing but its metadata.

Why: it is found, opened, and says nothing; usually it was meant to be written or removed.

Example: `limits.md` with a metadata block only.

Fix: write the document or remove it.
"""

from __future__ import annotations

from collections.abc import Iterator

from docs_agent.lint.finding import Span
from docs_agent.lint.page import Page
from docs_agent.lint.rule import Hit, Rule
from docs_agent.lint.scope import Scope


def check(page: Page, scope: Scope) -> Iterator[Hit]:
    """Report a page without text."""
    body = page.lines[page.body_line - 1 :] if scope.is_modelled else page.lines
    if not any(line.strip() for line in body):
        rest = "nothing but metadata" if scope.is_modelled and page.front.start else "nothing"
        yield Hit(Span(1, 1, 1, 1), f"the document holds {rest}")


RULE = Rule("DOC005", "empty-file", "The document holds no text", page=check)
