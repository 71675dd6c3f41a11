"""How many, how often, how long: numbers with the unit that a question asks for."""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import lru_cache
from typing import Final, NamedTuple

from docs_agent.core.text import normalize, stems
from docs_agent.retrieval.answers.terms import concept, fillers, says_number

COUNT: Final = "count"
TIME: Final = "time"
REPEATED: Final = "repeated"
NUMBER: Final = "number"
_ASKED: Final = (
    (REPEATED, r"how often|как часто|с какой частотой|how frequently"),
    (
        TIME,
        r"how long|how soon|how old|как долго|как скоро|через сколько|сколько времени"
        r"|какой срок|timeout|таймаут|тайм-аут",
    ),
    (COUNT, r"how many|how much|сколько|какое количество|what number of"),
)
"""Kind of number and the words that ask for it; the first that occurs is the one."""
_UNITS: Final = r"""
ms|s|sec|milliseconds?|seconds?|minutes?|hours?|days?|weeks?|months?|years?|мс|сек|мин|ч
|миллисекунд\w*|секунд\w*|минут\w*|час\w{0,2}|дн\w{1,2}|день|сутки|суток|недел\w*|месяц\w*|год\w?|лет
"""
_TIME = re.compile(rf"\d[\d.,]*\s*(?:{''.join(_UNITS.split())})\b")
_EVERY = re.compile(
    r"\b(?:every|each|per|once|hourly|daily|nightly|weekly|кажд\w+|раз в|ежедневно|еженедельно"
    r"|ежечасно)\b"
)
_NUMBER = re.compile(
    r"\d+|\b(?:two|three|four|five|six|seven|eight|nine|ten|две|два|двух|три|трех"
    r"|четыре\w?|пят[ьи]|шест[ьи]|сем[ьи]|восемь|восьми|девят[ьи]|десят[ьи])\b"
)
_LABEL = re.compile(r"^[^\W\d]+-?\d+:")
"""The number of a requirement (`FR-1:`), which counts nothing."""
_SECOND: Final = 2
"""Words between a number and what it counts, itself included."""
_WORD = re.compile(r"[^\W\d_][\w-]*")


class Quantity(NamedTuple):
    """What number is asked for."""

    kind: str
    counted: frozenset[str]
    """Stems of what is counted."""

    def fits(self, text: str, found: Collection[str]) -> float:
        """1.0 for a statement with such a number, 0.5 for one with a number, 0.0 for another."""
        if not says_number(text, found):
            return 0.0
        said = normalize(text)
        if self.kind == REPEATED:
            return 1.0 if _EVERY.search(said) else 0.5
        if self.kind == TIME:
            return 1.0 if _TIME.search(said) else 0.5
        if self.kind == COUNT and self.counted:
            return 1.0 if self._is_counted(said) else 0.5
        return 0.5

    def _is_counted(self, text: str) -> bool:
        text = _LABEL.sub("", text)
        for number in _NUMBER.finditer(text):
            words = 1 if _TIME.match(text, number.start()) else _SECOND
            near = _WORD.findall(text[number.end() : number.end() + 60])[:words]
            if not self.counted.isdisjoint(stems(" ".join(near))):
                return True
        return False


def quantity_of(question: str) -> Quantity:
    """The number that a question asks for; of kind NUMBER where it does not say which."""
    text = normalize(question)
    for kind, ways in _asked():
        found = ways.search(text)
        if found is None:
            continue
        counted: frozenset[str] = frozenset()
        if kind == COUNT:
            after = [w for w in stems(text[found.end() :]) if w not in _bare()]
            counted = _same(after[0]) if after else counted
        return Quantity(kind, counted)
    return Quantity(NUMBER, frozenset())


@lru_cache(maxsize=1)
def _asked() -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple((kind, re.compile(rf"\b(?:{ways})\b")) for kind, ways in _ASKED)


@lru_cache(maxsize=1)
def _bare() -> frozenset[str]:
    return fillers() - frozenset(stems("time times раз"))


def _same(stem: str) -> frozenset[str]:
    """The counted thing in other words; times are attempts."""
    times = frozenset(stems("times раз attempts попыток"))
    return concept(stem) | (times if stem in stems("times раз") else frozenset())
