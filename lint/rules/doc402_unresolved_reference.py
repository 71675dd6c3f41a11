"""A reference to a document that does not exist

What it does: reports values of `related_docs`, `parent`, `children` and the relations in `links`
that are neither the id nor the path of a document.

Why: the relation leads nowhere: readers, search and the graph lose the neighbour.

Example: `related_docs: [api-order-create]` where the id is `api-orders-create`.

Fix: correct the id, or remove the reference.
"""

from __future__ import annotations

from collections.abc import Iterator

from docs_agent.lint.finding import ERROR
from docs_agent.lint.graph import Graph
from docs_agent.lint.rule import Hit, Rule

_NEAR = 80.0
"""Likeness, of 100, from which another id is suggested."""
_SEARCHED = 200
"""Findings that get a suggestion: each is compared with every id."""


def check(graph: Graph) -> Iterator[tuple[str, Hit]]:
    """Report each such value, with the id that may be meant."""
    searched = 0
    for page in graph.pages:
        for ref in page.refs:
            spec = graph.model.key(ref.key)
            if spec is None or spec.references != "documents" or graph.refers_to(page, ref.value):
                continue
            searched += 1
            near = _nearest(graph, ref.value) if searched <= _SEARCHED else ""
            message = f"`{ref.key}` names `{ref.value[:80]}`, which no document is called{near}"
            yield page.path, Hit(ref.span, message)


def _nearest(graph: Graph, value: str) -> str:
    from rapidfuzz import fuzz, process

    names = tuple(graph.by_id)
    found = process.extractOne(value[:200], names, scorer=fuzz.ratio, score_cutoff=_NEAR)
    return f"; `{found[0]}` is meant?" if found else ""


RULE = Rule(
    "DOC402", "unresolved-reference", "A reference leads to no document", ERROR, graph=check
)
