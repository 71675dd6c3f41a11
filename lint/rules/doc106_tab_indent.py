"""A tab that indents metadata

What it does: reports a tab in the indentation of a metadata block.

Why: YAML forbids it: the block is refused, or nested where nobody expects it.

Example: a list item below `tags:` that begins with a tab.

Fix: use spaces; `--fix` writes two for each tab where nothing else indents the line.
"""

from __future__ import annotations

from collections.abc import Iterator

from docs_agent.lint.finding import ERROR, Edit, Fix, Span
from docs_agent.lint.page import Page
from docs_agent.lint.rule import Hit, Rule
from docs_agent.lint.scope import Scope


def check(page: Page, scope: Scope) -> Iterator[Hit]:
    """Report every line of the block that a tab indents."""
    front = page.front
    if front.language != "yaml":
        return
    for number in range(front.start + 1, front.end):
        line = page.lines[number - 1]
        indent = line[: len(line) - len(line.lstrip())]
        if "\t" not in indent or not line.strip():
            continue
        span = Span(number, 1, number, len(indent) + 1)
        fix = None
        if not indent.strip("\t"):
            fix = Fix("use spaces", (Edit(span, "  " * len(indent)),))
        yield Hit(span, "a tab indents metadata, which YAML forbids", fix)


RULE = Rule("DOC106", "tab-indent", "A tab indents metadata", ERROR, check, fixable="safe")
