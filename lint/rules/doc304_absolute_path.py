"""A link that begins with a slash

What it does: reports links with an absolute path that leads to a document or file. Off by default:
some sites want them so.

Why: GitHub takes such a path from the top of the repository, sites from their own address; a site
that moves below a folder breaks them.

Example: `[api](/docs/api.md)`.

Fix: write the path relative to the page.
"""

from __future__ import annotations

from collections.abc import Iterator

from docs_agent.lint.finding import WARNING
from docs_agent.lint.graph import Graph
from docs_agent.lint.rule import Hit, Rule


def check(graph: Graph) -> Iterator[tuple[str, Hit]]:
    """Report absolute links that lead somewhere; dead ones are DOC301's."""
    for page in graph.pages:
        for link in page.links:
            if link.target.startswith("/") and graph.resolve(page, link)[0]:
                message = f"the path `{link.target[:80]}` breaks when the site moves"
                yield page.path, Hit(link.span, message)


RULE = Rule(
    "DOC304", "absolute-path", "A link begins with a slash", WARNING, graph=check, default=False
)
