"""The whole way of a question: route, plan, rows, evidence, gate, answer."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from docs_agent.core.embed.protocol import Embedder, Encoder
from docs_agent.core.evidence import Answer
from docs_agent.core.router_config import RouterConfig
from docs_agent.core.routes import DOC_EXPLAIN, DOCS, FIND_FILES, RouteResult
from docs_agent.core.store.protocol import Reader, Store
from docs_agent.core.store.scoped import ScopedReader
from docs_agent.core.text import language_of
from docs_agent.retrieval.answers import compose
from docs_agent.retrieval.evidence import assemble
from docs_agent.retrieval.execute import execute
from docs_agent.retrieval.gate import check
from docs_agent.retrieval.policy import resolve
from docs_agent.retrieval.policy_profiles import subintent_policy
from docs_agent.router.route import route
from docs_agent.router.strategies import Trouble

if TYPE_CHECKING:
    from docs_agent.core.llm.protocol import LLM


class Tools(NamedTuple):
    """Everything opened once and used for every question."""

    store: Store
    reader: Reader
    embedder: Embedder
    encoder: Encoder | None
    """None when the index has no vectors: retrieval is then by words only."""
    router: RouterConfig
    llm: LLM | None = None
    """Helps to route a question; None = the rules route it alone."""
    trouble: Trouble | None = None
    """Is told when the language model failed and the question was answered without it."""


class Scope(NamedTuple):
    """What the caller narrows."""

    limit: int | None = None
    """Documents to use or list at most; what suits the route when not given."""
    path_prefixes: tuple[str, ...] = ()
    """Only documents under these folders, relative to the root; empty = all."""


def answer_question(question: str, tools: Tools, scope: Scope) -> Answer:
    """Answers by the route that the router finds."""
    found = route(question, tools.reader.knowledge, tools.router, tools.llm, tools.trouble)
    return _answer(found, tools, scope)


def find_documents(question: str, tools: Tools, scope: Scope) -> Answer:
    """Lists documents, whatever the router would have done with the question; no language model
    is asked, for its verdict would change nothing."""
    found = route(question, tools.reader.knowledge, tools.router)
    forced = replace(found, routing_domain=DOCS, intent=DOC_EXPLAIN, subintent=FIND_FILES)
    return _answer(forced, tools, scope)


def _answer(route: RouteResult, tools: Tools, scope: Scope) -> Answer:
    language = language_of(route.user_query) or "en"
    plan = resolve(route)
    reader = tools.reader
    remember = tools.store.cache_vectors
    if scope.path_prefixes:
        reader = ScopedReader(reader, scope.path_prefixes)
    if subintent_policy(route.intent, route.subintent) is not None:
        # Loaded here: most questions are of the base routes and need none of the workflows.
        from docs_agent.retrieval.structured.answer import answer_from_records
        from docs_agent.retrieval.structured.table import workflow_of

        workflow = workflow_of(route)
        return answer_from_records(workflow, route, plan, reader, language, scope.limit, remember)
    execution = execute(plan, route, reader, tools.embedder, tools.encoder, remember=remember)
    found = assemble(execution, route, plan, limit=scope.limit)
    gate = check(found, route, plan, language)
    return compose(
        route.user_query,
        route,
        plan,
        found,
        gate,
        language,
        reader=reader,
        encoder=tools.encoder,
        remember=remember,
    )
