"""Metadata that are no valid YAML

What it does: reports the line of a metadata block that YAML cannot read, and what is wrong with it.

Why: site generators refuse the page or leave its metadata out. This tool reads the other keys,
which hides the fault until something else reads them.

Example: `title: Errors: what clients do` – a colon and a blank inside an unquoted value.

Fix: quote the value. `--fix` does it for values that hold a colon and no quotes.
"""

from __future__ import annotations

from collections.abc import Iterator

from docs_agent.lint.finding import ERROR, Edit, Fix, Span
from docs_agent.lint.page import Page
from docs_agent.lint.rule import Hit, Rule
from docs_agent.lint.scope import Scope
from docs_agent.lint.yaml_text import quoted

_INVALID = "frontmatter-invalid"
_COLON = "frontmatter-colon"


def check(page: Page, scope: Scope) -> Iterator[Hit]:
    """Report every line that cannot be read."""
    for fault in page.front.faults:
        if fault.code == _COLON:
            yield _colon(page, fault.span.line)
        elif fault.code == _INVALID:
            yield Hit(fault.span, fault.message)


def _colon(page: Page, line: int) -> Hit:
    text = page.lines[line - 1]
    key, _, rest = text.partition(":")
    value = rest.strip()
    start = len(key) + 1 + len(rest) - len(rest.lstrip()) + 1
    span = Span(line, start, line, start + len(value))
    message = f"the value of `{key.strip()[:80]}` holds an unquoted `: `, which YAML refuses"
    # With quotes or a comment in it, what was meant is for people to say.
    is_certain = not any(mark in value for mark in "\"'\\\\") and " #" not in value
    fix = Fix("quote the value", (Edit(span, quoted(value)),)) if is_certain else None
    return Hit(span, message, fix)


RULE = Rule("DOC104", "invalid-yaml", "Metadata are no valid YAML", ERROR, check, fixable="safe")
