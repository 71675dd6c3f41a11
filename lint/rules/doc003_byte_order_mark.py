"""A byte order mark at the beginning of a file

What it does: reports the invisible mark U+FEFF before the first character.

Why: UTF-8 has no byte order. Site generators take the mark for text, so that `---` does not open a
metadata block and `# Title` is no heading.

Example: a file saved by an old editor as "UTF-8 with BOM".

Fix: `--fix` removes the mark.
"""

from __future__ import annotations

from collections.abc import Iterator

from docs_agent.lint.finding import WARNING, Edit, Fix, Span
from docs_agent.lint.page import Page
from docs_agent.lint.rule import Hit, Rule
from docs_agent.lint.scope import Scope


def check(page: Page, scope: Scope) -> Iterator[Hit]:
    """Report the mark at the beginning of the file."""
    if page.has_bom:
        fix = Fix("remove the byte order mark", (Edit(Span(1, 0, 1, 1), ""),))
        yield Hit(Span(1, 1, 1, 1), "the file begins with a byte order mark", fix)


RULE = Rule(
    "DOC003",
    "byte-order-mark",
    "The file begins with a byte order mark",
    WARNING,
    check,
    fixable="safe",
)
