"""The sample project through the command: the list of methods against its own frontmatter."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

import frontmatter
import pytest

from docs_agent.core.embed.none import NoEmbedder
from docs_agent.core.evidence import Answer
from docs_agent.core.router_config import RouterConfig
from docs_agent.core.routes import DOC_DISCOVERY, DOCS, LIST_API_METHODS, RouteResult
from docs_agent.core.store.scoped import ScopedReader
from docs_agent.retrieval.ask import Scope, Tools
from docs_agent.retrieval.policy import resolve
from docs_agent.retrieval.structured.answer import answer_from_records
from docs_agent.retrieval.structured.list_api_methods import list_api_methods

sys.path.insert(0, str(Path(__file__).parent))

from answers_index import build

SAMPLE = Path(__file__).parents[2] / "examples" / "notify"
QUESTIONS = ["Какие методы API есть в проекте", "which API methods are there in the project"]


@pytest.fixture(scope="module")
def tools(tmp_path_factory: pytest.TempPathFactory) -> Any:
    embedder = NoEmbedder()
    store = build(SAMPLE, "docs", tmp_path_factory.mktemp("sample") / "index.db")
    with store.read("default") as reader:
        yield Tools(store, reader, embedder, None, RouterConfig())
    store.close()


def _methods(tools: Tools, question: str, language: str, *prefixes: str) -> Answer:
    route = RouteResult(DOCS, DOC_DISCOVERY, LIST_API_METHODS, question, question)
    reader = ScopedReader(tools.reader, prefixes) if prefixes else tools.reader
    return answer_from_records(list_api_methods, route, resolve(route), reader, language)


def _stated() -> set[tuple[str, str, str, int]]:
    """Endpoint, title, path and line of every endpoint in the frontmatter of the sample."""
    found = set()
    for path in (SAMPLE / "docs").rglob("*.md"):
        text = path.read_text(encoding="utf-8")
        values = frontmatter.loads(text).metadata
        if "endpoint" in values:
            lines = text.split("\n")
            line = next(n for n, text in enumerate(lines, 1) if text.startswith("endpoint:"))
            place = path.relative_to(SAMPLE).as_posix()
            found.add((str(values["endpoint"]), str(values["title"]), place, line))
    return found


@pytest.mark.parametrize(("question", "language"), list(zip(QUESTIONS, ("ru", "en"), strict=True)))
def test_list_of_methods_is_the_one_of_the_frontmatter(
    question: str, language: str, tools: Tools
) -> None:
    answer = _methods(tools, question, language)
    head, *lines = answer.text.split("\n")
    assert head == {"ru": "В проекте 4 метода API:", "en": "4 API methods:"}[language]
    lines_of = {c.n: (c.path, c.start_line) for c in answer.citations}
    listed = []
    for line in lines:
        match = re.fullmatch(r"- (\S+ \S+): (.+), (\S+) \[(\d+)\]", line)
        assert match, line
        assert lines_of[int(match[4])][0] == match[3]
        listed.append((match[1], match[2], match[3], lines_of[int(match[4])][1]))
    assert len(listed) == len(set(listed))
    assert set(listed) == _stated()
    order = [(endpoint.split()[1], endpoint.split()[0]) for endpoint, *_ in listed]
    assert order == sorted(order)


def test_a_path_prefix_hides_the_methods_outside(tools: Tools) -> None:
    answer = _methods(tools, "list all endpoints", "en", "docs/api/health-endpoint.md")
    assert answer.text.startswith("1 API method:\n- GET /health: ")
    hidden = _methods(tools, "list all endpoints", "en", "docs/logic/")
    assert not hidden.gate.passed


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("Какие методы API есть в проекте", "В проекте 4 метода API:"),
        ("list all endpoints", "4 API methods:"),
        ("документы по домену delivery", "Домен delivery: 9 документов"),
        ("which documents belong to the delivery domain", "Domain delivery: 9 documents"),
        ("где используется Recipient", "Recipient: 7 документов"),
        ("where is Recipient used", "Recipient: 7 documents"),
        ("parent of api.health", "Health endpoint (docs/api/health-endpoint.md): 1 document"),
    ],
)
def test_a_question_is_answered_by_its_route(question: str, first: str, tools: Tools) -> None:
    from docs_agent.retrieval.ask import answer_question

    answer = answer_question(question, tools, Scope())
    assert answer.text.split("\n")[0] == first
    assert answer.answer_mode == "deterministic"
    cut = answer_question(question, tools, Scope(limit=1))
    assert sum(line.startswith("- ") for line in cut.text.split("\n")) == 1
    assert ("--limit" in cut.text) is (not first.endswith(": 1 document"))
