"""A language model is asked where a question goes. What it replies is data from outside."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, NamedTuple

from docs_agent.core.errors import ServiceError
from docs_agent.core.llm.budget import estimate, fit
from docs_agent.core.llm.prompts import Prompt, load_prompts
from docs_agent.core.llm.protocol import LLM
from docs_agent.core.llm.reply import json_object
from docs_agent.core.text import language_of
from docs_agent.router.catalogue import ROUTES
from docs_agent.router.features import Features
from docs_agent.router.strategies import Trouble
from docs_agent.router.validator import Proposal, one_line, validate

FIELDS: Final = ("routing_domain", "intent", "subintent", "confidence", "reason_short")
"""What a model may choose; everything else in a reply is ignored."""

MAX_REPLY_TOKENS: Final = 512
_MAX_QUESTION: Final = 2_000
"""Characters of the question that are sent."""
_MAX_VALUES: Final = 10
"""Values of one anchor that are sent."""
_MAX_VALUE: Final = 120
"""Characters of such a value."""
_MAX_REPLY: Final = 20_000
"""Characters of a reply that are looked at."""
_CUTS: Final = 2
"""How often a question is cut before it is given up."""
_SHOWN_REPLY: Final = 300
"""Characters of a reply that are kept for whoever wants to know."""


class Consultation(NamedTuple):
    """What came of asking a language model."""

    model: str
    """Provider and model."""
    proposal: Proposal | None
    """The proposed route; None when the reply was of no use."""
    problem: str = ""
    """Why it was of no use, one line; empty when there is a proposal."""
    reply: str = ""
    """The beginning of the reply in one line; empty when there was none."""


def consult(llm: LLM, features: Features, trouble: Trouble | None = None) -> Consultation:
    """Asks once. A service that fails is told to `trouble`, never raised."""
    try:
        system, user = render(features, llm.prompt_budget)
        completion = llm.complete(system, user, max_tokens=MAX_REPLY_TOKENS, schema=schema())
    except ServiceError as error:
        if trouble is not None:
            trouble(error)
        return Consultation(llm.name, None, f"no reply: {one_line(error.message, _SHOWN_REPLY)}")
    text = completion.text[:_MAX_REPLY]
    candidate = json_object(text, FIELDS)
    proposal = validate(candidate)
    problem = ""
    if proposal is None:
        problem = "no JSON object in the reply" if candidate is None else "no route of the table"
    return Consultation(llm.name, proposal, problem, one_line(text, _SHOWN_REPLY))


def render(features: Features, budget: int) -> tuple[str, str]:
    """System and user text about a question, in the language of the question.

    The question stands inside a JSON text, so nothing in it can end the data and begin an
    instruction; what a model makes of it all the same is met by the validator. A long question is
    cut to the budget (tokens of both texts). Raises ServiceError when the rest does not fit.
    """
    prompt = _prompts()[f"route_{language_of(features.user_query) or 'en'}"]
    sent = payload(features)
    for _ in range(_CUTS + 1):
        system, user = prompt.render(payload=json.dumps(sent, ensure_ascii=False, indent=1))
        excess = estimate(system) + estimate(user) - budget
        if excess <= 0:
            return system, user
        question = sent["normalized_query"]
        # Quotes and line ends take more room in JSON than they take by themselves.
        written = max(estimate(json.dumps(question, ensure_ascii=False)), 1)
        room = estimate(question) * max(written - excess, 0) // written
        sent["normalized_query"] = fit((question,), room).texts[0]
    raise ServiceError(
        f"`llm.context_tokens` has no room for the routes, {excess} tokens are missing",
        remedy="raise it, or lower `llm.max_tokens`",
    )


def payload(features: Features) -> dict[str, Any]:
    """What is sent about a question; bounded, whatever the question."""
    return {
        "normalized_query": _clean(features.question.text, _MAX_QUESTION),
        "target_terms": _values(features.target_terms),
        "anchors": {name: _value(value) for name, value in asdict(features.anchors).items()},
        "allowed_routes": [
            {
                "routing_domain": row.routing_domain,
                "intent": row.intent,
                "subintent": row.subintent,
                "meaning": row.meaning,
            }
            for row in ROUTES
        ],
    }


def schema() -> Mapping[str, Any]:
    """The reply as JSON schema, for services that hold a model to one."""
    choices = {
        "routing_domain": dict.fromkeys(row.routing_domain for row in ROUTES),
        "intent": dict.fromkeys(row.intent for row in ROUTES),
        "subintent": dict.fromkeys(row.subintent for row in ROUTES),
    }
    return {
        "type": "object",
        "properties": {
            **{name: {"type": "string", "enum": list(values)} for name, values in choices.items()},
            "confidence": {"type": "number"},
            "reason_short": {"type": "string"},
        },
        "required": list(FIELDS),
        "additionalProperties": False,
    }


@lru_cache(maxsize=1)
def _prompts() -> Mapping[str, Prompt]:
    return load_prompts(Path(__file__).with_name("prompts.yml"))


def _value(value: Any) -> Any:
    if value is None:
        return None
    return _clean(value, _MAX_VALUE) if isinstance(value, str) else _values(value)


def _values(values: Iterable[str]) -> list[str]:
    return [_clean(value, _MAX_VALUE) for value in tuple(values)[:_MAX_VALUES]]


def _clean(text: str, limit: int) -> str:
    """Text that any JSON reader takes: no lone surrogates, at most `limit` characters."""
    return text[:limit].encode("utf-8", "replace").decode("utf-8")
