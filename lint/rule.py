"""What a rule is.

A rule is one module in `lint/rules/` with a constant `RULE`; its docstring, in the sections What it
does, Why, Example and Fix, is what `--explain` prints and the reference is made of.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from docs_agent.lint.finding import WARNING, Fix, Place, Span

if TYPE_CHECKING:
    from docs_agent.lint.graph import Graph
    from docs_agent.lint.page import Page
    from docs_agent.lint.scope import Scope


class Hit(NamedTuple):
    """What a check reports of a page: place, words, and a fix where one follows."""

    span: Span
    message: str
    fix: Fix | None = None
    related: tuple[Place, ...] = ()


PageCheck = Callable[["Page", "Scope"], Iterable[Hit]]
"""Looks at one page; nothing else of the collection is known. Its hits are kept in the cache, so
they may depend on the page and its scope alone: not on the clock, other files or git."""

GraphCheck = Callable[["Graph"], Iterable[tuple[str, Hit]]]
"""Looks at the whole collection; gives (path, hit). Runs every time."""


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule. Exactly one of `page` and `graph` is there, or none for a rule the engine reports."""

    code: str
    """`DOC` and three digits, permanent."""
    name: str
    """Kebab-case words."""
    summary: str
    """One line in the third person: what it finds."""
    severity: str = WARNING
    page: PageCheck | None = None
    graph: GraphCheck | None = None
    default: bool = True
    """Whether it is on when nothing is selected."""
    fixable: str = ""
    """`safe`, `unsafe` or empty: what kind of fix its findings may carry."""


FAMILIES: tuple[tuple[str, str], ...] = (
    ("DOC0", "file"),
    ("DOC1", "frontmatter"),
    ("DOC2", "structure"),
    ("DOC3", "links"),
    ("DOC4", "graph"),
    ("DOC5", "contract"),
    ("DOC6", "freshness"),
    ("DOC9", "suppressions"),
)
"""Beginnings of codes and what their rules are about, in the order of the reference."""
