"""Word by word: how much of a question a window says in words near its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from docs_agent.core.embed.protocol import Encoder
from docs_agent.core.store.protocol import Reader
from docs_agent.retrieval.execute_spelling import correct
from docs_agent.retrieval.execute_terms import CORRECTED_WEIGHT, Question, read_terms, weigh
from docs_agent.retrieval.rerank import Window, word_by_word
from docs_agent.retrieval.rerank_words import told, words_of

PAGES = {
    "docs/one.md": "# Diagrams\n\nA diagram of the module.\n",
    "docs/two.md": "# Шаблоны\n\nШаблон письма и его заголовок.\n",
    "docs/three.md": "# Deployment\n\nServers behind a balancer.\n",
}


@pytest.fixture
def reader(build: Callable[..., Any]) -> Reader:
    found: Reader = build(PAGES, "docs").reader
    return found


def asked(text: str, reader: Reader) -> Question:
    knowledge = reader.knowledge
    question = weigh(text, read_terms(text, file_lookup=False), knowledge)
    vocabulary = reader.vocabulary("D1_DOCUMENT_CATALOG")
    return correct(question, lambda: vocabulary, knowledge.document_count())


def shares(text: str, windows: list[str], encoder: Encoder, reader: Reader) -> tuple[float, ...]:
    said = [words_of(window) for window in windows]
    near = told(asked(text, reader), said, encoder, reader, None)
    return tuple(map(near.of_text, range(len(said))))


@pytest.mark.parametrize("text", ["diagram", "шаблоны", "diagrams balancer"])
def test_words_of_the_question_count_in_full(text: str, encoder: Encoder, reader: Reader) -> None:
    (share,) = shares(text, [f"Here are {text}."], encoder, reader)
    assert share == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("question", "near", "far"),
    [
        ("chart", "A diagram of the module.", "Servers behind a balancer."),
        ("template", "Шаблон письма.", "Servers behind a balancer."),
        ("диаграмма", "A diagram of the module.", "Шаблон письма."),
        ("письмо", "An e-mail letter.", "Servers behind a balancer."),
    ],
)
def test_a_near_word_of_either_language_counts_more_than_another_matter(
    question: str, near: str, far: str, encoder: Encoder, reader: Reader
) -> None:
    one, other = shares(question, [near, far], encoder, reader)
    assert 1.0 > one > other + 0.1


def test_a_misspelt_word_counts_as_much_as_its_correction(encoder: Encoder, reader: Reader) -> None:
    (share,) = shares("balanser", ["balancer"], encoder, reader)
    assert share == pytest.approx(CORRECTED_WEIGHT)


def test_a_text_without_words_says_nothing(encoder: Encoder, reader: Reader) -> None:
    assert shares("diagram", ["", "— … —"], encoder, reader) == (0.0, 0.0)
    assert shares("", ["A diagram."], encoder, reader) == (0.0,)


def test_texts_say_together_what_each_says_of_another_word(
    encoder: Encoder, reader: Reader
) -> None:
    question = asked("diagram of a balancer", reader)
    said = [words_of("A diagram."), words_of("The balancer."), words_of("…")]
    near = told(question, said, encoder, reader, None)
    assert near.of_texts((0, 1)) == pytest.approx(1.0, abs=0.01)
    assert max(near.of_text(0), near.of_text(1)) < 0.8
    assert near.of_texts((2,)) == 0.0


def test_the_second_time_no_vectors_are_asked_for(encoder: Encoder, build: Any) -> None:
    project = build(PAGES, "docs")
    said = [words_of("A chart of modules."), words_of("Servers.")]
    question = asked("diagram of servers", project.reader)
    first = told(question, said, encoder, project.reader, project.store.cache_vectors)

    class Silent:
        words_fingerprint = encoder.words_fingerprint

        def words(self, words: object) -> object:
            raise AssertionError(words)

    with project.store.read("default") as again:
        second = told(question, said, Silent(), again, None)  # type: ignore[arg-type]
    assert second == first


def test_figures_of_a_wrong_length_are_worked_out_again(encoder: Encoder, build: Any) -> None:
    project = build(PAGES, "docs")
    said = [words_of("A chart of modules."), words_of("Servers.")]
    question = asked("diagram of servers", project.reader)

    def damaged(kind: str, kept: Mapping[str, bytes]) -> None:
        project.store.cache_vectors(kind, {key: value[:-1] for key, value in kept.items()})

    first = told(question, said, encoder, project.reader, damaged)
    with project.store.read("default") as again:
        assert told(question, said, encoder, again, None) == first


def test_a_document_is_judged_by_its_best_window() -> None:
    windows = [
        Window(1, "a.md", "x", 0.0, 0.2),
        Window(2, "a.md", "y", 0.0, 0.6),
        Window(3, "b.md", "z", 0.0, 0.4),
    ]
    found = word_by_word(windows)
    assert found.documents == {"a.md": 0.6, "b.md": 0.4}
    assert found.of_document("c.md") == 0.4
    assert found.of_row(1) == 0.2
