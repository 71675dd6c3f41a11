"""What a question asks of a document of the model in so many words: that goes before other text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from docs_agent.retrieval.answers import aspects, kinds
from docs_agent.retrieval.answers.cards import card_of
from docs_agent.retrieval.answers.conditions import branches, condition
from docs_agent.retrieval.answers.draft import Part
from docs_agent.retrieval.answers.excerpt import Budget, excerpt
from docs_agent.retrieval.answers.labels import labelled
from docs_agent.retrieval.answers.passages import Passage, passages, ranked
from docs_agent.retrieval.answers.request import Request
from docs_agent.retrieval.answers.roles import asked_section
from docs_agent.retrieval.answers.terms import Terms

_ONE: Final = Budget(lines=1, characters=100)
"""Enough to see whether there is an answer."""


def named_first(request: Request) -> Request:
    """The request with the one document that the question names before the others, where it has
    what is asked for in so many words."""
    hints = request.route.anchors.target_doc_hints
    evidence = request.found.evidence
    named_one = [e for e in evidence if e.path in hints]
    if len(hints) != 1 or not named_one or named_one[0] is evidence[0]:
        return request
    card = card_of(named_one[0], request.quotes)
    own = passages(request.quotes, card.path, card.title)
    asked = request.terms.without(card.naming_stems())
    if not card.modelled or not direct(request, own, asked, (), _ONE):
        return request
    order = (*named_one, *(e for e in evidence if e.path not in hints))
    return request._replace(found=replace(request.found, evidence=order))


def direct(
    request: Request, own: Sequence[Passage], asked: Terms, said: Sequence[str], budget: Budget
) -> tuple[Part, ...]:
    """What answers in so many words: the branch whose condition is named, the section that is asked
    for, the value of a key; empty where none does.

    own: the passages of the document; asked: the terms that do not merely name it; said: texts
    that the answer has already.
    """
    told = branches(own, request.question, request.terms, asked, request.words)
    if told or condition(request.question):
        return told
    told = _asked_section(request, own, asked, budget)
    if not told:
        wanted = asked.without(aspects.aspect_stems() | aspects.carrying_stems())
        told = labelled(own, wanted, said, request.words)
    return told


def _asked_section(
    request: Request, own: Sequence[Passage], asked: Terms, budget: Budget
) -> tuple[Part, ...]:
    """The section that is asked for by the name of its kind, as much of it as an answer holds."""
    wanted = asked.without(aspects.carrying_stems())
    if not wanted.without(aspects.aspect_stems()).items:
        return ()
    section = asked_section(own, wanted)
    if section is None or kinds.asks_how(request.question):
        return ()
    scored = ranked((section,), Terms(()), ())
    return excerpt(scored[0], budget, request.words)
