"""What a rule answers: a route, how sure it is and why."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from docs_agent.router.catalogue import Route
from docs_agent.router.confidence import Grade
from docs_agent.router.features import Features

_MAX_PHRASE: Final = 60
"""Characters of a phrase that a reason quotes."""


class Decision(NamedTuple):
    """A route and what spoke for it."""

    route: Route
    grade: Grade
    reason: str
    """One line."""


Rule = Callable[[Features], Decision | None]
"""A rule decides, or leaves the question to the next one."""


def quote(text: str) -> str:
    """A phrase of the question for a reason: one line, in quotation marks, cut when long."""
    return f"«{shorten(text)}»"


def shorten(text: str) -> str:
    """The same without quotation marks."""
    line = " ".join(text.split())
    return line if len(line) <= _MAX_PHRASE else line[: _MAX_PHRASE - 1] + "…"
