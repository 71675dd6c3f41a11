"""A thousand questions through the rules, over the indexed sample, in one process."""

from __future__ import annotations

import time
from itertools import cycle, islice
from pathlib import Path

import yaml

from docs_agent.core.router_config import RouterConfig
from docs_agent.core.store.sqlite import open_store
from docs_agent.router.route import route

CASES = Path(__file__).parents[1] / "router" / "cases"
SECONDS = 20.0
"""Of processor time, twenty times what it takes: no question may cost what all of them cost."""


def _questions() -> list[str]:
    files = [yaml.safe_load(p.read_text(encoding="utf-8")) for p in sorted(CASES.glob("*.yml"))]
    asked = [case["query"] for file in files for case in file["cases"]]
    return [question for question in asked if len(question) < 500]


def test_a_thousand_questions_are_routed_in_a_moment(sample: Path) -> None:
    questions = list(islice(cycle(_questions()), 1000))
    store = open_store(sample / ".docs-agent" / "index.db")
    try:
        with store.read("default") as reader:
            started = time.process_time()
            for question in questions:
                route(question, reader.knowledge, RouterConfig())
            seconds = time.process_time() - started
    finally:
        store.close()
    assert seconds < SECONDS
