"""A section that the type requires

What it does: reports required sections that a document of a known type lacks, Summary aside. A
section is told by its meaning, in Russian or English.

Why: readers and the index look for what is said under that heading.

Example: a document whose parts stand beside Summary instead of inside Details.

Fix: add the section, or relax the type in `[model.types]`.
"""

from __future__ import annotations

from collections.abc import Iterator

from docs_agent.lint.finding import WARNING, Span
from docs_agent.lint.page import Page
from docs_agent.lint.rule import Hit, Rule
from docs_agent.lint.scope import Scope

SUMMARY = "summary"


def check(page: Page, scope: Scope) -> Iterator[Hit]:
    """Report each missing section at the H1."""
    if scope.type is None:
        return
    named = (scope.model.section_named(heading.text) for heading in page.headings)
    there = {section.name for section in named if section is not None}
    for name in scope.type.sections:
        section = scope.model.section(name)
        if name != SUMMARY and name not in there and section is not None:
            title = section.titles["en"]
            yield Hit(place(page), f"the section {title} is missing")


def place(page: Page) -> Span:
    """The first H1, or the beginning of the body."""
    first = next((heading.span for heading in page.headings if heading.level == 1), None)
    return first or Span(page.body_line, 1, page.body_line, 1)


RULE = Rule("DOC203", "missing-section", "A required section is missing", WARNING, check)
