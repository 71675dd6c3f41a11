"""What kind of section answers a question, by the way it asks: actions for "what to do", reasons
for "why". Such a section is preferred over one that merely uses the same words."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from itertools import pairwise
from typing import Final

from docs_agent.core.text import normalize, stems

KINDS: Final = (
    (
        1.0,
        "what to do|what do i do|what should i do|what do we do|how to fix|how do i fix"
        "|how can i fix|how to solve|how do i solve|how to resolve"
        "|что делать|что сделать|как исправить|как починить|как устранить|как решить|как быть",
        "action actions fix fixes solution resolution remediation mitigation recovery response"
        " steps действие действия решение устранение исправление восстановление шаги",
    ),
    (
        0.4,
        "how do i|how to|how can i|how do we|how should i|как мне|как сделать|по шагам",
        "steps procedure instructions шаги процедура инструкция",
    ),
    (
        0.5,
        "why|for what reason|почему|зачем|по какой причине",
        "why reason reasons rationale context motivation cause причина причины почему зачем"
        " обоснование контекст мотивация",
    ),
)
"""What a heading adds to its passage, ways of asking, words of the headings they ask for."""
DEFINITIONS: Final = (
    "what is|what are|what does|что такое|что значит|что означает|what is meant by|define|кто такой"
)
"""Ways of asking what a word means."""
HOW_TO: Final = (
    "how to|how do i|how do we|how can i|how can we|how should i|how should we|как мне|по шагам"
)
"""Ways of asking for the steps of doing something."""
WAYS: Final = "how do|how does|how can|how could|how should|how is|how are|каким образом|как"
"""Beginnings of questions in which way something goes, besides `HOW_TO`."""
_INFINITIVES: Final = ("ть", "ти", "чь", "ться", "тись", "чься")
EXCEPTIONAL: Final = "exception exceptions исключение исключения особый особые special"
"""Words of a heading below which a rule does not hold."""


def preference(question: str) -> Callable[[str], float]:
    """What a heading adds to its passage for the way of asking."""
    asked = [
        (gain, words)
        for gain, phrases, words in _compiled()
        if any(f" {phrase} " in _form(question) for phrase in phrases)
    ]

    def gain_of(heading: str) -> float:
        own = set(stems(heading)) if asked else set()
        return max((gain for gain, words in asked if not words.isdisjoint(own)), default=0.0)

    return gain_of


def asks_definition(question: str) -> bool:
    """True for a question that may ask what a word means: "what is X", "что такое X"."""
    form = _form(question)
    return any(form.startswith(f" {phrase} ") for phrase in DEFINITIONS.split("|"))


def asks_how(question: str) -> bool:
    """True for a question how to do something: "how do I …", "как" before an infinitive."""
    form = _form(question)
    if any(f" {phrase} " in form for phrase in HOW_TO.split("|")):
        return True
    words = form.split()
    return any(word == "как" and after.endswith(_INFINITIVES) for word, after in pairwise(words))


def asks_way(question: str) -> bool:
    """True for a question in which way something is done or goes: "how does …", "как" at its
    beginning, not "how many"."""
    form = _form(question)
    return asks_how(question) or form.startswith(tuple(f" {way} " for way in WAYS.split("|")))


def is_exceptional(heading: str) -> bool:
    """True for a heading that announces exceptions."""
    return not _exceptional().isdisjoint(stems(heading))


def _form(question: str) -> str:
    words = "".join(char if char.isalnum() or char == "-" else " " for char in normalize(question))
    return f" {' '.join(words.split())} "


@lru_cache(maxsize=1)
def _compiled() -> tuple[tuple[float, tuple[str, ...], frozenset[str]], ...]:
    return tuple(
        (gain, tuple(ways.split("|")), frozenset(stems(words))) for gain, ways, words in KINDS
    )


@lru_cache(maxsize=1)
def _exceptional() -> frozenset[str]:
    return frozenset(stems(EXCEPTIONAL))
