"""Characters that cannot be seen and change what is read

What it does: reports control characters, marks that turn the direction of text, and spaces without
width, once per line. Joiners that scripts and emoji need are no fault.

Why: text that looks the same is found differently, copied commands fail, and what is shown may not
be what is there.

Example: a zero-width space inside `api_key`, copied from a chat.

Fix: remove them. `--fix` removes those without width; what to do with the others is for people.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from docs_agent.lint.finding import Edit, Fix, Span
from docs_agent.lint.page import Page
from docs_agent.lint.rule import Hit, Rule
from docs_agent.lint.scope import Scope

_FOUND = re.compile(
    "[\\x00-\\x08\\x0b\\x0e-\\x1f\\x7f-\\x9f\\u061c\\u200b\\u200e\\u200f\\u202a-\\u202e"
    "\\u2060\\u2066-\\u2069\\ufeff]"
)
_WITHOUT_WIDTH = "\u200b\u2060\ufeff"


def check(page: Page, scope: Scope) -> Iterator[Hit]:
    """Report the first such character of each line."""
    for number, line in enumerate(page.lines, 1):
        found = None if line.isascii() and line.isprintable() else _FOUND.search(line)
        if found:
            yield _hit(number, line, found.start())


def _hit(number: int, line: str, at: int) -> Hit:
    chars = _FOUND.findall(line)
    edits = tuple(
        Edit(Span(number, place.start() + 1, number, place.end() + 1), "")
        for place in _FOUND.finditer(line)
        if place.group() in _WITHOUT_WIDTH
    )
    more = f" and {len(chars) - 1} more on this line" if len(chars) > 1 else ""
    message = f"the character U+{ord(line[at]):04X} cannot be seen{more}"
    fix = Fix("remove what has no width", edits) if len(edits) == len(chars) else None
    return Hit(Span(number, at + 1, number, at + 2), message, fix)


RULE = Rule(
    "DOC006",
    "control-characters",
    "A line holds characters that cannot be seen",
    page=check,
    fixable="safe",
)
