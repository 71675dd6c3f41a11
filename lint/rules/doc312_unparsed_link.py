"""Text that was meant as a link

What it does: reports `[text] (page.md)`, with a blank between the brackets, and
`[text](two words.md)`, whose target holds a blank: Markdown takes both for text.

Why: readers see brackets instead of a link, and no other rule looks at the target.

Example: `See [the guide](user guide.md).`

Fix: remove the blank, or put the target into `<…>`. `--fix --unsafe-fixes` does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from docs_agent.lint.finding import WARNING, Edit, Fix, Span
from docs_agent.lint.page import Page
from docs_agent.lint.rule import Hit, Rule
from docs_agent.lint.scope import Scope

_TEXT = r"(?<!\])\[[^\[\]]{1,200}\]"
_FRAGMENT = r"(?:#[^()\s]*)?"
_APART = re.compile(
    _TEXT + r"([ ]{1,3})\((?:\.{0,2}/)?[^()\s]{1,200}\.(?:md|mdx|html?)" + _FRAGMENT + r"\)"
)
_BLANKS = re.compile(_TEXT + r"\(([^()<>\"'\s][^()<>\"'\n]{0,200}\.(?:md|mdx)" + _FRAGMENT + r")\)")


def check(page: Page, scope: Scope) -> Iterator[Hit]:
    """Report such text outside of code."""
    for number, line in page.prose:
        if "](" not in line and "] " not in line:
            continue
        for found in _APART.finditer(line):
            blank = Span(number, found.start(1) + 1, number, found.end(1) + 1)
            fix = Fix("remove the blank", (Edit(blank, ""),), safe=False)
            span = Span(number, found.start() + 1, number, found.end() + 1)
            yield Hit(span, "a blank between `]` and `(` keeps this from being a link", fix)
        for found in _BLANKS.finditer(line):
            if " " not in found[1]:
                continue
            place = Span(number, found.start(1) + 1, number, found.end(1) + 1)
            fix = Fix("put the target into `<…>`", (Edit(place, f"<{found[1]}>"),), safe=False)
            message = f"the blank in `{found[1][:80]}` keeps this from being a link"
            yield Hit(place, message, fix)


RULE = Rule("DOC312", "unparsed-link", "Text was meant as a link", WARNING, check, fixable="unsafe")
