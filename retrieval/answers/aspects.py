"""What a question wants to know of the thing it names, by the words it uses."""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache
from typing import Final

from docs_agent.core.text import stems

STEPS: Final = "steps"
BRANCHES: Final = "branches"
ERRORS: Final = "errors"
INTEGRATIONS: Final = "integrations"

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
    (ERRORS, "error errors ошибка ошибки"),
)
"""Aspect and the words that ask for it; the first aspect whose word occurs is the one."""


def aspect_of(question_stems: Collection[str]) -> str:
    """The aspect a question asks for, empty when it asks for none of them."""
    return next((name for name, words in _stemmed() if not words.isdisjoint(question_stems)), "")


def aspect_stems() -> frozenset[str]:
    """Stems of all words that name an aspect."""
    return frozenset().union(*(words for _, words in _stemmed()))


@lru_cache(maxsize=1)
def _stemmed() -> tuple[tuple[str, frozenset[str]], ...]:
    return tuple((name, frozenset(stems(words))) for name, words in ASPECTS)
