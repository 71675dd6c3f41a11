"""The informative words of a question, weighted by how rare they are in this documentation."""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache
from typing import Final, NamedTuple

from docs_agent.core.layers import D1
from docs_agent.core.store.protocol import Reader
from docs_agent.core.text import normalize, stems, stop_stems
from docs_agent.retrieval.execute_spelling import correct
from docs_agent.retrieval.execute_terms import Question, rarity, read_terms, weigh

PHRASAL: Final = (
    "back up backs backed backing",
    "set up sets setting",
    "start up starts started starting",
    "clean up cleans cleaned cleaning",
    "look up looks looked looking",
    "log in logs logged logging",
    "log out logs logged logging",
    "sign up signs signed signing",
    "sign in signs signed signing",
    "shut down shuts shutting",
    "roll back rolls rolled rolling",
    "roll out rolls rolled rolling",
    "fall back falls falling",
    "time out times timed timing",
    "opt out opts opted opting",
)
"""Verbs of two words whose noun is one word ("back up", "backup"): verb, particle, other forms."""

_BETWEEN: Final = 3
"""Words after a verb among which its particle stands."""
_ASKING: Final = """
use used using work works happen happens tell show explain describe please give many much times
often time
работа работать объясни опиши покажи расскажи случится произойдет бывает
"""
"""Words of asking that the stop words leave in."""

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
    "error errors failure fail ошибка ошибки ошибок сбой отказ",
    "timeout timeouts таймаут тайм-аут ожидание",
    "request запрос body тело accept accepts input принимает принимать передать передавать вход",
    "parameter param argument field параметр аргумент поле поля",
    "response return returns answer ответ отвечает возвращает вернет возвращаться отдает",
    "retry retries repeat attempt повтор повторять повторный попытка попыток",
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
    "delay pause interval задержка задержек пауза интервал",
    "store storage database хранить хранилище база хранится",
    "delete remove cleanup удалить удаление удаляется очистка",
    "send sending отправить отправка отправок отправляет отправлять",
    "delivery deliver доставка доставок доставить доставляет",
    "recipient получатель",
    "message сообщение",
    "notification уведомление",
    "queue очередь",
    "example пример",
    "install installation установка установить",
    "configure configuration setting settings настройка настроек настроить конфигурация",
    "header заголовок",
    "key ключ",
    "code код",
    "type тип",
    "required mandatory обязательный обязательное",
    "maximum max максимум максимальный",
    "trigger триггер",
    "actor участник",
    "precondition предусловие",
    "button кнопка кнопок",
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


class Term(NamedTuple):
    """One word of the question."""

    stem: str
    weight: float
    same: frozenset[str]
    """Stems that count as this one: itself and those of its concept."""
    asked: str = ""
    """The stem as the question has it, where it was read as another word."""


class Terms(NamedTuple):
    """The words of a question that an answer should speak of."""

    items: tuple[Term, ...]

    def covered(self, found: Collection[str]) -> float:
        """Share of the weight whose words are among the stems `found`, 0.0 to 1.0."""
        total = sum(term.weight for term in self.items)
        if not total:
            return 0.0
        met = sum(_met(term, found) for term in self.items)
        return met / total

    def reached(self, found: Collection[str]) -> float:
        """The same, a word of the same concept counting as much as the word itself."""
        total = sum(term.weight for term in self.items)
        met = sum(t.weight for t in self.items if not t.same.isdisjoint(found))
        return met / total if total else 0.0

    def hit(self, found: Collection[str]) -> frozenset[str]:
        """Stems of the terms that are among the stems `found`."""
        return frozenset(t.stem for t in self.items if not t.same.isdisjoint(found))

    def weakened(self, known: Collection[str], factor: float) -> Terms:
        """The same terms, those among the stems `known` with `factor` times their weight."""
        return Terms(
            tuple(
                t._replace(weight=t.weight * factor) if t.stem in known else t for t in self.items
            )
        )

    def without(self, known: Collection[str]) -> Terms:
        """The terms that are not among the stems `known`."""
        return Terms(tuple(t for t in self.items if t.stem not in known and t.asked not in known))


_CONCEPT_WORTH: Final = 0.8
"""A word of the same concept counts a little less than the word itself."""


def _met(term: Term, found: Collection[str]) -> float:
    if term.stem in found:
        return term.weight
    return 0.0 if term.same.isdisjoint(found) else term.weight * _CONCEPT_WORTH


def terms_of(question: str, reader: Reader, *, file_lookup: bool = False) -> Terms:
    """Weighted terms of a question, misspelt words read as retrieval reads them.

    A word that occurs nowhere keeps a weight only when a word of the same concept occurs.
    """
    knowledge = reader.knowledge
    documents = knowledge.document_count()
    nouns = _nouns(question)
    spoken = {stem for verb in nouns.values() for stem in stems(verb)}
    question = " ".join((question, *nouns))
    asked = weigh(question, read_terms(question, file_lookup=file_lookup), knowledge)
    asked = correct(asked, lambda: reader.vocabulary(D1), documents)
    related = {s: _same(s, asked) for s in asked.idf if s not in fillers() and _says(s)}
    others = {s for same in related.values() for s in same} - asked.known
    frequency = knowledge.document_frequency(others)
    items = []
    for word, same in related.items():
        if word in spoken:
            continue
        if word in asked.known or word in asked.corrections:
            meant = asked.corrections.get(word, word)
            items.append(Term(meant, asked.idf[word], same | {meant, word}, word))
        elif seen := max((frequency.get(s, 0) for s in same), default=0):
            items.append(Term(word, rarity(seen, documents), same))
    return Terms(_with_decisive_numbers(items))


def _nouns(question: str) -> dict[str, str]:
    """The nouns of the verbs of two words in a question, each with the forms of its verb; at most
    two words stand between: "back the data up" asks for a backup."""
    said = normalize(question).split()
    words = [word.strip(".,;:!?\"'()") for word in said]
    found = {}
    for line in PHRASAL:
        verb, particle, *forms = line.split()
        at = [i for i, word in enumerate(words) if word == verb or word in forms]
        if any(particle in words[i + 1 : i + 1 + _BETWEEN] for i in at):
            found[verb + particle] = " ".join((verb, *forms))
    return found


def _with_decisive_numbers(items: list[Term]) -> tuple[Term, ...]:
    """A number that is asked for decides, however often it occurs elsewhere."""
    heaviest = max((item.weight for item in items), default=0.0)
    return tuple(item._replace(weight=heaviest) if is_number(item.stem) else item for item in items)


def _same(word: str, asked: Question) -> frozenset[str]:
    corrected = asked.corrections.get(word)
    return concept(word) | (concept(corrected) if corrected else frozenset())


@lru_cache(maxsize=1)
def fillers() -> frozenset[str]:
    """Stems that carry no subject: stop words and the verbs of asking."""
    return stop_stems() | frozenset(stems(_ASKING))


def says_number(text: str, found: Collection[str]) -> bool:
    """True when a text with the stems `found` names a number; that of a label (`FR-1:`) is none."""
    label, colon, rest = text.partition(":")
    said = rest if colon and " " not in label else text
    return any(char.isdigit() for char in said) or any(
        not stem.isdigit() and stem in _number_words() for stem in found
    )


def is_number(stem: str) -> bool:
    """True for a number in digits or by its name."""
    return stem.isdigit() or stem in _number_words()


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


def concept(stem: str) -> frozenset[str]:
    """The stems that mean the same as one, itself included."""
    return _concepts().get(stem, frozenset()) | {stem}
