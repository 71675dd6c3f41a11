"""What a workflow is given, and the one signature all workflows share."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from docs_agent.core.evidence import EvidenceSet
from docs_agent.core.plans import RetrievalPlan
from docs_agent.core.routes import RouteResult
from docs_agent.core.store.protocol import Reader
from docs_agent.retrieval.answers.draft import Part
from docs_agent.retrieval.answers.passages import Meaning
from docs_agent.retrieval.answers.quotes import Quotes
from docs_agent.retrieval.answers.terms import Terms
from docs_agent.retrieval.answers.wording import Wording


class Request(NamedTuple):
    """A question that passed the gate, with all that its answer may be composed from."""

    question: str
    route: RouteResult
    plan: RetrievalPlan
    found: EvidenceSet
    reader: Reader
    """Gives the rows of a document that retrieval did not hand on."""
    quotes: Quotes
    """Gives the blocks of rows."""
    terms: Terms
    """The informative words of the question, weighted."""
    words: Wording
    """Our own words in the language of the question."""
    meaning: Meaning | None = None
    """Compares meaning where words do not meet (another language); None = words only."""


Workflow = Callable[[Request], tuple[Part, ...]]
"""Composes the parts of an answer; an empty tuple means that nothing could be said."""
