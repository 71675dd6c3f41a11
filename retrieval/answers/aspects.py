"""What a question wants to know of the thing it names, by the words it uses."""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache
from typing import Final

from docs_agent.core.text import normalize, stems

STEPS: Final = "steps"
BRANCHES: Final = "branches"
ERRORS: Final = "errors"
INTEGRATIONS: Final = "integrations"
REQUEST: Final = "request"
RESPONSE: Final = "response"

FACT_QUESTIONS: Final = (
    "what is the",
    "what are the",
    "what does",
    "what happens",
    "which",
    "when",
    "where",
    "who",
    "how many",
    "how much",
    "how long",
    "how often",
    "how old",
    "сколько",
    "какой",
    "какая",
    "какое",
    "какие",
    "каков",
    "какова",
    "каким",
    "какую",
    "когда",
    "где",
    "кто",
    "как часто",
    "как долго",
    "через сколько",
    "что будет",
    "что происходит",
    "что делает",
    "что значит",
    "куда",
)
"""Beginnings of questions that ask for one fact rather than for an explanation."""

QUANTITY_QUESTIONS: Final = (
    "how many",
    "how much",
    "how long",
    "how often",
    "how old",
    "сколько",
    "как часто",
    "как долго",
    "какой срок",
    "какой версии",
    "какую версию",
    "which version",
    "what version",
    "максимум",
    "maximum",
    "timeout",
    "таймаут",
    "тайм-аут",
    "limit",
    "лимит",
)
"""Words of questions whose answer is a number."""

ASPECTS: Final = (
    (
        INTEGRATIONS,
        "integration integrations integrates integrated интеграция интеграции интегрируется"
        " connects connected external внешний внешние внешними",
    ),
    (
        STEPS,
        "step steps scenario flow process sequence процесс шаг шаги сценарий последовательность"
        " этап этапы алгоритм",
    ),
    (
        BRANCHES,
        "alternative alternatives branch otherwise альтернативный альтернативные ветка ветки иначе",
    ),
    (ERRORS, "error errors ошибка ошибки ошибок"),
    (
        REQUEST,
        "field fields parameter parameters argument arguments body request accept accepts pass"
        " поле поля полей параметр параметры аргумент аргументы тело запрос принимает передать",
    ),
    (RESPONSE, "return returns response answer возвращает вернет отдает ответ отвечает"),
)
"""Aspect and the words that ask for it; the first aspect whose word occurs is the one."""


_FIELDS: Final = "field fields поле поля полей"
"""Words that both sides of a contract have."""
_CARRYING: Final = """
take takes expect expects need needs have has contain contains include includes hold holds exist
list lists come comes look looks consist give gives possible describe described set
список перечень перечисли приходит приходят выглядит выглядят содержит содержатся состоит нужны
нужно нужен нужна имеет ждет ожидает есть бывают бывает существуют описаны описано задан задана
стоит находиться можно может могут
"""
"""Words that say only that a thing has, holds or takes something."""


@lru_cache(maxsize=1)
def carrying_stems() -> frozenset[str]:
    """Stems of the words that say only that something is there."""
    return frozenset(stems(_CARRYING))


def aspect_of(question_stems: Collection[str]) -> str:
    """The aspect a question asks for, empty when it asks for none of them. The fields of a response
    are no request."""
    asked = [name for name, words in _stemmed() if not words.isdisjoint(question_stems)]
    if asked[:2] == [REQUEST, RESPONSE]:
        said = dict(_stemmed())[REQUEST].intersection(question_stems)
        return RESPONSE if said <= frozenset(stems(_FIELDS)) else REQUEST
    return asked[0] if asked else ""


def asks_fact(question: str) -> bool:
    """True when a question asks for one fact: "how many …", "какой …"."""
    return _says_any(question, FACT_QUESTIONS) or asks_quantity(question)


def asks_quantity(question: str) -> bool:
    """True when the answer to a question is a number: "how many …", "сколько …"."""
    return _says_any(question, QUANTITY_QUESTIONS)


def _says_any(question: str, phrases: tuple[str, ...]) -> bool:
    words = "".join(char if char.isalnum() or char == "-" else " " for char in normalize(question))
    asked = f" {' '.join(words.split())} "
    return any(f" {phrase} " in asked for phrase in phrases)


def aspect_stems() -> frozenset[str]:
    """Stems of all words that name an aspect."""
    return frozenset().union(*(words for _, words in _stemmed()))


@lru_cache(maxsize=1)
def _stemmed() -> tuple[tuple[str, frozenset[str]], ...]:
    return tuple((name, frozenset(stems(words))) for name, words in ASPECTS)
