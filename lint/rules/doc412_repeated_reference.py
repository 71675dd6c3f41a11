"""A value that stands twice in one list

What it does: reports the second of two equal values in `related_docs`, `entities`, `related_code`
and the other lists of references.

Why: one of the two was meant to be another name, or is left over from a merge.

Example: `entities: [Order, Order]`.

Fix: remove or correct one.
"""

from __future__ import annotations

from collections.abc import Iterator

from docs_agent.lint.facts import Ref
from docs_agent.lint.finding import WARNING, Place
from docs_agent.lint.graph import Graph
from docs_agent.lint.rule import Hit, Rule


def check(graph: Graph) -> Iterator[tuple[str, Hit]]:
    """Report every repetition."""
    for page in graph.pages:
        first: dict[tuple[str, str], Ref] = {}
        for ref in page.refs:
            above = first.setdefault((ref.key, ref.value), ref)
            if above is not ref:
                place = Place(page.path, above.span, "the first of them")
                message = f"`{ref.value[:80]}` stands in `{ref.key}` already"
                yield page.path, Hit(ref.span, message, related=(place,))


RULE = Rule(
    "DOC412", "repeated-reference", "A value stands twice in one list", WARNING, graph=check
)
