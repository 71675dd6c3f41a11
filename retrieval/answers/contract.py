"""The request and the response of an API document."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from docs_agent.core.text import normalize
from docs_agent.retrieval.answers.aspects import REQUEST, RESPONSE
from docs_agent.retrieval.answers.draft import Part
from docs_agent.retrieval.answers.passages import Passage
from docs_agent.retrieval.answers.rendering import quoted
from docs_agent.retrieval.answers.terms import Terms
from docs_agent.retrieval.answers.wording import Wording

SECTIONS: Final = (
    (
        REQUEST,
        (
            "request",
            "request body",
            "request fields",
            "request parameters",
            "parameters",
            "запрос",
            "тело запроса",
            "поля запроса",
            "параметры",
            "параметры запроса",
            "входные параметры",
        ),
    ),
    (
        RESPONSE,
        (
            "response",
            "response body",
            "response fields",
            "ответ",
            "тело ответа",
            "поля ответа",
            "выходные параметры",
        ),
    ),
)
"""Aspect and the headings under which a document tells it."""


def contract(
    found: Sequence[Passage], aspect: str, wanted: Terms, words: Wording
) -> tuple[Part, ...]:
    """The passage of one side of the contract; only the fields the question names when it names
    some, nothing when it asks for something that is not there."""
    names = dict(SECTIONS)[aspect]
    for passage in found:
        if normalize(passage.title).strip(" :") not in names or not passage.statements:
            continue
        named = [s for s in passage.statements if wanted.hit(s.found)]
        if wanted.items and not named:
            continue
        return quoted(passage, named or passage.statements, words)
    return ()
