"""A document without a Summary

What it does: reports documents of a known type that requires a Summary and have none.

Why: the Summary is what answers quote first and what readers decide by whether to go on.

Example: an `api_method` that begins with its contract.

Fix: add `## Summary` with a line for each fact.
"""

from __future__ import annotations

from collections.abc import Iterator

from docs_agent.lint.finding import WARNING
from docs_agent.lint.page import Page
from docs_agent.lint.rule import Hit, Rule
from docs_agent.lint.rules.doc203_missing_section import SUMMARY, place
from docs_agent.lint.scope import Scope


def check(page: Page, scope: Scope) -> Iterator[Hit]:
    """Report the H1."""
    if scope.type is None or SUMMARY not in scope.type.sections:
        return
    named = (scope.model.section_named(heading.text) for heading in page.headings)
    if not any(section is not None and section.name == SUMMARY for section in named):
        yield Hit(place(page), "the document has no Summary")


RULE = Rule("DOC204", "missing-summary", "A document has no Summary", WARNING, check)
