"""Explaining one thing: what it is, then what was asked.

A document of the document model opens with its purpose. A question that only names it gets the
scenario and the errors, or the facts of the summary; a question for a detail gets the statements
that speak of it. A document that follows no model gives the sections that answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from docs_agent.core.text import stems
from docs_agent.retrieval.answers import aspects
from docs_agent.retrieval.answers.cards import Card, card_of, purpose, summary_facts
from docs_agent.retrieval.answers.contract import contract
from docs_agent.retrieval.answers.draft import Part
from docs_agent.retrieval.answers.errors import error_lines
from docs_agent.retrieval.answers.excerpt import Budget, excerpt
from docs_agent.retrieval.answers.facts import facts
from docs_agent.retrieval.answers.integrations import integrations
from docs_agent.retrieval.answers.passages import Passage, compared, passages, ranked
from docs_agent.retrieval.answers.request import Request
from docs_agent.retrieval.answers.scenario import (
    MAX_BRANCHES,
    MAX_STEPS,
    best_workflow,
    is_use_case,
    steps,
    workflows,
)
from docs_agent.retrieval.answers.terms import Terms

DETAIL: Final = Budget(lines=14, characters=1300)
"""What the statements that answer may take."""
NAME_WEIGHT: Final = 0.25
"""What a word that names the document counts inside the document."""
SAID: Final = 0.4
"""Share of the question that a single fact must say, its heading included, to be the answer."""
SAID_UNASKED: Final = 0.75
"""The same when the question does not ask for a fact in so many words."""
PASSAGES: Final = 3
RELATIVE_SCORE: Final = 0.6
"""Share of the best passage's score that a further passage needs."""
RELATIVE_SCORE_MODELLED: Final = 0.85
"""The same where each section holds single facts and the next one is about something else."""
SUMMARY_FACTS: Final = 6
OTHER_DOCUMENT: Final = (0.25, 0.1, 0.0)
"""What the rank of its document adds to a passage."""


def docs_summary(request: Request) -> tuple[Part, ...]:
    """Composes the explanation from the evidence's documents."""
    if not request.found.evidence:
        return ()
    first = request.found.evidence[0]
    card = card_of(first, request.reader)
    asked = request.terms.without(card.naming_stems())
    aspect = aspects.aspect_of(stems(request.question)) if card.modelled else ""
    lead = _opening(card, asked)
    told = _aspect(request, card, aspect, asked) if aspect else ()
    if not told and not asked.items:
        told = _explanation(request, card)
    if not told:
        told = details(request, card)
        told = _opened(_beyond(told, lead)) if lead else told
    return (*lead, *told)


def details(request: Request, card: Card) -> tuple[Part, ...]:
    """The statements of the evidence that answer, best passages first.

    A document of the model (`card`) is made of single facts: where some say enough, they alone are
    quoted, and words that merely name it count little.
    """
    names = card.naming_stems() if card.modelled else frozenset()
    terms = request.terms
    if terms.without(names).items:
        terms = terms.weakened(names, NAME_WEIGHT)
    best = _best_passages(request, terms)
    if card.modelled:
        told = _facts(request, best, terms)
        if told:
            return told
    relative = RELATIVE_SCORE_MODELLED if card.modelled else RELATIVE_SCORE
    parts: list[Part] = []
    budget = DETAIL
    for position, passage in enumerate(best[:PASSAGES]):
        if position and (budget.spent or passage.score < relative * best[0].score):
            break
        share = budget if not position else Budget(min(budget.lines, 5), budget.characters // 2)
        told = excerpt(passage, share, request.words)
        budget = budget.after(told)
        parts.extend(_opened(told) if position else told)
    return tuple(parts)


def _facts(request: Request, best: Sequence[Passage], terms: Terms) -> tuple[Part, ...]:
    quantity = aspects.asks_quantity(request.question)
    least = SAID if aspects.asks_fact(request.question) else SAID_UNASKED
    return facts(best, terms, request.words, least=least, quantity=quantity)


def _beyond(parts: Sequence[Part], lead: Sequence[Part]) -> tuple[Part, ...]:
    """The parts without those that repeat the lead under a label."""
    said = [part.text.lower() for part in lead]
    return tuple(p for p in parts if not any(p.text.lower().endswith(text) for text in said))


def _best_passages(request: Request, terms: Terms) -> list[Passage]:
    found: list[Passage] = []
    for rank, evidence in enumerate(request.found.evidence):
        own = ranked(passages(request.reader, evidence.path, evidence.title), terms, evidence.rows)
        bonus = OTHER_DOCUMENT[min(rank, len(OTHER_DOCUMENT) - 1)]
        found.extend(replace(passage.raised(bonus), bonus=bonus) for passage in own)
    found.sort(key=lambda passage: -passage.score)
    if request.meaning is not None:
        found = list(compared(found, request.question, request.meaning, request.reader))
    return _speaking(found)


def _speaking(found: Sequence[Passage]) -> list[Passage]:
    """Without the lines under a title that say nothing of the question ("Date: 2024-01-09") where
    other passages do."""
    said = [max((s.words for s in p.statements), default=0.0) for p in found]
    if not any(said):
        return list(found)
    return [p for p, words in zip(found, said, strict=True) if words or not p.is_page]


def _opening(card: Card, asked: Terms) -> tuple[Part, ...]:
    if not card.modelled and asked.items:
        return ()
    line = purpose(card)
    return (line,) if line is not None else ()


def _aspect(request: Request, card: Card, aspect: str, asked: Terms) -> tuple[Part, ...]:
    words = request.words
    wanted = asked.without(aspects.aspect_stems())
    if aspect == aspects.INTEGRATIONS:
        return _opened(integrations(request.reader, card.path, card.title, wanted, words))
    found = passages(request.reader, card.path, card.title)
    if aspect == aspects.ERRORS:
        return _opened(error_lines(found, wanted, words))
    if aspect in (aspects.REQUEST, aspects.RESPONSE):
        return _opened(contract(found, aspect, wanted, words))
    row = best_workflow(workflows(request.reader, card.path), request.terms)
    if row is None:
        return ()
    field = "main_flow" if aspect == aspects.STEPS else "alternative_flow"
    return _opened(steps(row, field, found, card.title, words, MAX_STEPS))


def _explanation(request: Request, card: Card) -> tuple[Part, ...]:
    if not card.modelled:
        return ()
    words = request.words
    found = passages(request.reader, card.path, card.title)
    told = [row for row in workflows(request.reader, card.path) if is_use_case(row)]
    row = best_workflow(told, request.terms)
    if row is None:
        return _opened(summary_facts(card, SUMMARY_FACTS))
    main = steps(row, "main_flow", found, card.title, words, MAX_STEPS)
    errors = error_lines(found, Terms(()), words, MAX_BRANCHES)
    other = errors or steps(row, "alternative_flow", found, card.title, words, MAX_BRANCHES)
    label = words.errors if errors else words.alternatives
    tail = (Part(f"{label}:", opens=True), *other) if other else ()
    return (*_opened(main), *tail)


def _opened(parts: Sequence[Part]) -> tuple[Part, ...]:
    """The parts with an empty line before the first."""
    if not parts:
        return ()
    return (parts[0].opened(), *parts[1:])
