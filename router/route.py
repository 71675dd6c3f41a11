"""From a question to its route: the one entry to the router."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from docs_agent.core.knowledge import Knowledge
from docs_agent.core.router_config import RouterConfig
from docs_agent.core.routes import RouteResult
from docs_agent.core.text import stem
from docs_agent.router.anchors import build_anchors
from docs_agent.router.catalogue import (
    ARCHITECTURE_ROUTE,
    COMPONENT_INTEGRATIONS_ROUTE,
    LIST_API_METHODS_ROUTE,
)
from docs_agent.router.endpoints import find_endpoints
from docs_agent.router.features import Features
from docs_agent.router.integration_terms import integration_positions
from docs_agent.router.markers import Marker, vocabulary
from docs_agent.router.names import find_names, is_listing
from docs_agent.router.names_meant import Lexicon
from docs_agent.router.normalizer import normalize_query
from docs_agent.router.question import Question, looked_at, read_question
from docs_agent.router.strategies import Trouble, Verdict, judge
from docs_agent.router.target_terms import target_terms

if TYPE_CHECKING:
    from docs_agent.core.llm.protocol import LLM

_EMPTY_WORDS: Final = ("question", "intent", "filler")
# Groups whose words are no subject when they stand in the question as that marker.
_OUTER_MARKERS: Final = (
    "file",
    "general",
    "greeting",
    "list_api_methods",
    "documents_by_domain",
    "entity_lookup",
    "related_documents",
    "relation",
    "integration",
    "components",
    "openapi",
    "doc_generation",
    "code_open_file",
    "code_explain",
    "code_of",
    "code_tests",
    "code_entrypoints",
)
_TOPIC_MARKERS: Final = (
    "endpoint",
    "endpoint_noun",
    "method_noun",
    "architecture",
    "logic",
    "domain",
    "domain_noun",
    "subdomain_noun",
)
# What target terms narrow.
_LISTS: Final = (LIST_API_METHODS_ROUTE, COMPONENT_INTEGRATIONS_ROUTE, ARCHITECTURE_ROUTE)
# A text of any length in one of the languages has these.
_FUNCTION_WORDS: Final = {
    "ru": ("и", "в", "не", "на", "для", "что"),
    "en": ("the", "of", "and", "to", "is", "for"),
}


def route(
    question: str,
    knowledge: Knowledge,
    config: RouterConfig,
    llm: LLM | None = None,
    trouble: Trouble | None = None,
) -> RouteResult:
    """Where a question goes and why. Never raises for a question, whatever it contains, nor for
    what a language model makes of it.

    Only the beginning of a very long question is looked at, see `looked_at`. llm: is asked as the
    strategy of `config` wants it. trouble: is told when that service failed. Raises ConfigError
    when `config` adds to a marker group that does not exist, or when a model is to be asked that is
    configured incompletely, and whatever `knowledge` raises.
    """
    features = extract(question, knowledge, config)
    return result(features, judge(features, config, llm, trouble))


def extract(question: str, knowledge: Knowledge, config: RouterConfig) -> Features:
    """Everything that can be found in a question without deciding where it goes."""
    words = vocabulary(config.markers)
    looked = looked_at(question)
    asked = read_question(normalize_query(looked.text))
    markers = words.find(asked)
    outer = _positions(markers, _OUTER_MARKERS)
    subjects = frozenset(
        i
        for i, word in enumerate(asked.words)
        if i not in outer and not words.has(word, *_EMPTY_WORDS)
    )
    lexicon = _lexicon(asked, subjects, knowledge)
    endpoints = find_endpoints(asked, markers, words, knowledge)
    terms = integration_positions(markers)
    empty = _no_names(markers)
    nameable = frozenset(
        i for i in subjects if i not in terms and not words.has(asked.words[i], *empty)
    )
    names = find_names(
        asked, markers, words, nameable, knowledge, lexicon, config.aliases, endpoints
    )
    markers = tuple(
        m for m in markers if m.group == "file" or not names.positions.issuperset(m.positions)
    )
    topics = (*_TOPIC_MARKERS, "explain_api") if endpoints.paths else _TOPIC_MARKERS
    content = nameable - _positions(markers, topics)
    content = frozenset(i for i in content if not words.has(asked.words[i], "generic"))
    known = [i for i in sorted(subjects) if lexicon.knows(asked.words[i])]
    return Features(
        user_query=looked.text,
        left_out=looked.left_out,
        question=asked,
        markers=markers,
        endpoints=endpoints,
        names=names,
        anchors=build_anchors(asked, endpoints, names, knowledge),
        target_terms=target_terms(asked, endpoints, names, content, lexicon),
        informative=tuple(asked.words[i].form for i in sorted(subjects)),
        is_chatter=not subjects,
        known_words=tuple(dict.fromkeys(asked.words[i].form for i in known)),
        is_foreign=bool(subjects) and not known and _is_foreign(asked, knowledge),
    )


def result(features: Features, verdict: Verdict) -> RouteResult:
    """The verdict in the form of the contract."""
    return RouteResult(
        routing_domain=verdict.route.routing_domain,
        intent=verdict.route.intent,
        subintent=verdict.route.subintent,
        user_query=features.user_query,
        normalized_query=features.question.text,
        target_terms=_narrowing(features, verdict),
        anchors=features.anchors,
        confidence=verdict.confidence,
        routing_mode=verdict.mode,
        llm_router_used=verdict.llm_used,
        reason_short=verdict.reason,
        left_out=features.left_out,
    )


def _narrowing(features: Features, verdict: Verdict) -> tuple[str, ...]:
    """Target terms; of a list that only a model saw in the question those that the index knows.

    The rules did not understand such a question, so its unknown words are as likely the words it
    is asked in ("what can one poke there") as a subject that would narrow the list to nothing.
    """
    if not (verdict.is_models_own and verdict.route in _LISTS):
        return features.target_terms
    unknown = frozenset(features.informative) - frozenset(features.known_words)
    return tuple(term for term in features.target_terms if term not in unknown)


def _positions(markers: Iterable[Marker], groups: tuple[str, ...]) -> frozenset[int]:
    return frozenset(i for m in markers if m.group in groups for i in m.positions)


def _no_names(markers: tuple[Marker, ...]) -> tuple[str, ...]:
    """Groups whose words name nothing in such a question.

    What something is related to may be the FAQ, a "generic" word in any other question.
    """
    if any(marker.group in ("related_documents", "relation") for marker in markers):
        return ("whole",)
    return ("generic", "whole") if is_listing(markers) else ("generic",)


def _lexicon(question: Question, subjects: frozenset[int], knowledge: Knowledge) -> Lexicon:
    stems = {s for i in subjects for s in question.words[i].stems}
    documents = knowledge.document_count() if stems else 0
    return Lexicon(knowledge.document_frequency(stems) if documents else {}, documents)


def _is_foreign(question: Question, knowledge: Knowledge) -> bool:
    """Whether the index has the other language's function words and none of the question's."""
    cyrillic = sum(word.is_cyrillic for word in question.words)
    own, other = ("ru", "en") if 2 * cyrillic >= len(question.words) else ("en", "ru")
    probe = (*_FUNCTION_WORDS[own], *_FUNCTION_WORDS[other])
    found = knowledge.document_frequency({stem(word) for word in probe})
    return bool(found) and not any(stem(word) in found for word in _FUNCTION_WORDS[own])
