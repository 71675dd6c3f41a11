"""Two documents with one id

What it does: reports every document whose id another one, earlier in the order of paths, has.

Why: whatever refers to the id leads to one of the two, and nobody chose which.

Example: a page copied as a template, its `id` left as it was.

Fix: give the newer document an id of its own.
"""

from __future__ import annotations

from collections.abc import Iterator

from docs_agent.lint.finding import ERROR, Place
from docs_agent.lint.graph import Graph
from docs_agent.lint.rule import Hit, Rule


def check(graph: Graph) -> Iterator[tuple[str, Hit]]:
    """Report all but the first of the documents that share an id."""
    for name, pages in graph.by_id.items():
        first = pages[0].key("id")
        for page in pages[1:]:
            key = page.key("id")
            if key is None or first is None:
                continue
            place = Place(pages[0].path, first.span, "the other document")
            message = f"the id `{name[:80]}` is that of `{pages[0].path}` already"
            yield page.path, Hit(key.span, message, related=(place,))


RULE = Rule("DOC401", "duplicate-id", "Two documents have one id", ERROR, graph=check)
