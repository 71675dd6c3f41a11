"""A heading that skips a level

What it does: reports a heading more than one level below the heading before it, in documents of the
model.

Why: the outline has a hole: readers of the table of contents and screen readers look for what is
missing.

Example: `## Errors` followed by `#### Codes`.

Fix: use the next level.
"""

from __future__ import annotations

from collections.abc import Iterator

from docs_agent.lint.finding import WARNING
from docs_agent.lint.page import Page
from docs_agent.lint.rule import Hit, Rule
from docs_agent.lint.scope import Scope


def check(page: Page, scope: Scope) -> Iterator[Hit]:
    """Report each such heading."""
    if not scope.is_modelled:
        return
    before = 0
    for heading in page.headings:
        if before and heading.level > before + 1:
            message = f"the heading jumps from level {before} to level {heading.level}"
            yield Hit(heading.span, message)
        before = heading.level


RULE = Rule("DOC202", "level-jump", "A heading skips a level", WARNING, check)
