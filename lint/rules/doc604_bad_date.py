"""A date that cannot be

What it does: reports `updated_at`, `created_at` and other dates of the metadata that are no day of
the calendar, and those in the future.

Why: whoever sorts or filters by the date gets the document in the wrong place, or an error.

Example: `updated_at: 2026-02-30`.

Fix: correct the date.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterator

from docs_agent.lint.finding import ERROR
from docs_agent.lint.graph import Graph
from docs_agent.lint.rule import Hit, Rule


def check(graph: Graph) -> Iterator[tuple[str, Hit]]:
    """Report each such date; one of another form is DOC112's."""
    for page in graph.pages:
        for key in page.keys if page.is_modelled else ():
            spec = graph.model.key(key.name)
            if spec is None or spec.kind != "date" or key.value[4:5] != "-":
                continue
            try:
                day = datetime.date.fromisoformat(key.value[:10])
            except ValueError:
                yield page.path, Hit(key.span, f"`{key.value[:40]}` is no day of the calendar")
                continue
            if day > graph.today:
                yield page.path, Hit(key.span, f"`{key.value[:40]}` is in the future")


RULE = Rule("DOC604", "bad-date", "A date of the metadata cannot be", ERROR, graph=check)
