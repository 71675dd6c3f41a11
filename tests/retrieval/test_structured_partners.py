"""Partner systems and components of whole projects, asked through the router; the projects and the
questions are data in `cases/structured/partners.yml`."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from docs_agent.core.router_config import RouterConfig
from docs_agent.core.store.protocol import Reader
from docs_agent.core.text import language_of
from docs_agent.retrieval.policy import resolve
from docs_agent.retrieval.structured.answer import answer_from_records
from docs_agent.retrieval.structured.table import workflow_of
from docs_agent.router.route import route

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

from answers_index import build  # noqa: E402

PROJECTS = yaml.safe_load(
    (HERE / "cases" / "structured" / "partners.yml").read_text(encoding="utf-8")
)
CASES = [(p["name"], case) for p in PROJECTS for case in p["cases"]]


@pytest.fixture(scope="module")
def readers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Reader]]:
    opened: dict[str, Reader] = {}
    sessions = []
    for project in PROJECTS:
        root = tmp_path_factory.mktemp("project")
        for path, text in project["documents"].items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(text, encoding="utf-8")
        store = build(root, ".", tmp_path_factory.mktemp("db") / "index.db")
        session = store.read("default")
        opened[project["name"]] = session.__enter__()
        sessions.append((session, store))
    yield opened
    for session, store in sessions:
        session.__exit__(None, None, None)
        store.close()


@pytest.mark.parametrize(
    ("project", "case"), CASES, ids=[f"{name}: {case['question']}" for name, case in CASES]
)
def test_partners_and_components_are_told_as_documents_state_them(
    project: str, case: dict[str, Any], readers: dict[str, Reader]
) -> None:
    reader, question = readers[project], case["question"]
    decided = route(question, reader.knowledge, RouterConfig())
    workflow = workflow_of(decided)
    assert workflow is not None, f"{decided.intent}/{decided.subintent}"
    language = language_of(question) or "en"
    answer = answer_from_records(workflow, decided, resolve(decided), reader, language)
    lines = [re.sub(r" \[\d+\]$", "", line) for line in answer.text.split("\n")]
    if "lines" in case:
        assert [line for line in lines if line.startswith("- ")] == case["lines"]
    for text in case.get("contains", ()):
        assert text in answer.text
    for text in case.get("lacks", ()):
        assert text not in answer.text
