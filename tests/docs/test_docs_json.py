"""The pages on JSON against what the real commands print over the sample project."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from docs_pages import ROOT, page, table

from docs_agent.cli.render.explanation import explanation_json
from docs_agent.router.catalogue import EXPLAIN_ROUTE, FILES_ROUTE, ROUTES
from docs_agent.router.confidence import Step
from docs_agent.router.explain import Explanation, ModelStep
from docs_agent.router.validator import Proposal

PAGES = ("json-output.md", "json-documents.md")
QUESTION = "what does GET /health return"
NONSENSE = "zxqv wqpl"
SIMPLE: dict[str, Callable[[Any], bool]] = {
    "text": lambda value: isinstance(value, str),
    "integer": lambda value: type(value) is int,
    "number": lambda value: type(value) in (int, float),
    "boolean": lambda value: isinstance(value, bool),
    "null": lambda value: value is None,
    "any": lambda value: True,
}
OTHER_NAMES = {"filter": "text or list of text"}
Run = Callable[..., Any]


def fields(title: str) -> list[dict[str, str]]:
    """Documented fields of a command or object, from the page that has them."""
    owner = next(name for name in PAGES if any(s.title == title for s in page(name).sections))
    return table(owner, title)


def faults(value: Any, kind: str, where: str) -> list[str]:
    """How a value differs from its documented type; nothing when it does not."""
    kind = OTHER_NAMES.get(kind, kind)
    if " or " in kind:
        each = [faults(value, one, where) for one in kind.split(" or ")]
        return [] if [] in each else each[0]
    if kind.startswith("list of "):
        if not isinstance(value, list):
            return [f"{where}: no list"]
        return [f for item in value for f in faults(item, kind[8:], f"{where}[]")]
    if kind.startswith("map of "):
        if not isinstance(value, dict):
            return [f"{where}: no map"]
        return [f for key, item in value.items() for f in faults(item, kind[7:], f"{where}.{key}")]
    if kind in SIMPLE:
        return [] if SIMPLE[kind](value) else [f"{where}: {value!r} is no {kind}"]
    return differences(value, fields(f"Object: {kind}"), where)


def differences(value: Any, rows: list[dict[str, str]], where: str) -> list[str]:
    """How an object differs from its documented fields."""
    types = {row["field"]: row["type"] for row in rows}
    if not isinstance(value, dict):
        return [f"{where}: no object"]
    found = [f"{where}.{name}: not documented" for name in value.keys() - types.keys()]
    found += [f"{where}.{name}: documented, absent" for name in types.keys() - value.keys()]
    for name in types.keys() & value.keys():
        found += faults(value[name], types[name], f"{where}.{name}")
    return found


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Runs a command over an indexed copy of the sample, to which some faults were added."""
    root = tmp_path_factory.mktemp("project")
    shutil.copytree(ROOT / "examples" / "notify" / "docs", root / "docs")
    (root / "docs" / "faulty.md").write_text("---\ntitle: a\ntitle: b\n---\n# B\n\nText.\n")
    (root / "docs" / "binary.md").write_bytes(b"\x89PNG\r\n\x1a\n\0\0")
    env = {k: v for k, v in os.environ.items() if k != "DOCS_AGENT_DB"}
    env["PYTHONPATH"] = os.pathsep.join(
        filter(None, (str(ROOT / "src"), os.environ.get("PYTHONPATH")))
    )

    def call(*arguments: str, stdin: str = "") -> list[dict[str, Any]]:
        done = subprocess.run(
            [sys.executable, "-m", "docs_agent", *arguments, "--root", str(root)],
            capture_output=True,
            encoding="utf-8",
            input=stdin,
            env=env,
            timeout=120,
        )
        assert done.stdout, done.stderr
        assert done.returncode in (0, 1, 2), done.stderr
        if "--json" in arguments:
            return [json.loads(done.stdout)]
        return [json.loads(line) for line in done.stdout.splitlines()]

    report = call("index", "--json")[0]
    assert report["warnings"]
    assert report["failed"]
    assert differences(report, fields("index"), "index") == []
    return call


@pytest.mark.parametrize(
    "arguments",
    [
        ("ask", QUESTION),
        ("ask", "какие ошибки возвращает /send"),
        ("ask", NONSENSE),
        ("find-files", QUESTION),
        ("find-files", NONSENSE),
        ("plan", QUESTION),
        ("plan", NONSENSE),
        ("show", "GET /health"),
        ("show", "docs/faulty.md"),
        ("lint", "--no-cache", "--fail-on", "never", "--extend-select", "DOC"),
        ("related", "api.health", "--depth", "2"),
        ("status",),
        ("doctor",),
    ],
    ids=" ".join,
)
def test_a_command_prints_the_documented_fields(arguments: tuple[str, ...], run: Run) -> None:
    printed = run(*arguments, "--json")[0]
    assert differences(printed, fields(arguments[0]), arguments[0]) == []


def test_route_prints_the_documented_object(run: Run) -> None:
    assert faults(run("route", QUESTION, "--json")[0], "route", "route") == []


@pytest.mark.parametrize("command", ["show", "related"])
@pytest.mark.parametrize("ref", [NONSENSE, "index.notfy"])
def test_an_unknown_document_is_told_in_the_documented_fields(
    command: str, ref: str, run: Run
) -> None:
    printed = run(command, ref, "--json")[0]
    assert differences(printed, fields("No such document"), command) == []


@pytest.mark.parametrize("question", [QUESTION, "где описан цикл доставки", NONSENSE])
def test_an_explained_route_prints_the_documented_objects(question: str, run: Run) -> None:
    printed = run("route", question, "--explain", "--json")[0]
    explained = {"explain": printed.pop("explain")}
    assert differences(explained, fields("route --explain"), "route --explain") == []
    assert faults(printed, "route", "route") == []


def test_what_a_model_said_is_printed_as_documented() -> None:
    proposal = Proposal(EXPLAIN_ROUTE, 0.8, "because")
    for step in (
        ModelStep("p:m", proposal, "", "{}", FILES_ROUTE, "asked for a file"),
        ModelStep("p:m", None, "no JSON object in the reply", "text", None, ""),
    ):
        explained = Explanation((), (), (), (), (), "", step, (Step(0.8, "x"),))
        assert faults(explanation_json(explained), "explanation", "explain") == []


def test_the_checks_of_doctor_are_documented_in_their_order(run: Run) -> None:
    rows = table("ui/command-line.md", "Checks of doctor")
    checks = run("doctor", "--json")[0]["checks"]
    assert [row["check"] for row in rows] == [check["name"] for check in checks]


def test_a_batch_prints_one_documented_object_a_line(run: Run) -> None:
    lines = json.dumps({"id": "q1", "query": QUESTION}) + "\nnot JSON\n"
    answered, unread = run("ask", "--batch", "-", stdin=lines)
    assert answered.pop("id") == "q1"
    assert differences(answered, fields("ask"), "ask") == []
    assert unread.keys() == {"line", "error"}


def test_every_command_has_a_section() -> None:
    from docs_agent.cli.app import COMMANDS

    titles = {section.title for name in PAGES for section in page(name).sections}
    assert [name for name, _ in COMMANDS if name not in titles] == []


def test_every_documented_object_is_used(tmp_path: Path) -> None:
    sections = [s for name in PAGES for s in page(name).sections]
    objects = [s.title[8:] for s in sections if s.title.startswith("Object: ")]
    rows = (block.rows for s in sections for block in s.blocks if block.kind == "table")
    types = " ".join(row.cells[1] for block in rows for row in block)
    assert [name for name in objects if name not in types] == []


@pytest.mark.parametrize("field", ["routing_domain", "intent", "subintent"])
def test_the_values_of_a_route_are_those_of_the_catalogue(field: str) -> None:
    meaning = next(r["meaning"] for r in fields("Object: route") if r["field"].strip("`") == field)
    assert set(re.findall(r"\b[A-Z][A-Z_]+\b", meaning)) == {getattr(row, field) for row in ROUTES}
