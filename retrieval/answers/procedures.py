"""How to do something: the numbered instructions before what else speaks of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from docs_agent.retrieval.answers.draft import Part
from docs_agent.retrieval.answers.passages import Passage
from docs_agent.retrieval.answers.rendering import quoted
from docs_agent.retrieval.answers.terms import Terms
from docs_agent.retrieval.answers.wording import Wording

SHARE: Final = 0.6
"""Share of the score of the best other section that instructions need."""
_ELSEWHERE: Final = ("summary", "purpose", "lifecycle")
"""Sections that name what can be done without saying how."""
MAX_STEPS: Final = 8


def procedure(
    found: Sequence[Passage], path: str, terms: Terms, words: Wording
) -> tuple[Part, ...]:
    """The numbered list of the document `path` that speaks of the question as much as its other
    sections do; none where it has no such list.

    found: passages, best first.
    """
    own = [p for p in found if p.row.path == path]
    passage = next((p for p in own if _is_numbered(p) and _said(p, terms)), None)
    others = (p.score for p in own if not _is_numbered(p) and p.role not in _ELSEWHERE)
    if passage is None or passage.score < SHARE * max(others, default=0.0):
        return ()
    return quoted(passage, passage.statements, words, MAX_STEPS, headed=True)


def without_summary(found: Sequence[Passage]) -> list[Passage]:
    """The passages without summaries, which name what can be done without saying how, where any
    other is left."""
    return [p for p in found if p.role != "summary"] or list(found)


def _is_numbered(passage: Passage) -> bool:
    return any(s.unit.number for s in passage.statements)


def _said(passage: Passage, terms: Terms) -> float:
    """Share of the question in a section, its heading and those above it included."""
    found = frozenset().union(*(s.found for s in passage.statements))
    return terms.covered(found) + passage.named
