"""A document without exactly one H1

What it does: reports a document of the model without an H1 or with several. The form `# Summary`
and `# Details`, both of the first level, is accepted.

Why: the H1 is the name readers and search show.

Example: two pages joined into one file, each with its `# Title`.

Fix: keep one H1 and make the others H2.
"""

from __future__ import annotations

from collections.abc import Iterator

from docs_agent.lint.finding import WARNING, Span
from docs_agent.lint.page import Page
from docs_agent.lint.rule import Hit, Rule
from docs_agent.lint.scope import Scope


def check(page: Page, scope: Scope) -> Iterator[Hit]:
    """Report the second H1, or the beginning of the body when there is none."""
    if not scope.is_modelled or not any(line.strip() for line in page.lines[page.body_line - 1 :]):
        return
    heads = [heading for heading in page.headings if heading.level == 1]
    named = [scope.model.section_named(heading.text) for heading in heads]
    if heads and all(section is not None for section in named):
        return
    if not heads:
        yield Hit(Span(page.body_line, 1, page.body_line, 1), "the document has no H1")
    elif len(heads) > 1:
        message = f"the document has {len(heads)} H1; the first stands on line {heads[0].span.line}"
        yield Hit(heads[1].span, message)


RULE = Rule("DOC201", "single-h1", "A document has not exactly one H1", WARNING, check)
