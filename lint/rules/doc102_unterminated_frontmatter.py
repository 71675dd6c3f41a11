"""A metadata block that does not end

What it does: reports a block that begins with `---` and has no closing `---`.

Why: readers of YAML take the whole document for metadata, or none of it.

Example: `---`, `title: Limits`, and then `# Limits`.

Fix: add the line `---`. `--fix` does it where the block is followed by a blank line or a heading,
so that its end is certain.
"""

from __future__ import annotations

from collections.abc import Iterator

from docs_agent.lint.finding import ERROR, Edit, Fix, Span
from docs_agent.lint.page import Page
from docs_agent.lint.rule import Hit, Rule
from docs_agent.lint.scope import Scope

_CODE = "frontmatter-unterminated"


def check(page: Page, scope: Scope) -> Iterator[Hit]:
    """Report the opening line."""
    front = page.front
    for fault in front.faults:
        if fault.code != _CODE:
            continue
        after = page.lines[front.end] if front.end < len(page.lines) else ""
        fix = None
        if not after.strip() or after.startswith("#"):
            column = len(page.lines[front.end - 1]) + 1
            place = Span(front.end, column, front.end, column)
            fix = Fix("add the line `---`", (Edit(place, "\n---"),))
        message = f"the metadata have no closing `---`; they seem to end with line {front.end}"
        yield Hit(fault.span, message, fix)


RULE = Rule(
    "DOC102",
    "unterminated-frontmatter",
    "A metadata block has no closing line",
    ERROR,
    check,
    fixable="safe",
)
