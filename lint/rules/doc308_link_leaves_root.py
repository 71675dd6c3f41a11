"""A link that leaves the project

What it does: reports relative paths that lead above the project root. Pages of a repository's site
(`../../issues`) are left alone.

Why: it works on the author's disk at most.

Example: `[notes](../../../notes/plan.md)`.

Fix: link to something inside the project, or to an address.
"""

from __future__ import annotations

from collections.abc import Iterator

from docs_agent.lint.finding import WARNING
from docs_agent.lint.graph import Graph
from docs_agent.lint.rule import Hit, Rule
from docs_agent.lint.targets import leaves_root, target_of

_SITE = (
    "actions", "blob", "commit", "compare", "discussions", "issues", "pull", "pulls", "releases",
    "security", "tags", "tree", "wiki", "-",
)  # fmt: skip
"""What follows a repository's name in addresses of its site."""


def check(graph: Graph) -> Iterator[tuple[str, Hit]]:
    """Report links that lead above the root."""
    for page in graph.pages:
        for link in page.links:
            path = target_of(link.target).path
            if path and leaves_root(path, page.path) and not _is_site(path):
                message = f"the link `{path[:80]}` leaves the project"
                yield page.path, Hit(link.span, message)


def _is_site(path: str) -> bool:
    names = [part for part in path.split("/") if part not in ("", ".", "..")]
    return bool(names) and names[0] in _SITE


RULE = Rule("DOC308", "link-leaves-root", "A link leaves the project", WARNING, graph=check)
