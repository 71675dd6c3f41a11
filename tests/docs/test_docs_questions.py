"""The questions that the project's own documentation must answer: docs/questions.txt."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from docs_pages import DOCS, ROOT, indexed

from docs_agent.core.embed.registry import make_embedder, make_encoder
from docs_agent.core.router_config import RouterConfig

LINES = (DOCS / "questions.txt").read_text(encoding="utf-8").splitlines()


@pytest.fixture(scope="module")
def tools(tmp_path_factory: pytest.TempPathFactory) -> Iterator[object]:
    from docs_agent.retrieval.ask import Tools

    embedder = make_embedder("static")
    with indexed(ROOT, tmp_path_factory.mktemp("index") / "index.db", embedder) as index:
        yield Tools(index.store, index.reader, embedder, make_encoder(), RouterConfig())


def test_there_are_questions_in_both_languages() -> None:
    questions = [line.partition("\t")[0] for line in LINES]
    russian = [q for q in questions if any("а" <= c <= "я" for c in q)]
    assert len(russian) >= 3
    assert len(questions) - len(russian) >= 3


@pytest.mark.parametrize("line", LINES)
def test_the_documentation_answers_its_question(line: str, tools: object) -> None:
    from docs_agent.retrieval.ask import Scope, answer_question

    question, path = line.split("\t")
    answer = answer_question(question, tools, Scope(3))  # type: ignore[arg-type]
    assert answer.gate.passed, answer.text
    assert answer.citations[0].path == path, answer.text
