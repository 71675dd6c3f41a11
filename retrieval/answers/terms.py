"""The informative words of a question, weighted by how rare they are in this documentation."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from math import log
from typing import Final

from docs_agent.core.knowledge import Knowledge
from docs_agent.core.text import stems

_FILLERS: Final = """
a an the and or but if then else of in on at by for from to with without into about as is are was were be been being am
do does did done doing have has had having can could will would shall should may might must need want get gets got make
makes made it its this that these those there here what which who whom whose when where why how i me my we our us you
your he she they them their not no nor only own same so too very just also any some all each every both few more most
other such than out up down over under again once tell show explain describe please give let use used using work works
whats dont doesnt cant many much times time often happens happen
один одна одно одного одной раз
и а но или если то же ли бы не ни да в во на по за из от до для с со к ко о об обо у при про над под без через между
что чтобы как какой какая какое какие каких каким какую который которая которое которые кто где когда зачем почему куда
откуда сколько чей это этот эта эти этого этой тот та те того той так такой такая такое такие там тут здесь он она оно
они его ее их ему ей им мы нас нам наш наша я меня мне мой моя вы вас вам ваш свой свою своя себя быть есть был была
было были будет будут мочь может можно могу нужно надо нужен нужна хочу хочет делать сделать делает работает работать
работают расскажи объясни опиши покажи пожалуйста дай все всё весь вся всех уже еще ещё только лишь тоже также очень
вместо либо хотя пока чем
"""

NUMBERS: Final = (
    "1 first первый первая первого первой",
    "2 two second два две второй вторая второго",
    "3 three third три третий третья третьего третьей",
    "4 four fourth четыре четвертый четвертая четвертого четвертой",
    "5 five fifth пять пятый пятая пятого пятой",
    "6 six sixth шесть шестой шестая",
    "7 seven seventh семь седьмой седьмая",
    "8 eight eighth восемь восьмой восьмая",
    "9 nine ninth девять девятый девятая",
    "10 ten tenth десять десятый десятая",
)
"""Numbers and their names."""

CONCEPTS: Final = (
    "error errors failure fail ошибка ошибки сбой отказ",
    "timeout timeouts таймаут тайм-аут ожидание",
    "request запрос body тело accept accepts input принимает принимать передать передавать вход",
    "parameter param argument field параметр аргумент поле поля",
    "response return returns answer ответ отвечает возвращает вернет возвращаться отдает",
    "retry retries repeat attempt повтор повторять повторный попытка",
    "auth authentication authorization авторизация аутентификация",
    "token токен",
    "attribute атрибут",
    "state status состояние статус",
    "lifecycle transition жизненный переход",
    "integration integrates интеграция интегрируется",
    "purpose назначение предназначение",
    "step flow scenario шаг сценарий порядок",
    "limit constraint ограничение лимит предел",
    "requirement требование",
    "default умолчание",
    "delay pause interval задержка пауза интервал",
    "store storage database хранить хранилище база хранится",
    "delete remove cleanup удалить удаление удаляется очистка",
    "send sending отправить отправка отправляет отправлять",
    "delivery deliver доставка доставить доставляет",
    "recipient получатель",
    "message сообщение",
    "notification уведомление",
    "queue очередь",
    "example пример",
    "install installation установка установить",
    "configure configuration setting settings настройка настроить конфигурация",
    "header заголовок",
    "key ключ",
    "code код",
    "type тип",
    "required mandatory обязательный обязательное",
    "maximum max максимум максимальный",
    "trigger триггер",
    "actor участник",
    "precondition предусловие",
    "button кнопка",
    "page страница",
    "table таблица",
    "variable переменная",
    "file файл",
    "version версия",
    "module модуль",
    "definition определение",
    "component компонент",
    "backup резервный копия копирование",
    "night nightly ночь ночью ночной",
    "start begin запуск запускать запустить",
    "stop остановить остановка останавливает",
    *NUMBERS,
)
"""Words of technical documentation that mean the same, both languages: a question in one language
meets the headings and labels of a document in the other. Each line is one concept."""


@dataclass(frozen=True, slots=True)
class Term:
    """One word of the question."""

    stem: str
    weight: float
    same: frozenset[str]
    """Stems that count as this one: itself and those of its concept."""


@dataclass(frozen=True, slots=True)
class Terms:
    """The words of a question that an answer should speak of."""

    items: tuple[Term, ...]

    def covered(self, found: Collection[str]) -> float:
        """Share of the weight whose words are among the stems `found`, 0.0 to 1.0."""
        total = sum(term.weight for term in self.items)
        if not total:
            return 0.0
        met = sum(_met(term, found) for term in self.items)
        return met / total

    def hit(self, found: Collection[str]) -> frozenset[str]:
        """Stems of the terms that are among the stems `found`."""
        return frozenset(t.stem for t in self.items if not t.same.isdisjoint(found))

    def weakened(self, known: Collection[str], factor: float) -> Terms:
        """The same terms, those among the stems `known` with `factor` times their weight."""
        return Terms(
            tuple(
                replace(t, weight=t.weight * factor) if t.stem in known else t for t in self.items
            )
        )

    def without(self, known: Collection[str]) -> Terms:
        """The terms that are not among the stems `known`."""
        return Terms(tuple(t for t in self.items if t.stem not in known))


_CONCEPT_WORTH: Final = 0.8
"""A word of the same concept counts a little less than the word itself."""


def _met(term: Term, found: Collection[str]) -> float:
    if term.stem in found:
        return term.weight
    return 0.0 if term.same.isdisjoint(found) else term.weight * _CONCEPT_WORTH


def terms_of(question: str, knowledge: Knowledge) -> Terms:
    """Weighted terms of a question. Words that occur nowhere keep a weight only when a word of the
    same concept occurs."""
    wanted = tuple(dict.fromkeys(s for s in stems(question) if s not in fillers() and _says(s)))
    related = {s: _concept(s) for s in wanted}
    frequency = knowledge.document_frequency({s for same in related.values() for s in same})
    count = max(knowledge.document_count(), 1)
    items = []
    for stem in wanted:
        seen = [frequency[s] for s in related[stem] if frequency.get(s)]
        if seen:
            items.append(Term(stem, log(1 + count / min(max(seen), count)), related[stem]))
    return Terms(tuple(items))


@lru_cache(maxsize=1)
def fillers() -> frozenset[str]:
    """Stems that carry no subject: function words and the verbs of asking."""
    return frozenset(stems(_FILLERS))


def is_filler(words: Iterable[str]) -> bool:
    """True when none of the stems carries a subject."""
    return all(word in fillers() for word in words)


def says_number(text: str, found: Collection[str]) -> bool:
    """True when a text with the stems `found` names a number; that of a label (`FR-1:`) is none."""
    label, colon, rest = text.partition(":")
    said = rest if colon and " " not in label else text
    return any(char.isdigit() for char in said) or not _number_words().isdisjoint(found)


@lru_cache(maxsize=1)
def _number_words() -> frozenset[str]:
    return frozenset(stems(" ".join(NUMBERS)))


def _says(stem: str) -> bool:
    return len(stem) > 1 or stem.isdigit()


@lru_cache(maxsize=1)
def _concepts() -> dict[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = {}
    for line in CONCEPTS:
        group = frozenset(stems(line))
        for word in group:
            found[word] = found.get(word, frozenset()) | group
    return found


def _concept(stem: str) -> frozenset[str]:
    return _concepts().get(stem, frozenset()) | {stem}
