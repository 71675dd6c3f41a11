"""A reference to an outdated document

What it does: reports relations and links to a document whose status is `outdated`, unless the
document that refers is outdated itself.

Why: readers are sent to what no longer holds.

Example: `related_docs: [api-orders-v1]` after that document was marked `outdated`.

Fix: refer to the document that replaced it.
"""

from __future__ import annotations

from collections.abc import Iterator

from docs_agent.lint.facts import Facts
from docs_agent.lint.graph import Graph
from docs_agent.lint.rule import Hit, Rule

_OUTDATED = "outdated"


def check(graph: Graph) -> Iterator[tuple[str, Hit]]:
    """Report references and links."""
    for page in graph.pages:
        if _is_outdated(page):
            continue
        for ref in page.refs:
            spec = graph.model.key(ref.key)
            target = graph.page_of(ref.value)
            if spec and spec.references == "documents" and target and _is_outdated(target):
                message = f"`{ref.key}` names `{ref.value[:80]}`, which is outdated"
                yield page.path, Hit(ref.span, message)
        for link in page.links:
            path = graph.resolve(page, link)[0]
            beside = graph.by_path.get(path)
            if beside is not None and beside is not page and _is_outdated(beside):
                yield page.path, Hit(link.span, f"the link leads to `{path}`, which is outdated")


def _is_outdated(page: Facts) -> bool:
    return page.is_modelled and page.value("status") == _OUTDATED


RULE = Rule("DOC409", "link-to-outdated", "A reference leads to an outdated document", graph=check)
