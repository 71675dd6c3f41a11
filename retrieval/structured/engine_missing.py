"""Questions whose engine does not exist: what is missing, and what can be asked instead."""

from __future__ import annotations

from typing import Final

from docs_agent.core.layers import D1
from docs_agent.core.routes import CODE_QA, DOC_GENERATION, OPENAPI_GENERATION
from docs_agent.core.store.protocol import LexicalWeights, RowFilter
from docs_agent.core.text import stems, stop_stems
from docs_agent.retrieval.structured.inquiry import Findings, Inquiry
from docs_agent.retrieval.structured.records import NEAREST, refused
from docs_agent.retrieval.structured.subject import subject_terms

ENGINE_MISSING: Final = "engine_missing"
_MESSAGES: Final = (
    (OPENAPI_GENERATION, "openapi_missing"),
    (DOC_GENERATION, "generation_missing"),
    (CODE_QA, "code_missing"),
)
_ASKING: Final = """
generate generation write create make produce build open show find test tests code source openapi
swagger spec specification feature entry point entrypoint implemented function class
сгенерируй сгенерировать генерация напиши написать создай сделай открой покажи найди тест код
исходный спецификация фича точка вход реализован функция класс
"""
"""Words of these questions that name no subject."""
_LONGEST: Final = 60
"""Characters of a subject that the example command repeats."""


def engine_missing(inquiry: Inquiry) -> Findings:
    """A refusal that says so; never an answer made up for the lack of it."""
    terms = subject_terms(inquiry.route, _ASKING)
    template = dict(_MESSAGES)[inquiry.route.intent]
    subject = _words(terms)
    instead = inquiry.words.say("instead")
    example = f'docs-agent find-files "{subject}"' if subject else instead
    message = inquiry.words.say(template, example=example)
    return refused(ENGINE_MISSING, message, _nearest(inquiry, terms))


def _nearest(inquiry: Inquiry, terms: tuple[str, ...]) -> tuple[str, ...]:
    """Documents that the question names, then those that speak of its subject."""
    where = RowFilter(layers=(D1,))
    wanted = [s for term in terms for s in stems(term) if s not in stop_stems()]
    weights = LexicalWeights(title=3.0)
    hits = inquiry.reader.lexical(D1, wanted, where, weights, NEAREST) if wanted else ()
    named = inquiry.anchors.target_doc_hints
    return tuple(dict.fromkeys((*named, *(hit.path for hit in hits))))[:NEAREST]


def _words(terms: tuple[str, ...]) -> str:
    """The subject inside a command to copy: no quotation marks, nothing that a shell expands."""
    text = " ".join(terms)
    return "".join(c for c in text if c.isprintable() and c not in "\"'`$\\!")[:_LONGEST]
