"""A metadata key that is given twice

What it does: reports the second of two equal keys in one mapping.

Why: readers keep the first, keep the last or refuse the page, and nobody sees the other value.

Example: `status: draft` above and `status: active` below.

Fix: remove one of them.
"""

from __future__ import annotations

from collections.abc import Iterator

from docs_agent.lint.finding import ERROR
from docs_agent.lint.page import Page
from docs_agent.lint.rule import Hit, Rule
from docs_agent.lint.scope import Scope


def check(page: Page, scope: Scope) -> Iterator[Hit]:
    """Report keys that stand there already."""
    for fault in page.front.faults:
        if fault.code == "frontmatter-duplicate-key":
            yield Hit(fault.span, fault.message)


RULE = Rule("DOC105", "duplicate-key", "A metadata key is given twice", ERROR, check)
