"""The single statements that answer a question for a fact, from all passages at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from docs_agent.core.text import stems
from docs_agent.retrieval.answers.draft import Part
from docs_agent.retrieval.answers.excerpt import companions, quoted
from docs_agent.retrieval.answers.passages import Passage, Statement
from docs_agent.retrieval.answers.terms import Terms, says_number
from docs_agent.retrieval.answers.wording import Wording

MAX_FACTS: Final = 6
KEPT: Final = 0.85
"""Share of the best figure that a further statement needs."""
HEADING: Final = 0.2
"""What a heading that speaks of the question adds to each statement below it."""
NUMBER: Final = 0.2
"""What naming a number adds when the question asks for one."""
RANK: Final = 0.1
"""What the score of its passage adds, relative to the best passage."""


def facts(
    found: Sequence[Passage], terms: Terms, words: Wording, *, least: float, quantity: bool
) -> tuple[Part, ...]:
    """At most MAX_FACTS statements; none when no statement says anything of the question, or too
    many say the same.

    least: share of the question that a statement must say, its heading included;
    quantity: the question asks how many, how long, how often.
    """
    top = max((p.score for p in found), default=0.0)
    figures: list[tuple[float, Passage, Statement]] = []
    for passage in found:
        shared = HEADING * terms.covered(set(stems(passage.title)))
        shared += passage.bonus + (RANK * passage.score / top if top else 0.0)
        for s in passage.statements:
            number = NUMBER if quantity and says_number(s.unit.text, s.found) else 0.0
            if s.joint >= least and passage.blocks[s.block].kind != "code":
                figures.append((s.joint + shared + number, passage, s))
    best = max((figure for figure, *_ in figures), default=0.0)
    kept = [(p, s) for figure, p, s in figures if figure >= KEPT * best]
    if len(kept) > MAX_FACTS:
        return ()
    parts: list[Part] = []
    for passage in found:
        own = [s for p, s in kept if p is passage]
        announced = [
            other for s in own if s.unit.text.endswith(":") for other in companions(passage, s)
        ]
        told = quoted(passage, {*own, *announced}, words)
        if told and parts:
            told = (told[0].opened(), *told[1:])
        parts.extend(told)
    return tuple(parts)
