"""A metadata key that is recommended

What it does: reports keys that the document model recommends for the type and that are missing.
Off by default.

Why: owner, tags and entities make a document easier to find and to keep.

Example: an `api_method` without `owner`.

Fix: add the key, or leave the rule off.
"""

from __future__ import annotations

from collections.abc import Iterator

from docs_agent.lint.finding import WARNING
from docs_agent.lint.model_keys import block_line
from docs_agent.lint.page import Page
from docs_agent.lint.rule import Hit, Rule
from docs_agent.lint.scope import Scope


def check(page: Page, scope: Scope) -> Iterator[Hit]:
    """Report each missing key at the opening line."""
    if scope.type is None or not page.front.start:
        return
    for name in scope.type.recommended:
        if page.front.key(name) is None:
            yield Hit(block_line(scope), f"the recommended key `{name}` is missing")


RULE = Rule(
    "DOC109",
    "recommended-key",
    "A recommended metadata key is missing",
    WARNING,
    check,
    default=False,
)
