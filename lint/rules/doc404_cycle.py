"""Documents that are above each other in a circle

What it does: follows `parent` from every document and reports each circle once, at its first
document in the order of paths.

Why: a tree is built from parents; documents in a circle are in no tree.

Example: `a` has the parent `b`, `b` the parent `a`.

Fix: decide which of them is above.
"""

from __future__ import annotations

from collections.abc import Iterator

from docs_agent.lint.facts import Facts
from docs_agent.lint.finding import ERROR
from docs_agent.lint.graph import Graph
from docs_agent.lint.rule import Hit, Rule


def check(graph: Graph) -> Iterator[tuple[str, Hit]]:
    """Report each circle of two or more documents."""
    seen: set[str] = set()
    for page in graph.pages:
        way: list[Facts] = []
        places: dict[str, int] = {}
        at: Facts | None = page
        while at is not None and at.path not in seen and at.path not in places:
            places[at.path] = len(way)
            way.append(at)
            at = graph.page_of(at.value("parent"))
        if at is not None and len(circle := way[places.get(at.path, len(way)) :]) > 1:
            yield _hit(circle)
        seen.update(places)


def _hit(circle: list[Facts]) -> tuple[str, Hit]:
    first = min(range(len(circle)), key=lambda index: circle[index].path)
    ordered = (*circle[first:], *circle[:first])
    names = " → ".join(page.value("id") or page.path for page in (*ordered[:8], ordered[0]))
    key = ordered[0].key("parent")
    assert key is not None
    return ordered[0].path, Hit(key.span, f"the parents go in a circle: {names}")


RULE = Rule("DOC404", "cycle", "Parents of documents go in a circle", ERROR, graph=check)
