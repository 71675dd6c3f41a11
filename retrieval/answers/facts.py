"""The single statements that answer a question for a fact, from all passages at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from docs_agent.core.text import stems
from docs_agent.retrieval.answers.draft import Part
from docs_agent.retrieval.answers.excerpt import companions
from docs_agent.retrieval.answers.passages import Passage, Statement
from docs_agent.retrieval.answers.quantities import Quantity
from docs_agent.retrieval.answers.rendering import quoted
from docs_agent.retrieval.answers.terms import Terms
from docs_agent.retrieval.answers.wording import Wording

MAX_FACTS: Final = 6
KEPT: Final = 0.85
"""Share of the best figure that a further statement needs."""
HEADING: Final = 0.2
"""What a heading that speaks of the question adds to each statement below it."""
NUMBER: Final = 0.2
"""What naming a number adds when the question asks for one; twice that for one of the unit that is
asked for."""
COUNTED: Final = 0.3
"""What the number of what is counted says by itself, as a share of the question."""
SURE: Final = 0.75
"""Share of the question from which a number of another unit is kept beside those of the one asked
for."""
LESS: Final = 0.5
"""Share of the least that is enough for a statement with such a number."""
RANK: Final = 0.1
"""What the score of its passage adds, relative to the best passage."""


def facts(
    found: Sequence[Passage],
    terms: Terms,
    words: Wording,
    *,
    least: float,
    quantity: Quantity | None,
) -> tuple[Part, ...]:
    """At most MAX_FACTS statements; none when no statement says anything of the question, or too
    many say the same.

    least: share of the question that a statement must say, its heading included;
    quantity: the number that the question asks for; a statement with such a number needs less of
    the question, and where one says enough, those without a number are left out.
    """
    top = max((p.score for p in found), default=0.0)
    figures: list[tuple[float, float, Passage, Statement]] = []
    for passage in found:
        shared = HEADING * terms.covered(set(stems(passage.title)))
        shared += passage.bonus + (RANK * passage.score / top if top else 0.0)
        for s in passage.statements:
            fit = quantity.fits(s.unit.text, s.found) if quantity is not None else 0.0
            joint = s.joint + (COUNTED if fit == 1.0 and quantity and quantity.counted else 0.0)
            enough = least * (LESS if fit == 1.0 else 1.0)
            if joint >= enough and passage.blocks[s.block].kind != "code":
                figures.append((joint + shared + NUMBER * 2 * fit, fit, passage, s))
    if any(fit == 1.0 for _, fit, *_ in figures):
        figures = [f for f in figures if f[1] == 1.0 or (f[1] and f[3].joint >= SURE)]
    best = max((figure for figure, *_ in figures), default=0.0)
    kept = [(p, s) for figure, _, p, s in figures if figure >= KEPT * best]
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
