"""A metadata value that a comment cuts

What it does: reports unquoted values in which ` #` begins a comment although a word follows the
sign at once: `Error #404 explained`.

Why: readers of YAML keep `Error` alone.

Example: `title: Fix for issue #12`.

Fix: quote the value; `--fix --unsafe-fixes` does. A comment that is meant has a blank after `#`.
"""

from __future__ import annotations

from collections.abc import Iterator

from docs_agent.lint.finding import WARNING, Edit, Fix, Span
from docs_agent.lint.page import Page
from docs_agent.lint.rule import Hit, Rule
from docs_agent.lint.scope import Scope
from docs_agent.lint.yaml_text import quoted


def check(page: Page, scope: Scope) -> Iterator[Hit]:
    """Report the place where the value ends."""
    for fault in page.front.faults:
        if fault.code == "frontmatter-comment" and fault.key:
            yield Hit(fault.span, fault.message, _fix(page, fault.span, fault.key))


def _fix(page: Page, span: Span, name: str) -> Fix | None:
    """Quotes around all of the line's value."""
    line = page.lines[span.line - 1]
    keys = [key for key in page.front.keys if key.name == name]
    values = [v for key in keys for v in (key.value, *key.value.items) if v.text is not None]
    value = next((v for v in values if v.span.line == span.line), None)
    if value is None or value.style:
        return None
    whole = (
        line[value.span.column - 1 :].rstrip() if value.text else line[span.column - 1 :].rstrip()
    )
    start = value.span.column if value.text else span.column
    place = Span(span.line, start, span.line, start + len(whole))
    return Fix("quote the value", (Edit(place, quoted(whole)),), safe=False)


RULE = Rule(
    "DOC117", "cut-value", "A comment cuts a metadata value", WARNING, check, fixable="unsafe"
)
