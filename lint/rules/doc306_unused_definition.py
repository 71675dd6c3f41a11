"""A link definition that nothing uses

What it does: reports lines `[label]: target` whose label no link of the page names. Comments
written as definitions (`[//]: # (…)`) are none.

Why: the link it was for is gone, or its label is misspelt.

Example: `[api]: api.md` in a page without `[…][api]`.

Fix: remove the line, or correct the label.
"""

from __future__ import annotations

from collections.abc import Iterator

from docs_agent.lint.finding import WARNING
from docs_agent.lint.labels import label_form
from docs_agent.lint.page import Page
from docs_agent.lint.rule import Hit, Rule
from docs_agent.lint.scope import Scope

_COMMENTS = ("//", "comment", "#", "_")


def check(page: Page, scope: Scope) -> Iterator[Hit]:
    """Report definitions without a link."""
    used = {label_form(link.label) for link in page.links if link.kind == "reference"}
    for found in page.definitions:
        is_comment = found.target == "#" or found.label.casefold() in _COMMENTS
        if not is_comment and label_form(found.label) not in used:
            yield Hit(found.span, f"nothing on the page uses `[{found.label[:80]}]`")


RULE = Rule("DOC306", "unused-definition", "A link definition is not used", WARNING, check)
