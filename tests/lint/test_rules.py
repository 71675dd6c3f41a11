"""Every rule on its cases: `cases/rules/DOCNNN.yml`.

A case is a small project and what the rule says of it:

    - name: what it shows
      files: {docs/a.md: "text"}         content; `!!binary` for bytes
      config: "…"                        docs-agent.toml, optional
      expect: ["docs/a.md:3:5 words"]    path, line, column and a part of the message; [] = silent
      fixed: {docs/a.md: "text"}         files after --fix, optional; those not named stay
      unsafe: true                       make unsafe fixes too, optional
      with: [DOC301]                     further rules that are on, optional
      git: [{date: 2026-01-02}]          commits, made after the files are written, optional
      today: 2026-01-31                  optional
"""

from __future__ import annotations

import datetime
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from docs_agent.core.config import load_config
from docs_agent.lint.fix_all import fix_all
from docs_agent.lint.registry import RULES
from docs_agent.lint.run import Linter, LintRequest
from docs_agent.lint.selection import Choice

CASES = Path(__file__).parent / "cases" / "rules"


def cases() -> list[Any]:
    found = []
    for path in sorted(CASES.glob("DOC*.yml")):
        for case in yaml.safe_load(path.read_text(encoding="utf-8")):
            found.append(pytest.param(path.stem, case, id=f"{path.stem}-{case['name']}"))
    return found


def project(root: Path, case: dict[str, Any]) -> None:
    for name, content in case["files"].items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    if "config" in case:
        (root / "docs-agent.toml").write_text(case["config"], encoding="utf-8")
    for step in case.get("git", ()):
        git(root, step)


def git(root: Path, step: dict[str, Any]) -> None:
    """One commit: `{date: 2026-01-02, files: {path: text}}`; without files, of what is there."""
    for name, content in step.get("files", {}).items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(content, encoding="utf-8")
    date = f"{step['date']}T12:00:00+00:00"
    env = {
        "GIT_AUTHOR_DATE": date, "GIT_COMMITTER_DATE": date, "GIT_CONFIG_GLOBAL": "/dev/null",
        "GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@example.com",
        "GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@example.com",
        "PATH": __import__("os").environ["PATH"], "HOME": str(root),
    }  # fmt: skip
    for command in (["init", "-q"], ["add", "-A"], ["commit", "-q", "--allow-empty", "-m", "x"]):
        subprocess.run(["git", *command], cwd=root, env=env, check=True)


def linter(root: Path, code: str, case: dict[str, Any]) -> Linter:
    today = case.get("today") or datetime.date(2026, 1, 31)
    choice = Choice(select=(code, *case.get("with", ())))
    request = LintRequest(root, load_config(root), choice=choice, today=today)
    return Linter(request)


@pytest.mark.parametrize(("code", "case"), cases())
def test_a_rule_finds_what_it_should_and_where(
    tmp_path: Path, code: str, case: dict[str, Any]
) -> None:
    project(tmp_path, case)
    found = linter(tmp_path, code, case).check().findings
    expected = [re.match(r"(.*?:\d+:\d+) (.*)", text) for text in case["expect"]]
    places = [f"{f.path}:{f.span.line}:{f.span.column}" for f in found]
    assert places == [wanted and wanted[1] for wanted in expected], [f.message for f in found]
    for finding, wanted in zip(found, expected, strict=True):
        assert wanted is not None
        assert wanted[2] in finding.message


@pytest.mark.parametrize(("code", "case"), [c for c in cases() if "fixed" in c.values[1]])
def test_a_fix_does_what_it_says_and_no_more(
    tmp_path: Path, code: str, case: dict[str, Any]
) -> None:
    project(tmp_path, case)
    before = {name: (tmp_path / name).read_bytes() for name in case["files"]}
    done = fix_all(linter(tmp_path, code, case), unsafe=bool(case.get("unsafe")))
    fixed = {
        name: content if isinstance(content, bytes) else content.encode()
        for name, content in case["fixed"].items()
    }
    assert {name: done.changed.get(name, data) for name, data in before.items()} == before | fixed
    # What is mended is no longer reported, and mending again does nothing.
    for name, data in done.changed.items():
        (tmp_path / name).write_bytes(data)
    again = fix_all(linter(tmp_path, code, case), unsafe=bool(case.get("unsafe")))
    assert again.changed == {}
    assert [f for f in again.left.findings if f.fix and f.fix.safe] == []


def test_the_registry_holds_every_rule_once_in_order() -> None:
    folder = Path(__file__).resolve().parents[2] / "lint" / "rules"
    modules = sorted(path.stem for path in folder.glob("doc*.py"))
    codes = [rule.code for rule in RULES]
    assert codes == sorted(set(codes))
    assert [f"{rule.code.lower()}_{rule.name.replace('-', '_')}" for rule in RULES] == modules


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_every_rule_has_cases_in_both_languages(rule: Any) -> None:
    path = CASES / f"{rule.code}.yml"
    loaded = yaml.safe_load(path.read_text(encoding="utf-8"))
    assert any(case["expect"] for case in loaded)
    assert any(not case["expect"] for case in loaded)
    russian = [c for c in loaded if any("а" <= ch <= "я" for ch in str(c["files"]).lower())]
    assert any(case["expect"] for case in russian)
    assert len(loaded) > len(russian)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_every_rule_explains_itself(rule: Any) -> None:
    from docs_agent.lint.registry import explanation

    text = explanation(rule)
    title, *parts = text.split("\n\n")
    assert title
    heads = [part.split(":", 1)[0] for part in parts]
    assert [h for h in heads if h in ("What it does", "Why", "Example", "Fix")] == [
        "What it does", "Why", "Example", "Fix",
    ]  # fmt: skip


@pytest.mark.parametrize("rule", [r for r in RULES if r.fixable], ids=lambda rule: rule.code)
def test_every_fixable_rule_has_a_case_of_its_fix(rule: Any) -> None:
    loaded = yaml.safe_load((CASES / f"{rule.code}.yml").read_text(encoding="utf-8"))
    assert any("fixed" in case for case in loaded)
