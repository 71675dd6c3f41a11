"""A metadata value that is none of those allowed

What it does: reports values of keys with a fixed set: `doc_type`, `status`, `source_of_truth`, and
what the project adds.

Why: filters and routes go by these values; another word takes the document out of all of them.

Example: `status: done`.

Fix: use one of the values in the message, or extend the model in the configuration.
"""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches

from docs_agent.lint.finding import ERROR
from docs_agent.lint.model_keys import known_keys
from docs_agent.lint.page import Page
from docs_agent.lint.rule import Hit, Rule
from docs_agent.lint.scope import Scope


def check(page: Page, scope: Scope) -> Iterator[Hit]:
    """Report each value that its key does not allow."""
    if not scope.is_modelled:
        return
    for spec, key in known_keys(scope):
        if not spec.values:
            continue
        for value in key.value.texts:
            text = (value.text or "").strip()
            if text not in spec.values:
                yield Hit(
                    value.span, f"`{spec.name}` is `{text[:80]}`; {_remedy(text, spec.values)}"
                )


def _remedy(text: str, values: tuple[str, ...]) -> str:
    near = get_close_matches(text.casefold().replace("-", "_")[:80], values, n=1)
    return f"`{near[0]}` is meant?" if near else f"allowed are {', '.join(values)}"


RULE = Rule("DOC111", "unknown-value", "A metadata value is none of those allowed", ERROR, check)
