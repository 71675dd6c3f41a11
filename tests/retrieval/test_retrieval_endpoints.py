"""Endpoints from their definition to the answer; documents and cases are data."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from docs_agent.core.router_config import RouterConfig
from docs_agent.retrieval.ask import Scope, Tools, answer_question

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

from answers_index import NoVectors, build  # noqa: E402

DATA = yaml.safe_load((HERE / "cases" / "endpoints.yml").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def tools(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tools]:
    folder = tmp_path_factory.mktemp("endpoints")
    for path, text in DATA["documents"].items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    store = build(folder, "docs", folder / "index.db")
    with store.read("default") as reader:
        yield Tools(store, reader, NoVectors(), None, RouterConfig())
    store.close()


@pytest.mark.parametrize("case", [pytest.param(c, id=c["name"]) for c in DATA["cases"]])
def test_answer_tells_of_the_endpoint_asked_for(case: dict[str, Any], tools: Tools) -> None:
    answer = answer_question(case["question"], tools, Scope())
    for text in case.get("says", ()):
        assert text in answer.text
    for text in case.get("not", ()):
        assert text not in answer.text
