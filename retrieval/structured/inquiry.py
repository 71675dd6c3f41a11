"""What a workflow over records is given, what it gives, and the one signature all of them share."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from docs_agent.core.evidence import EvidenceSet, GateDecision
from docs_agent.core.plans import RetrievalPlan
from docs_agent.core.routes import RouteAnchors, RouteResult
from docs_agent.core.store.protocol import Reader
from docs_agent.retrieval.answers.draft import Part
from docs_agent.retrieval.answers.quotes import Quotes
from docs_agent.retrieval.structured.wording import Wording


class Inquiry(NamedTuple):
    """A question whose route is a sub-intent of this package."""

    route: RouteResult
    plan: RetrievalPlan
    reader: Reader
    quotes: Quotes
    language: str
    """`ru` or `en`: the language of the question."""
    words: Wording
    """Our own words in that language."""
    limit: int
    """Lines of a list at most."""

    @property
    def anchors(self) -> RouteAnchors:
        return self.route.anchors


class Findings(NamedTuple):
    """What the records say: evidence, verdict and the parts of the answer."""

    found: EvidenceSet
    gate: GateDecision
    parts: tuple[Part, ...] = ()
    """Empty when the gate did not pass."""


Workflow = Callable[[Inquiry], Findings]
"""Answers one sub-intent; the expected "no" is a gate that did not pass, never an error."""
