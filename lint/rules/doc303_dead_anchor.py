"""A link to a heading that does not exist

What it does: reports fragments of links (`page.md#fragment`, `#fragment`) for which the document
has neither a heading nor an HTML anchor. Renderers make different anchors of one heading: without
configuration a fragment is dead when it is in all of them; `lint.anchors` names those in which it
must work.

Why: the reader lands at the top of a long page and looks for what was promised.

Example: `[limits](api.md#rate-limits)` after the heading became "Limits".

Fix: correct the fragment, or give the heading an explicit id where the renderer has them.
"""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches

from docs_agent.core.lint_config import ANCHOR_STYLES
from docs_agent.lint.anchors import fragment_matches, is_line_fragment
from docs_agent.lint.facts import Facts
from docs_agent.lint.finding import ERROR
from docs_agent.lint.graph import Graph
from docs_agent.lint.rule import Hit, Rule

_FOOTNOTE = ("fn:", "fnref:", "fn-", "fnref-")
_SUGGESTED = 2000
"""Anchors of a page that are searched for the one that was meant."""


def check(graph: Graph) -> Iterator[tuple[str, Hit]]:
    """Report dead fragments."""
    for page in graph.pages:
        required = graph.anchor_styles(page.path)
        for link in page.links:
            if "#" not in link.target or link.is_image:
                continue
            path, target = graph.resolve(page, link)
            beside = graph.by_path.get(path)
            if beside is None or not target.fragment or _is_other(target.fragment):
                continue
            dead = _dead_in(graph, beside, target.fragment, required or ANCHOR_STYLES)
            if dead if required else len(dead) == len(ANCHOR_STYLES):
                where = f" in {', '.join(dead)}" if required else ""
                near = _near(graph, beside, target.fragment, dead[0])
                name = "this page" if beside is page else f"`{path}`"
                message = f"{name} has no heading `#{target.fragment[:80]}`{where}{near}"
                yield page.path, Hit(link.span, message)


def _is_other(fragment: str) -> bool:
    """Lines of a file, and footnotes, whose anchors the renderer makes."""
    return is_line_fragment(fragment) or fragment.startswith(_FOOTNOTE)


def _dead_in(graph: Graph, page: Facts, fragment: str, styles: tuple[str, ...]) -> list[str]:
    return [s for s in styles if not fragment_matches(s, fragment, graph.anchors(page, s))]


def _near(graph: Graph, page: Facts, fragment: str, style: str) -> str:
    anchors = sorted(graph.anchors(page, style))[:_SUGGESTED]
    near = get_close_matches(fragment[:200], anchors, n=1, cutoff=0.75)
    return f"; `#{near[0]}` is meant?" if near else ""


RULE = Rule(
    "DOC303", "dead-anchor", "A link leads to a heading that does not exist", ERROR, graph=check
)
