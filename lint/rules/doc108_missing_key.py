"""A metadata key that must be there

What it does: reports keys that the type of the document requires and that are missing or empty.
Documents of a type that the model does not know are asked for the keys of all types.

Why: without an id a document cannot be referred to, without type and status it cannot be found as
what it is.

Example: an `api_method` without `sub_domain`.

Fix: add the key. `--fix` adds `title` where the document has exactly one H1.
"""

from __future__ import annotations

from collections.abc import Iterator

from docs_agent.lint.finding import ERROR, Edit, Fix, Span
from docs_agent.lint.model_keys import block_line, is_empty, required_keys
from docs_agent.lint.page import Page
from docs_agent.lint.rule import Hit, Rule
from docs_agent.lint.scope import Scope
from docs_agent.lint.yaml_text import written


def check(page: Page, scope: Scope) -> Iterator[Hit]:
    """Report each missing key at the opening line, each empty one where it stands."""
    if not scope.is_modelled or not page.front.start:
        return
    for name in required_keys(scope):
        key = page.front.key(name)
        spec = scope.model.key(name)
        if key is None:
            fix = _title(page) if name == "title" else None
            yield Hit(block_line(scope), f"the key `{name}` is missing", fix)
        elif spec is not None and spec.kind in ("id", "text") and is_empty(key.value):
            yield Hit(key.span, f"the key `{name}` has no value")


def _title(page: Page) -> Fix | None:
    """`title` from the only H1, below `id` or first in the block."""
    titles = [heading.text for heading in page.headings if heading.level == 1]
    front = page.front
    if len(titles) != 1 or not titles[0] or front.state != "read" or front.language != "yaml":
        return None
    beside = front.key("id")
    line = beside.value.span.end_line if beside and beside.value.text else front.start
    end = len(page.lines[line - 1]) + 1
    text = f"\ntitle: {written(titles[0])}"
    return Fix("add `title` from the H1", (Edit(Span(line, end, line, end), text),))


RULE = Rule(
    "DOC108", "missing-key", "A required metadata key is missing", ERROR, check, fixable="safe"
)
