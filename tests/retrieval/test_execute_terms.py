"""Words of a question: which count, which are names, which are misspelt."""

from __future__ import annotations

from collections.abc import Collection, Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docs_agent.core.knowledge import NoKnowledge
from docs_agent.core.text import stems
from docs_agent.retrieval.execute_features import is_unknown_name
from docs_agent.retrieval.execute_loanwords import same_word
from docs_agent.retrieval.execute_spelling import correct
from docs_agent.retrieval.execute_terms import MAX_STEMS, Question, rarity, read_terms, weigh

INDEX = (
    "receive multiple files in one form field jsonable_encoder middleware session database "
    "порядка выполнения зависимости приложения класс аргументов служба WebSocket"
)


class Words(NoKnowledge):
    """Knowledge of a hundred documents in which every word of INDEX occurs twice."""

    def document_count(self) -> int:
        return 100

    def document_frequency(self, wanted: Collection[str]) -> Mapping[str, int]:
        return {s: 2 for s in wanted if s in vocabulary()}


def vocabulary() -> dict[str, int]:
    return dict.fromkeys(stems(INDEX), 2)


def read(text: str) -> Question:
    question = weigh(text, read_terms(text, file_lookup=False), Words())
    return correct(question, vocabulary, 100)


def test_stop_words_of_both_languages_are_left_out() -> None:
    assert [t.text for t in read_terms("How do I close the valve?", file_lookup=False)] == [
        "close",
        "valve",
    ]
    russian = read_terms("как мне можно закрыть этот вентиль?", file_lookup=False)
    assert [t.text for t in russian] == ["закрыть", "вентиль"]


def test_words_that_ask_for_a_document_count_only_outside_a_file_lookup() -> None:
    question = "в каком файле описан вентиль"
    assert [t.text for t in read_terms(question, file_lookup=True)] == ["вентиль"]
    assert len(read_terms(question, file_lookup=False)) == 3


def test_a_question_of_stop_words_keeps_them() -> None:
    assert [t.text for t in read_terms("what is this", file_lookup=False)] == [
        "what",
        "is",
        "this",
    ]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("How do I use LDAP here", ["LDAP"]),
        ("Active Directory", ["Directory"]),
        ("set max_age for /users/me", ["max_age", "/users/me"]),
        ("call gRPC with UploadFile", ["gRPC", "UploadFile"]),
        ("как подключить redis", ["redis"]),
        ("Plain words. Another sentence", []),
    ],
)
def test_names_are_told_from_words(text: str, names: list[str]) -> None:
    assert [t.text for t in read_terms(text, file_lookup=False) if t.named] == names


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("recieve", "receive"),
        ("multple", "multiple"),
        ("feild", "field"),
        ("jsonable_encodr", "jsonable_encoder"),
        ("databse", "database"),
        ("поряке", "порядке"),
        ("зависимсти", "зависимости"),
        ("приложния", "приложения"),
        ("клас", "класс"),
        ("аргуметов", "аргументов"),
    ],
)
def test_a_misspelt_word_is_read_as_the_nearest_known_one(wrong: str, right: str) -> None:
    assert set(read(wrong).corrections.values()) & set(stems(right))


@pytest.mark.parametrize(
    ("asked", "known"),
    [
        ("вебсокет", "websocket"),
        ("докер", "docker"),
        ("токен", "token"),
        ("эндпоинт", "endpoint"),
        ("роутер", "router"),
        ("хендлер", "handler"),
        ("кубернетес", "kubernetes"),
        ("вебхуками", "webhooks"),
        ("фронтенд", "frontend"),
        ("websocket", "вебсокет"),
        ("docker", "докер"),
    ],
)
def test_a_foreign_word_is_found_in_the_other_alphabet(asked: str, known: str) -> None:
    words = (*stems("кот сокет дом cat house code веб"), *stems(known))
    found = same_word(asked, words) or same_word(stems(asked)[0], words)
    assert found == stems(known)[0]


@pytest.mark.parametrize("word", ["подписка", "оплата", "борщ", "кофе", "coffee", "of"])
def test_words_that_only_share_letters_are_not_the_same(word: str) -> None:
    words = stems("code coffin podcast opal borsch plata border кофта офис плата podium")
    assert same_word(word, words) in ("", "borsch")


@pytest.mark.parametrize("word", ["coffee", "LDAP", "подписка", "files", "ab", "x1y2z3"])
def test_a_known_or_distant_word_is_left_alone(word: str) -> None:
    assert read(word).corrections == {}


def test_the_vocabulary_is_not_loaded_when_every_word_is_known() -> None:
    def never() -> Mapping[str, int]:
        raise AssertionError("loaded")

    question = weigh("files", read_terms("multiple files", file_lookup=False), Words())
    assert correct(question, never, 100) is question


@pytest.mark.parametrize(
    ("text", "unknown"),
    [
        ("use SessionMiddleware", ["SessionMiddleware"]),
        ("use LDAP", ["LDAP"]),
        ("open a WebSocket", []),
        ("call jsonable_encodr", []),
        ("как подключить middlware", []),
        ("GET /nope", ["/nope"]),
    ],
)
def test_unknown_names_are_recognised(text: str, unknown: list[str]) -> None:
    question = read(text)
    found = [t.text for t in question.terms if is_unknown_name(t, question)]
    assert [name for name in found if name != "GET"] == unknown


@given(st.text(max_size=400))
@settings(max_examples=200, deadline=None, derandomize=True)
def test_any_text_is_read_without_failing(text: str) -> None:
    question = read(text)
    assert question.mass > 0
    assert len(question.idf) <= MAX_STEMS
    assert 0.0 <= question.covered(frozenset(stems(INDEX))) <= 1.0


def test_a_long_question_is_searched_by_its_rarest_words() -> None:
    words = " ".join(f"word{n}x" for n in range(300)) + " middleware"
    question = read(words)
    assert len(question.idf) <= MAX_STEMS
    assert "middlewar" in question.known


def test_words_of_asking_weigh_little_and_are_never_missing() -> None:
    question = read("explain how middleware is used")
    assert [t.text for t in question.told] == ["middleware"]
    # The index has neither "explain" nor "used".
    assert set(question.idf) == {"middlewar"}


@pytest.mark.parametrize("text", ["use", "explain", "покажи", "документация", "how does it work"])
def test_a_question_of_words_of_asking_is_not_empty(text: str) -> None:
    question = read(text)
    assert question.told
    assert question.mass > 1.0


def test_a_word_of_asking_inside_an_identifier_is_content() -> None:
    assert not read("docs_url middleware").weak & {"docs_url", "doc", "url"}


@pytest.mark.parametrize("documents", [1, 2, 3, 15])
def test_a_word_of_every_document_is_worth_something_in_a_small_collection(documents: int) -> None:
    assert rarity(documents, documents) > 0.1 * rarity(0, documents)


@pytest.mark.parametrize("word", ["кафка", "кафки", "кафку", "кафке", "кафкой"])
def test_a_foreign_name_is_found_in_every_case(word: str) -> None:
    assert same_word(word, stems("kafka table кофта")) == "kafka"


@pytest.mark.parametrize(
    ("text", "vocabulary", "meant"),
    [
        ("how to roll back", ["rollback"], {"roll": "rollback"}),
        ("зал занят", ["занят"], {"зан": "занят"}),
        ("кто отправляет", ["отправк"], {"отправля": "отправк"}),
        # Strangers that begin alike, and English, whose stems are families already.
        ("контроль", ["контракт"], {}),
        ("transporter", ["transportable"], {}),
    ],
)
def test_forms_that_stems_keep_apart_are_found(
    text: str, vocabulary: list[str], meant: dict[str, str]
) -> None:
    terms = read_terms(text, file_lookup=False)
    idf = {s: 1.0 for term in terms for s in term.stems}
    asked = Question(text, "", terms, idf, frozenset(), {})
    found = correct(asked, lambda: dict.fromkeys(vocabulary, 1), 3).corrections
    assert {s: word for s, word in found.items() if s in meant} == meant
    assert meant or not found
