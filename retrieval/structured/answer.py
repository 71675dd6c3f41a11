"""From a workflow over records to the same Answer that every route ends in."""

from __future__ import annotations

from docs_agent.core.evidence import INSUFFICIENT_EVIDENCE, Answer, Citation
from docs_agent.core.plans import RetrievalPlan
from docs_agent.core.routes import RouteResult
from docs_agent.core.store.protocol import Reader
from docs_agent.retrieval.answers import wording as quoting
from docs_agent.retrieval.answers.draft import render
from docs_agent.retrieval.answers.insufficient import insufficient
from docs_agent.retrieval.answers.quotes import Quotes
from docs_agent.retrieval.rerank import Remember
from docs_agent.retrieval.structured.inquiry import Inquiry, Workflow
from docs_agent.retrieval.structured.wording import wording


def answer_from_records(
    workflow: Workflow,
    route: RouteResult,
    plan: RetrievalPlan,
    reader: Reader,
    language: str,
    limit: int | None = None,
    remember: Remember | None = None,
) -> Answer:
    """What the records say; the honest no with answer mode `insufficient_evidence` otherwise.

    limit: lines of a list at most; those of the plan when not given. remember: keeps what
    was read of rows for the next question.
    """
    words = wording(language)
    quotes = Quotes(reader, remember)
    inquiry = Inquiry(route, plan, reader, quotes, words.language, words, limit or plan.limit)
    told = workflow(inquiry)
    quotes.keep()
    text = ""
    citations: tuple[Citation, ...] = ()
    if told.gate.passed:
        text, citations = render(told.parts)
    return Answer(
        query=route.user_query,
        text=text or insufficient(told.found, told.gate, quoting.wording(language)),
        answer_mode=told.gate.answer_mode if text else INSUFFICIENT_EVIDENCE,
        language=words.language,
        citations=citations,
        found=told.found,
        gate=told.gate,
        route=route,
        plan=plan,
    )
