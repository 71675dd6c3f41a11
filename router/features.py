"""What the rules decide upon: everything that was found in a question."""

from __future__ import annotations

from typing import NamedTuple

from docs_agent.core.routes import RouteAnchors
from docs_agent.router.endpoints import Endpoints
from docs_agent.router.markers import Marker
from docs_agent.router.names import Names
from docs_agent.router.question import Question


class Features(NamedTuple):
    """One question, looked at from all sides; no decision yet."""

    user_query: str
    """As it came; of a very long question the beginning."""
    left_out: int
    """Characters of it that are not looked at."""
    question: Question
    markers: tuple[Marker, ...]
    """In order of appearance; those inside a known name are left out."""
    endpoints: Endpoints
    names: Names
    anchors: RouteAnchors
    target_terms: tuple[str, ...]
    informative: tuple[str, ...]
    """Words that carry a subject, repeats kept."""
    is_chatter: bool
    """Nothing but greetings, thanks and words without a subject."""
    known_words: tuple[str, ...]
    """Informative words of the question that the index has, in order of appearance."""
    is_foreign: bool
    """The index is in another language than the question, so its words prove nothing."""

    def marked(self, *groups: str) -> tuple[Marker, ...]:
        """Markers of the groups, in the order of the groups."""
        return tuple(m for group in groups for m in self.markers if m.group == group)
