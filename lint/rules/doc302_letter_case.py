"""A link in the wrong letter case

What it does: reports links and images whose target exists in another letter case only.

Why: they work on Windows and macOS and are dead on the site and in Linux.

Example: `[api](API.md)` where the file is `api.md`.

Fix: `--fix` writes the letters as the file has them.
"""

from __future__ import annotations

from collections.abc import Iterator

from docs_agent.lint.facts import LinkFact
from docs_agent.lint.finding import ERROR, Edit, Fix, Span
from docs_agent.lint.graph import Graph
from docs_agent.lint.rule import Hit, Rule


def check(graph: Graph) -> Iterator[tuple[str, Hit]]:
    """Report such links with the path as it should be."""
    for page, link, target, real in graph.miscased_links:
        written = _corrected(target.path, real)
        message = f"`{target.path[:80]}` exists as `{real}` only, in another letter case"
        yield page.path, Hit(link.span, message, _fix(link, target.path, written))


def _corrected(path: str, real: str) -> str:
    """The path with the letters of the real one; empty when the two do not go together."""
    parts, names = path.split("/"), real.split("/")
    for index in range(1, len(parts) + 1):
        part = parts[-index]
        if part in ("", ".", ".."):
            break
        if index > len(names) or part.casefold() != names[-index].casefold():
            return ""
        parts[-index] = names[-index]
    return "/".join(parts)


def _fix(link: LinkFact, path: str, written: str) -> Fix | None:
    """An edit of the path alone, where it stands in the file letter by letter."""
    span = link.span
    width = span.end_column - span.column
    bracket = 1 if width == len(link.target) + 2 else 0
    if not written or width - 2 * bracket != len(link.target) or span.line != span.end_line:
        return None
    if not link.target.startswith(path):
        return None
    start = span.column + bracket
    place = Span(span.line, start, span.line, start + len(path))
    return Fix(f"write `{written}`", (Edit(place, written),))


RULE = Rule(
    "DOC302",
    "letter-case",
    "A link exists in another letter case only",
    ERROR,
    graph=check,
    fixable="safe",
)
