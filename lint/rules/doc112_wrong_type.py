"""A metadata value of the wrong kind

What it does: reports a list where one text belongs, a mapping inside a list of texts, and texts
where a number, a date, true or false belongs.

Why: readers of the key expect the kind; the value is left out or taken for its text.

Example: `timeout_ms: fast`, `owner: [a, b]`.

Fix: write the value as the message says.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from docs_agent.lint.finding import ERROR
from docs_agent.lint.front import Value
from docs_agent.lint.model_keys import is_empty, known_keys
from docs_agent.lint.page import Page
from docs_agent.lint.rule import Hit, Rule
from docs_agent.lint.scope import Scope

_NUMBER = re.compile(r"[-+]?\d+(?:[.,]\d+)?")
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}(?:[Tt ].*)?")


def check(page: Page, scope: Scope) -> Iterator[Hit]:
    """Report each value of another kind than its key's."""
    if not scope.is_modelled:
        return
    for spec, key in known_keys(scope):
        wanted = "" if is_empty(key.value) else _wanted(spec.kind, key.value)
        if wanted:
            yield Hit(key.value.span, f"`{spec.name}` must be {wanted}")


def _wanted(kind: str, value: Value) -> str:
    """What should stand there; empty when it does."""
    text = value.text
    if kind == "texts":
        is_list = text is not None or (value.style in ("-", "[") and _holds_texts(value))
        return "" if is_list else "a list of texts"
    if kind == "mapping":
        return "a mapping" if text is not None or value.items else ""
    if kind in ("any", "endpoint"):
        return ""
    if text is None:
        return "one value, not a list or mapping"
    if kind == "number":
        return "" if _NUMBER.fullmatch(text) else "a number"
    if kind == "flag":
        return "" if text.casefold() in ("true", "false") else "true or false"
    if kind == "date":
        return "" if _DATE.fullmatch(text) else "a date written as 2026-01-31"
    return ""


def _holds_texts(value: Value) -> bool:
    return all(item.text is not None for item in value.items)


RULE = Rule("DOC112", "wrong-type", "A metadata value is of the wrong kind", ERROR, check)
