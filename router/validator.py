"""Whether what a language model proposed is one of our routes (seed 004, `validator.py`)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import NamedTuple

from docs_agent.core.llm.excerpt import clean
from docs_agent.router.catalogue import Route, find_route

_MAX_REASON = 200
"""Characters of a reason that are kept."""
_MAX_VALUE = 2_000
"""Characters of a value that are looked at."""


class Proposal(NamedTuple):
    """A route someone proposed and that exists."""

    route: Route
    confidence: float
    """0.0 to 1.0; 0.0 when the proposal gave no usable figure."""
    reason: str
    """One line, possibly empty."""


def validate(candidate: object) -> Proposal | None:
    """The proposal in our own terms, or None when it names no route of the catalogue.

    Takes whatever a model's JSON decoded to; never raises.
    """
    if not isinstance(candidate, Mapping):
        return None
    route = find_route(
        _text(candidate, "routing_domain"),
        _text(candidate, "intent"),
        _text(candidate, "subintent"),
    )
    if route is None:
        return None
    reason = one_line(_text(candidate, "reason_short"), _MAX_REASON)
    return Proposal(route, _figure(candidate.get("confidence")), reason)


def one_line(text: str, limit: int) -> str:
    """Text from outside, fit to be shown: no escape sequences, nothing invisible, white space
    collapsed, at most `limit` characters."""
    line = clean(text[:_MAX_VALUE])
    return line if len(line) <= limit else line[: limit - 1] + "…"


def _text(candidate: Mapping[object, object], key: str) -> str:
    value = candidate.get(key)
    return value[:_MAX_VALUE].strip() if isinstance(value, str) else ""


def _figure(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return 0.0
    try:
        figure = float(value[:_MAX_VALUE] if isinstance(value, str) else value)
    except (ValueError, OverflowError):
        return 0.0
    return min(max(figure, 0.0), 1.0) if math.isfinite(figure) else 0.0
