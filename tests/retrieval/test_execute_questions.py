"""Questions over a small bilingual project: what is found first and what the gate says."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml

if TYPE_CHECKING:
    from conftest import Project

CASES: list[dict[str, Any]] = yaml.safe_load(
    (Path(__file__).parent / "cases" / "questions.yml").read_text(encoding="utf-8")
)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["question"])
def test_question_finds_its_document_and_passes_or_is_refused(
    notify: Project, case: dict[str, Any]
) -> None:
    found = notify.ask(case["question"])
    if "first" in case:
        assert found.evidence.ranked_paths[0] == case["first"]
    if "passes" in case:
        assert found.gate.passed is case["passes"], found.gate
