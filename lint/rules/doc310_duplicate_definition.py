"""A link definition that is given twice

What it does: reports the second of two definitions of one label; letter case and blanks of labels
do not count.

Why: the first one counts, and the second looks as if it did.

Example: `[api]: api.md` and further down `[API]: api/v2.md`.

Fix: remove one, or give it another label.
"""

from __future__ import annotations

from collections.abc import Iterator

from docs_agent.lint.finding import WARNING, Place
from docs_agent.lint.labels import label_form
from docs_agent.lint.page import Definition, Page
from docs_agent.lint.rule import Hit, Rule
from docs_agent.lint.scope import Scope

_COMMENTS = ("//", "comment", "#", "_")


def check(page: Page, scope: Scope) -> Iterator[Hit]:
    """Report definitions whose label is defined above."""
    first: dict[str, Definition] = {}
    for found in page.definitions:
        form = label_form(found.label)
        if found.target == "#" or form in _COMMENTS:
            continue
        above = first.setdefault(form, found)
        if above is not found:
            place = Place(page.path, above.span, "the definition that counts")
            message = f"`[{found.label[:80]}]` is defined above; this one does not count"
            yield Hit(found.span, message, related=(place,))


RULE = Rule("DOC310", "duplicate-definition", "A link definition is given twice", WARNING, check)
