"""Of a very long question the beginning is looked at, and how much was left out is said."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_line import docs_agent

from docs_agent.router.question import MAX_CHARACTERS, MAX_WORDS

WORDS = 20_000
QUESTION = ("health " * WORDS).strip()
LOOKED_AT = len("health " * MAX_WORDS) - 1
LEFT_OUT = len(QUESTION) - LOOKED_AT


@pytest.mark.parametrize("command", ["ask", "find-files", "route", "plan"])
def test_what_is_left_out_is_said_on_stderr_and_in_json(command: str, sample: Path) -> None:
    result = docs_agent(command, *QUESTION.split(), "--json", cwd=sample)
    said = json.loads(result.out)
    holder = said if command in ("find-files", "route") else said["route"]
    assert holder["left_out"] == LEFT_OUT
    assert f"{LEFT_OUT:,} characters were left out" in result.err
    text = said["user_query"] if command == "route" else said.get("query", "")
    assert len(text) <= MAX_CHARACTERS


def test_a_batch_names_the_line_of_the_long_question(sample: Path, tmp_path: Path) -> None:
    lines = [{"id": n, "query": q} for n, q in enumerate(("what is /health", QUESTION))]
    batch = tmp_path / "questions.jsonl"
    batch.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    result = docs_agent("ask", "--batch", str(batch), cwd=sample)
    short, long = map(json.loads, result.out.splitlines())
    assert (short["route"]["left_out"], long["route"]["left_out"]) == (0, LEFT_OUT)
    assert len(long["query"]) == LOOKED_AT
    assert result.err.count("left out") == 1
    assert "questions.jsonl:2: " in result.err


def test_nothing_is_said_of_a_question_of_usual_length(sample: Path) -> None:
    result = docs_agent("ask", "what does GET /health return", "--json", cwd=sample)
    assert json.loads(result.out)["route"]["left_out"] == 0
    assert "left out" not in result.err
