"""A document without metadata among documents that have them

What it does: reports a document without a metadata block where the other documents of its folder
follow the document model (at least three, and most of them), or where the configuration says that
it must. Pages called `README` or `index` are left alone unless the configuration says so.

Why: the document has no id to be referred to, no type, no status, and rules about these cannot
help it.

Example: `docs/api/refund.md` that begins with `# Refund`, beside ten documents with metadata.

Fix: add the block; `docs-agent new` shows what belongs into it.
"""

from __future__ import annotations

import posixpath
from collections import Counter
from collections.abc import Iterator

from docs_agent.lint.finding import ERROR, Span
from docs_agent.lint.graph import Graph
from docs_agent.lint.rule import Hit, Rule

_LEAST = 3
_SHARE = 0.6
_OPENING_PAGES = ("readme", "index", "_index")


def check(graph: Graph) -> Iterator[tuple[str, Hit]]:
    """Report pages without metadata."""
    folders = [posixpath.dirname(page.path) for page in graph.pages]
    all_pages = Counter(folders)
    modelled = Counter(
        folder
        for folder, page in zip(folders, graph.pages, strict=True)
        if page.is_modelled and page.front_state
    )
    for folder, page in zip(folders, graph.pages, strict=True):
        if page.front_state:
            continue
        others = modelled[folder]
        is_odd = others >= _LEAST and others > _SHARE * (all_pages[folder] - 1)
        if page.is_modelled:
            yield page.path, Hit(Span(1, 1, 1, 1), "the document has no metadata")
        elif is_odd and _stem(page.path) not in _OPENING_PAGES:
            message = f"the document has no metadata; {others} others of its folder have"
            yield page.path, Hit(Span(1, 1, 1, 1), message)


def _stem(path: str) -> str:
    return posixpath.splitext(posixpath.basename(path))[0].casefold()


RULE = Rule("DOC101", "missing-frontmatter", "A document has no metadata", ERROR, graph=check)
