"""What a question narrows a list to: its informative terms against the words of a record."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import lru_cache
from typing import Final

from docs_agent.core.routes import RouteResult
from docs_agent.core.text import stems, stop_stems
from docs_agent.retrieval.answers.terms import concept, fillers

COMMON: Final = """
api апи rest http endpoint endpoints эндпоинт ручка method methods метод route routes маршрут
project проект service сервис system система application app приложение documentation docs doc
документация документ document file файл list список all все весь available доступный exist
существующий public публичный whole целый
domain домен subdomain поддомен
entity сущность component компонент module модуль
integration integrations integrate integrated интеграция интегрирован интегрироваться integrates
external внешний direction направление
related связанный связан linked link связь ссылка parent child children родитель дочерний
belong belongs belonging относится относятся относиться принадлежит about describe
used use uses usage using используется использование использовать mention mentioned упоминается
"""
"""Words that say what kind of thing is listed, not which."""
_ROOT: Final = 5
"""Letters that two words must share at the beginning to be one compound ("healthcheck")."""


def subject_terms(route: RouteResult, common: str = "") -> tuple[str, ...]:
    """The terms of a route that name a subject: without the words of its kind and `common`."""
    ignored = _common() | frozenset(stems(common))
    kept = []
    for term in route.target_terms:
        own = frozenset(stems(term))
        if own and not own <= ignored:
            kept.append(term)
    return tuple(dict.fromkeys(kept))


def is_common(word: str) -> bool:
    """True for a word that says what kind of thing is listed, or asks."""
    return frozenset(stems(word)) <= _common()


def share(terms: Collection[str], found: Collection[str]) -> float:
    """Share of the terms whose stems, or stems of the same concept, are among `found`."""
    if not terms:
        return 0.0
    return sum(_met(term, found) for term in terms) / len(terms)


def compound_share(terms: Collection[str], found: Iterable[str]) -> float:
    """The same where one word may be the beginning of the other ("healthcheck" of "health")."""
    known = [stem for stem in found if len(stem) >= _ROOT]
    if not terms:
        return 0.0
    return sum(_begins(term, known) for term in terms) / len(terms)


def has_name(name: str, found: Collection[str]) -> bool:
    """True when all informative stems of a name are among the stems `found`."""
    own = [stem for stem in stems(name) if stem not in stop_stems()]
    return bool(own) and all(stem in found for stem in own)


def _met(term: str, found: Collection[str]) -> bool:
    return any(not concept(stem).isdisjoint(found) for stem in stems(term))


def _begins(term: str, known: Collection[str]) -> bool:
    own = [stem for stem in stems(term) if len(stem) >= _ROOT]
    return any(a.startswith(b) or b.startswith(a) for a in own for b in known)


@lru_cache(maxsize=1)
def _common() -> frozenset[str]:
    return frozenset(stems(COMMON)) | fillers()
