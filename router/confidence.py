"""How sure a route is, 0.0 to 1.0.

What speaks for a deterministic route has a figure of its own, the table below. Below the threshold
of the configuration (0.8) a language model is worth asking. The seed's adjustments are made where
a figure does not already say what they say.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from docs_agent.router.features import Features


class Grade(NamedTuple):
    """One row of the table."""

    base: float
    adjusted: bool
    """Whether the seed's adjustments apply."""


ENDPOINT: Final = Grade(0.95, adjusted=False)
"""An endpoint that the index knows."""
FILE: Final = Grade(0.90, adjusted=True)
"""The question asks for a file."""
NAME: Final = Grade(0.90, adjusted=True)
"""An alias, id or title of a document, or the name of a file."""
PATH: Final = Grade(0.85, adjusted=True)
"""A path the index does not know."""
ENTITY: Final = Grade(0.80, adjusted=False)
"""An entity or domain that the index knows."""
MARKER: Final = Grade(0.90, adjusted=True)
"""A topic marker: endpoint, architecture, logic, domain."""
CHATTER: Final = Grade(0.95, adjusted=False)
"""A greeting, or no words at all."""
OVERVIEW: Final = Grade(0.85, adjusted=False)
"""A general marker: what is this project about."""
SUB_INTENT: Final = Grade(0.90, adjusted=False)
"""Marker and anchor of a sub-intent, or the marker of one that needs no anchor."""
SUB_INTENT_UNKNOWN: Final = Grade(0.80, adjusted=False)
"""The marker of a sub-intent beside a name that the index does not know, or beside none."""
VOCABULARY: Final = Grade(0.60, adjusted=False)
"""No marker and no name, but the index has half of the informative words or more."""
SOME_WORDS: Final = Grade(0.50, adjusted=False)
"""The index has fewer than half of the informative words."""
CONFLICT: Final = Grade(0.50, adjusted=False)
"""Signals of several kinds at once."""
FOREIGN: Final = Grade(0.40, adjusted=False)
"""The index is in another language than the question."""
FALLBACK: Final = Grade(0.30, adjusted=False)
"""Nothing was recognised."""

_WEAK: Final = 0.1
_EXPLICIT: Final = 0.05
_SHORT_WORDS: Final = 3


def grade(of: Grade, features: Features) -> float:
    """The figure of a deterministic route."""
    return adjust(of.base, features) if of.adjusted else of.base


class Step(NamedTuple):
    """One of the seed's adjustments that applies to a question."""

    amount: float
    """Added to the figure."""
    because: str
    """One line."""


def adjust(confidence: float, features: Features) -> float:
    """The figure after the seed's adjustments, with two decimals; never below 0 or above 1."""
    total = confidence + sum(step.amount for step in adjustments(features))
    return round(min(max(total, 0.0), 1.0), 2)


def adjustments(features: Features) -> tuple[Step, ...]:
    """−0.1 without a strong anchor, −0.1 when the question is short or vague, +0.05 for an explicit
    signal: those that apply, in this order."""
    steps = []
    if not _has_strong_anchor(features):
        steps.append(Step(-_WEAK, "no strong anchor"))
    if _is_vague(features):
        steps.append(Step(-_WEAK, "short or vague"))
    if features.endpoints.paths or features.marked("file", "endpoint"):
        steps.append(Step(_EXPLICIT, "explicit signal"))
    return tuple(steps)


def _has_strong_anchor(features: Features) -> bool:
    anchors = features.anchors
    named = anchors.endpoint_paths or anchors.target_doc_hints or anchors.matched_aliases
    return bool(named or features.marked("file"))


def _is_vague(features: Features) -> bool:
    return len(features.question.words) <= _SHORT_WORDS or len(features.target_terms) <= 1
