"""A document that refers to itself

What it does: reports relations of a document to its own id or path.

Why: it says nothing, and walks over the graph have to step around it.

Example: `related_docs` copied from a neighbour, which named this document.

Fix: remove the value.
"""

from __future__ import annotations

from collections.abc import Iterator

from docs_agent.lint.finding import WARNING
from docs_agent.lint.graph import Graph
from docs_agent.lint.rule import Hit, Rule


def check(graph: Graph) -> Iterator[tuple[str, Hit]]:
    """Report each such value."""
    for page in graph.pages:
        for ref in page.refs:
            spec = graph.model.key(ref.key)
            is_document = spec is not None and spec.references == "documents"
            if is_document and graph.page_of(ref.value) is page:
                yield page.path, Hit(ref.span, f"`{ref.key}` names the document itself")


RULE = Rule("DOC411", "self-reference", "A document refers to itself", WARNING, graph=check)
