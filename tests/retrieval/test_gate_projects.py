"""Small projects as a newcomer makes them: what the gate lets pass and what it refuses."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml

if TYPE_CHECKING:
    from conftest import Project

    Build = Callable[..., Project]

PROJECTS: list[dict[str, Any]] = yaml.safe_load(
    (Path(__file__).parent / "cases" / "gate-projects.yml").read_text(encoding="utf-8")
)


@pytest.mark.parametrize("case", PROJECTS, ids=lambda case: case["project"])
def test_a_small_project_answers_what_it_says_and_nothing_else(
    build: Build, case: dict[str, Any]
) -> None:
    project = build(case["files"], "docs")
    wrong = []
    for asked in case["answered"]:
        found = project.ask(asked["question"])
        first = [item.path for item in found.evidence.evidence][:1]
        if not found.gate.passed or first != [asked["first"]]:
            wrong.append((asked["question"], found.gate, first))
    for asked in case["refused"]:
        gate = project.ask(asked["question"]).gate
        if gate.passed or not all(name in gate.message for name in asked.get("names", ())):
            wrong.append((asked["question"], gate, []))
    assert not wrong, "\n".join(map(str, wrong))
