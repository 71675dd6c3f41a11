"""The section whose heading is what a question asks for: by its role, across languages."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from docs_agent.core.text import stems
from docs_agent.retrieval.answers.passages import Passage
from docs_agent.retrieval.answers.terms import Term, Terms
from docs_agent.templates.vocabulary import SECTION_NAMES


def asked_section(found: Sequence[Passage], wanted: Terms) -> Passage | None:
    """The section of a document whose heading says all that is wanted; the shortest such heading,
    None where nothing is wanted or no heading says it."""
    if not wanted.items:
        return None
    fitting = [
        p
        for p in found
        if p.statements
        and not p.is_page
        and p.role != "summary"
        and all(_is_meant(term, p) for term in wanted.items)
    ]
    return min(fitting, key=lambda p: (len(stems(p.title)), p.row.span_start), default=None)


def own_first(found: Sequence[Passage], path: str, wanted: Terms) -> list[Passage]:
    """The passages without those of other documents that answer to a word of the question by their
    heading, where the document `path` has a section that answers to the same word."""
    own = [p for p in found if p.row.path == path and not p.is_page]
    met = [t for t in wanted.items if any(_is_meant(t, p) for p in own)]
    return [
        p for p in found if p.row.path == path or p.is_page or not any(_is_meant(t, p) for t in met)
    ]


def _is_meant(term: Term, passage: Passage) -> bool:
    """True when the heading has the word, one of its concept, or the role that the word names."""
    if not term.same.isdisjoint(stems(passage.title)):
        return True
    return bool(passage.role) and any(passage.role in _roles().get(s, ()) for s in term.same)


@lru_cache(maxsize=1)
def _roles() -> dict[str, frozenset[str]]:
    """Stems of the names that are one word, with the roles they name. Words of a section that holds
    several things (a contract, details) name none of them."""
    found: dict[str, frozenset[str]] = {}
    for role, names in SECTION_NAMES:
        if role in ("summary", "contract", "details", "description"):
            continue
        for name in names:
            own = stems(name)
            if len(own) == 1:
                found[own[0]] = found.get(own[0], frozenset()) | {role}
    return found
