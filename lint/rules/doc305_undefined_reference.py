"""A reference link without its definition

What it does: reports `[text][label]` and `[label][]` for which the page has no line
`[label]: target`. Indexes of arrays and other brackets that are no links are left alone.

Why: the brackets are shown as text and the link is gone.

Example: `[the guide][guide]` after `[guide]: guide.md` was removed.

Fix: add the definition, or write the target into the link.
"""

from __future__ import annotations

from collections.abc import Iterator

from docs_agent.lint.finding import ERROR
from docs_agent.lint.page import Page
from docs_agent.lint.rule import Hit, Rule
from docs_agent.lint.scope import Scope

_TOO_SHORT = 2


def check(page: Page, scope: Scope) -> Iterator[Hit]:
    """Report references whose label looks meant."""
    for found in page.undefined:
        line = page.lines[found.span.line - 1]
        before = line[: found.span.column - 1][-1:]
        label = found.label.strip()
        if before.isalnum() or before in ("]", ")", "_", "`", "\\"):
            continue
        if len(label) <= _TOO_SHORT or label[0] in "^!:-" or not _is_words(label):
            continue
        yield Hit(found.span, f"the page defines no `[{label[:80]}]`")


def _is_words(label: str) -> bool:
    """Whether a label is made of words: not of numbers, code or signs."""
    return any(char.isalpha() for char in label) and not any(char in "(){}=<>$|;" for char in label)


RULE = Rule(
    "DOC305", "undefined-reference", "A reference link has no definition", ERROR, page=check
)
