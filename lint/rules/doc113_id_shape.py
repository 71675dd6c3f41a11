"""An id that is hard to refer to

What it does: reports ids with other characters than Latin letters, digits, `.`, `_` and `-`, or
that begin with one of the signs.

Why: ids stand in lists, addresses and commands; blanks, slashes and letters that look like others
break there.

Example: `id: api orders/create`.

Fix: choose an id of those characters, and correct what refers to it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from docs_agent.lint.finding import ERROR
from docs_agent.lint.page import Page
from docs_agent.lint.rule import Hit, Rule
from docs_agent.lint.scope import Scope

_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")


def check(page: Page, scope: Scope) -> Iterator[Hit]:
    """Report the id."""
    key = page.front.key("id") if scope.is_modelled else None
    text = key.value.text if key else None
    if key and text and not _ID.fullmatch(text.strip()):
        message = f"the id `{text[:80]}` holds more than Latin letters, digits, `.`, `_` and `-`"
        yield Hit(key.value.span, message)


RULE = Rule("DOC113", "id-shape", "An id holds characters that break elsewhere", ERROR, check)
