"""A block of code that does not end

What it does: reports a fence of backticks or tildes without the closing one.

Why: everything after it, headings and links included, is shown as code.

Example: three backticks above an example and two below it.

Fix: close the fence.
"""

from __future__ import annotations

from collections.abc import Iterator

from docs_agent.lint.finding import ERROR
from docs_agent.lint.page import Page
from docs_agent.lint.rule import Hit, Rule
from docs_agent.lint.scope import Scope


def check(page: Page, scope: Scope) -> Iterator[Hit]:
    """Report the opening line."""
    for block in page.code_blocks:
        if not block.is_closed:
            yield Hit(page.line_span(block.span.line), "the block of code is not closed")


RULE = Rule("DOC212", "unclosed-fence", "A block of code is not closed", ERROR, check)
