"""From a question and its evidence to the answer, without a language model.

The workflow is chosen by route and profile from one table. All statements are quoted from records
and carry the lines they stand on; the same input gives the same answer.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from docs_agent.core.embed.protocol import Encoder
from docs_agent.core.evidence import (
    INSUFFICIENT_EVIDENCE,
    Answer,
    Citation,
    EvidenceSet,
    GateDecision,
)
from docs_agent.core.plans import RetrievalPlan
from docs_agent.core.routes import FIND_FILES, GENERAL_QA, RouteResult
from docs_agent.core.store.protocol import Reader
from docs_agent.retrieval.answers.docs_summary import docs_summary
from docs_agent.retrieval.answers.draft import render
from docs_agent.retrieval.answers.find_files import find_files
from docs_agent.retrieval.answers.general_summary import general_summary
from docs_agent.retrieval.answers.insufficient import insufficient
from docs_agent.retrieval.answers.passages import Meaning
from docs_agent.retrieval.answers.quotes import Quotes
from docs_agent.retrieval.answers.request import Request, Workflow
from docs_agent.retrieval.answers.terms import terms_of
from docs_agent.retrieval.answers.wording import wording
from docs_agent.retrieval.rerank import Remember

WORKFLOWS: Final[tuple[tuple[str, Callable[[RouteResult], bool], Workflow], ...]] = (
    ("find_files", lambda route: route.subintent == FIND_FILES, find_files),
    ("general_summary", lambda route: route.intent == GENERAL_QA, general_summary),
    ("docs_summary", lambda route: True, docs_summary),
)
"""Name, the routes it serves, and the workflow; the first that serves the route is taken."""


NOTHING_TO_QUOTE: Final = "nothing_to_quote"
"""Reason of a gate that passed over evidence no statement could be taken from."""


def compose(
    question: str,
    route: RouteResult,
    plan: RetrievalPlan,
    found: EvidenceSet,
    gate: GateDecision,
    language: str,
    *,
    reader: Reader,
    encoder: Encoder | None = None,
    remember: Remember | None = None,
) -> Answer:
    """The answer to `question` in `language` (`ru` or `en`).

    A gate that did not pass, or evidence from which nothing can be quoted, gives the honest "no"
    with answer mode `insufficient_evidence` and no citations.
    encoder: compares the meaning of a few dozen statements where given; `remember` keeps their
    vectors for the next question.
    """
    words = wording(language)
    text = ""
    citations: tuple[Citation, ...] = ()
    if gate.passed:
        terms = terms_of(question, reader, file_lookup=route.subintent == FIND_FILES)
        quotes = Quotes(reader, remember)
        meaning = Meaning(encoder, remember) if encoder is not None else None
        request = Request(question, route, plan, found, reader, quotes, terms, words, meaning)
        text, citations = render(_workflow(route)(request))
        quotes.keep()
        if not text:
            gate = GateDecision(
                False, INSUFFICIENT_EVIDENCE, NOTHING_TO_QUOTE, "", gate.supporting_paths
            )
    return Answer(
        query=question,
        text=text or insufficient(found, gate, words),
        answer_mode=gate.answer_mode if text else INSUFFICIENT_EVIDENCE,
        language="ru" if language == "ru" else "en",
        citations=citations,
        found=found,
        gate=gate,
        route=route,
        plan=plan,
    )


def _workflow(route: RouteResult) -> Workflow:
    return next(workflow for _, serves, workflow in WORKFLOWS if serves(route))
