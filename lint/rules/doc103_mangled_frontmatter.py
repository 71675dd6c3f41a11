"""A metadata block that a formatter rewrote

What it does: recognises a block whose `key: value` lines a Markdown formatter took for a heading,
paragraphs and lists: `## id: orders`, escaped `related\\_docs`, blank lines between keys.

Why: nothing reads it as metadata any more, and the page shows it as text.

Example: `---`, an empty line, `## id: arch-overview`, `title: Overview`, with no closing `---`.

Fix: `--fix` writes the block as it was: keys and values in their order, between two lines `---`.
It does so only when the result reads equal to what stands there. Then exclude the metadata from
the formatter.
"""

from __future__ import annotations

from collections.abc import Iterator

from docs_agent.lint.finding import ERROR, Edit, Fix, Span
from docs_agent.lint.mangled import restored
from docs_agent.lint.page import Page
from docs_agent.lint.rule import Hit, Rule
from docs_agent.lint.scope import Scope

_CODE = "frontmatter-mangled"


def check(page: Page, scope: Scope) -> Iterator[Hit]:
    """Report the block at its first key."""
    front = page.front
    for fault in front.faults:
        if fault.code != _CODE:
            continue
        text = restored(page)
        fix = None
        if text:
            last = len(page.lines[front.end - 1]) + 1
            place = Span(front.start, 1, front.end, last)
            fix = Fix("restore the metadata between two lines `---`", (Edit(place, text),))
        count = len(front.keys)
        message = f"a formatter rewrote the metadata; {count} keys can be read"
        yield Hit(fault.span, message, fix)


RULE = Rule(
    "DOC103",
    "mangled-frontmatter",
    "A formatter rewrote the metadata",
    ERROR,
    check,
    fixable="safe",
)
