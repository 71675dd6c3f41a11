"""A Summary that is no summary any more

What it does: reports a Summary of more lines than `lint.summary_lines` allows (60), blank ones not
counted.

Why: it is meant to be read at a glance; what explains belongs into Details.

Example: a Summary that holds the contract.

Fix: move what explains into Details.
"""

from __future__ import annotations

from collections.abc import Iterator

from docs_agent.lint.finding import WARNING
from docs_agent.lint.page import Page
from docs_agent.lint.rule import Hit, Rule
from docs_agent.lint.scope import Scope


def check(page: Page, scope: Scope) -> Iterator[Hit]:
    """Report the heading of the Summary."""
    if not scope.is_modelled:
        return
    most = scope.config.summary_lines
    for section in page.sections:
        meaning = scope.model.section_named(section.heading.text) if section.heading else None
        if section.heading is None or meaning is None or meaning.name != "summary":
            continue
        lines = sum(1 for line in page.lines[section.start : section.deep_end] if line.strip())
        if lines > most:
            yield Hit(section.heading.span, f"the Summary has {lines} lines; {most} are allowed")


RULE = Rule("DOC205", "long-summary", "The Summary is too long", WARNING, check)
