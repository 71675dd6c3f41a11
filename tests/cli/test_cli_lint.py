"""`docs-agent lint` as people and CI run it: a process, files, an exit status."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def lint(root: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join(filter(None, (str(ROOT / "src"), os.environ.get("PYTHONPATH"))))
    return subprocess.run(
        [sys.executable, "-m", "docs_agent", "lint", *arguments],
        cwd=root,
        capture_output=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONPATH": path},
        timeout=120,
    )


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs-agent.toml").write_text("", encoding="utf-8")
    (tmp_path / "docs" / "a.md").write_text("\ufeff# А\n\n[x](нет.md)\n", encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("folder", ["examples/notify", "."])
def test_the_shipped_documents_are_in_order(folder: str) -> None:
    done = lint(ROOT / folder, "docs", "--root", str(ROOT / folder), "--no-cache")
    assert done.stdout.startswith("No findings in"), done.stdout
    assert done.returncode == 0


def test_findings_exit_with_one_and_name_their_place(project: Path) -> None:
    done = lint(project)
    assert done.returncode == 1
    assert "docs/a.md:3:5: error DOC301" in done.stdout
    assert (project / ".docs-agent" / ".gitignore").read_text() == "*\n"
    assert lint(project).stdout == done.stdout


def test_warnings_alone_pass_when_only_errors_fail(project: Path) -> None:
    done = lint(project, "--ignore", "DOC301", "--fail-on", "error")
    assert done.returncode == 0
    assert "warning DOC003" in done.stdout


def test_an_unknown_code_is_a_usage_error(project: Path) -> None:
    done = lint(project, "--select", "DOC999")
    assert done.returncode == 2
    assert "no rule has the code `DOC999`" in done.stderr


def test_a_diff_changes_nothing_and_a_fix_does_what_it_shows(project: Path) -> None:
    page = project / "docs" / "a.md"
    before = page.read_bytes()
    shown = lint(project, "--diff").stdout
    assert page.read_bytes() == before
    assert "+# А" in shown
    done = lint(project, "--fix")
    assert page.read_bytes() == before.removeprefix(b"\xef\xbb\xbf")
    assert "1 fixed." in done.stdout


def test_a_baseline_hides_what_was_there_before(project: Path) -> None:
    assert lint(project, "--write-baseline", "base.json").returncode == 1
    page = project / "docs" / "a.md"
    page.write_text(page.read_text(encoding="utf-8").replace("# А\n", "# А\n\nНовое.\n"), "utf-8")
    done = lint(project, "--baseline", "base.json")
    assert done.returncode == 0, done.stdout
    assert "2 in the baseline" in done.stdout


def test_only_what_changed_is_reported_and_the_rest_is_known(project: Path) -> None:
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@example.com"]
    for command in (["init", "-q"], ["add", "-A"], ["commit", "-q", "-m", "x"]):
        subprocess.run([*git, *command], cwd=project, check=True)
    (project / "docs" / "b.md").write_text("[a](a.md) [c](c.md)\n", encoding="utf-8")
    found = json.loads(lint(project, "--changed-since", "HEAD", "--json").stdout)["findings"]
    assert [(f["path"], f["code"]) for f in found] == [("docs/b.md", "DOC301")]
    assert json.loads(lint(project, "--staged", "--json").stdout)["findings"] == []


def test_hostile_files_end_in_findings(project: Path) -> None:
    docs = project / "docs"
    shutil.rmtree(docs)
    (docs / "folder.md").mkdir(parents=True)
    (docs / "bomb.md").write_text("---\na: &a [x]\nb: [*a, *a]\n---\n# B\n")
    (docs / "long.md").write_text("[x](y.md) ж" * 100_000, encoding="utf-8")
    (docs / "deep.md").write_text(">" * 50_000 + "[" * 50_000)
    (docs / "binary.md").write_bytes(b"\x89PNG\r\n\x1a\n\0\0")
    (docs / "loop.md").symlink_to("loop.md")
    done = lint(project, "--no-cache", "--select", "DOC0,DOC1")
    assert "Traceback" not in done.stderr
    assert "docs/binary.md:1:1: error DOC001" in done.stdout
    assert "docs/bomb.md:2:1: error DOC107" in done.stdout


def test_a_rule_is_explained_and_all_are_listed(project: Path) -> None:
    assert "Why:" in lint(project, "--explain", "doc301").stdout
    assert len(lint(project, "--rules").stdout.splitlines()) >= 45
    assert json.loads(lint(project, "--schema", "ui_page").stdout)["type"] == "object"
