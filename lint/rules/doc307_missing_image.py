"""An image that does not exist

What it does: reports images, in Markdown or HTML, whose file is not in the project. Images of other
sites are not asked for.

Why: readers see a broken picture, or nothing.

Example: `![schema](img/schema.png)` with no such file.

Fix: add the file, or correct the path.
"""

from __future__ import annotations

from collections.abc import Iterator

from docs_agent.lint.finding import ERROR
from docs_agent.lint.graph import Graph
from docs_agent.lint.rule import Hit, Rule


def check(graph: Graph) -> Iterator[tuple[str, Hit]]:
    """Report images whose file is nowhere."""
    for page, link, target in graph.dead_links:
        if link.is_image:
            yield page.path, Hit(link.span, f"the image `{target.path[:80]}` does not exist")


RULE = Rule("DOC307", "missing-image", "An image does not exist", ERROR, graph=check)
