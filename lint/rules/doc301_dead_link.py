"""A link to a file that does not exist

What it does: reports relative links, images aside, whose target is not in the project. Links inside
code are text. An address without an extension is looked for as `name.md` and `name/index.md` too,
beside the page and where sites with one folder per page serve it.

Why: readers of the site get "not found", and what the page relied on is not said anywhere.

Example: `[errors](../errors.md)` after `errors.md` was renamed.

Fix: correct the path. When the file exists in another letter case, DOC302 says so instead; when the
path leaves the project, DOC308 does.
"""

from __future__ import annotations

from collections.abc import Iterator

from docs_agent.lint.finding import ERROR
from docs_agent.lint.graph import Graph
from docs_agent.lint.rule import Hit, Rule


def check(graph: Graph) -> Iterator[tuple[str, Hit]]:
    """Report links whose target is nowhere."""
    for page, link, target in graph.dead_links:
        if not link.is_image:
            message = f"the link leads to `{target.path[:80]}`, which does not exist"
            yield page.path, Hit(link.span, message)


RULE = Rule("DOC301", "dead-link", "A link leads to a file that does not exist", ERROR, graph=check)
