"""Runs that are killed, and runs at the same time: real processes, real documents, real index."""

from __future__ import annotations

import contextlib
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from docs_agent.core.store.lock import is_locked
from docs_agent.core.store.protocol import LexicalWeights, RowFilter
from docs_agent.core.store.sqlite import open_store
from docs_agent.core.text import stems

DOCUMENTS = 40
KILLS = 20
CHUNKS = "D0_DOC_CHUNKS"
SERVER = Path(__file__).parent / "index_process.py"


def write_version(root: Path, version: int) -> None:
    """Forty documents, half Russian, that all say which version they are of."""
    (root / "docs").mkdir(exist_ok=True)
    for number in range(DOCUMENTS):
        words = f"Документ номер {number}" if number % 2 else f"Document number {number}"
        sections = "\n".join(
            f"## Section {n}\n\n{words}, section {n}, version{version}. See [next]({number}.md).\n"
            for n in range(5)
        )
        (root / f"docs/{number}.md").write_text(f"# {words}\n\n{sections}", encoding="utf-8")


class Runner:
    """Starts runs, each a process of its own, one after the other."""

    def __init__(self, root: Path) -> None:
        self._server = subprocess.Popen(
            [sys.executable, str(SERVER), str(root)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self._loaded = False

    def _line(self) -> str:
        assert self._server.stdout is not None
        return self._server.stdout.readline().rstrip("\n")

    def start(self, timeout: float = 60.0) -> int:
        """Begins a run and returns its process id."""
        if not self._loaded:
            self._loaded = self._line() == "ready"
        assert self._server.stdin is not None
        self._server.stdin.write(f"{timeout}\n")
        self._server.stdin.flush()
        return int(self._line().removeprefix("pid "))

    def end(self) -> tuple[int, str]:
        """Waits for the run: its exit status, negative for a signal, and what it printed."""
        printed = ""
        while not (line := self._line()).startswith("ended "):
            assert self._server.poll() is None
            printed = line
        return int(line.removeprefix("ended ")), printed

    def whole(self) -> dict[str, Any]:
        """One run from beginning to end; its report."""
        self.start()
        status, printed = self.end()
        assert status == 0
        report: dict[str, Any] = json.loads(printed)
        return report

    def close(self) -> None:
        self._server.kill()
        self._server.communicate()


@pytest.fixture
def runners(tmp_path: Path) -> Iterator[tuple[Runner, Runner]]:
    both = Runner(tmp_path), Runner(tmp_path)
    yield both
    for runner in both:
        runner.close()


def versions(root: Path) -> set[str]:
    """What the index answers: the versions its sections are of. All sections must be there, by
    content and by full text."""
    with open_store(root / ".docs-agent/index.db").read("default") as reader:
        hits = reader.lexical(CHUNKS, stems("section"), RowFilter(), LexicalWeights(), 1000)
        rows = reader.rows([hit.row_id for hit in hits])
        assert len(reader.files()) == DOCUMENTS
        assert len({row.path for row in rows}) == DOCUMENTS
        found = {word for row in rows for word in row.content.split() if "version" in word}
        for version in (word.rstrip(".") for word in found):
            again = reader.lexical(CHUNKS, stems(version), RowFilter(), LexicalWeights(), 1000)
            assert len({hit.path for hit in again}) == DOCUMENTS
        return {word.rstrip(".") for word in found}


def test_run_killed_at_any_moment_leaves_a_whole_index(
    tmp_path: Path, runners: tuple[Runner, Runner]
) -> None:
    runner, _ = runners
    chance = random.Random(1)
    write_version(tmp_path, 0)
    usual = runner.whole()["seconds"]
    held = versions(tmp_path)
    assert held == {"version0"}
    killed = 0
    for version in range(1, KILLS + 1):
        write_version(tmp_path, version)
        pid = runner.start()
        time.sleep(chance.uniform(0, 0.8 * usual))
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
        killed += runner.end()[0] == -signal.SIGKILL
        now = versions(tmp_path)
        assert now in (held, {f"version{version}"})
        held = now
    assert killed >= KILLS / 4
    assert runner.whole()["files"]["failed"] == 0
    assert versions(tmp_path) == {f"version{KILLS}"}


def test_two_runs_at_once_lose_nothing(tmp_path: Path, runners: tuple[Runner, Runner]) -> None:
    for version in range(2):
        write_version(tmp_path, version)
        for runner in runners:
            runner.start()
        reports = [json.loads(printed) for _, printed in (runner.end() for runner in runners)]
        assert sorted(report["files"]["indexed"] for report in reports) == [0, DOCUMENTS]
        assert versions(tmp_path) == {f"version{version}"}


def test_run_that_may_not_wait_is_told_that_the_index_is_busy(
    tmp_path: Path, runners: tuple[Runner, Runner]
) -> None:
    runner, _ = runners
    write_version(tmp_path, 0)
    runner.whole()
    store = open_store(tmp_path / ".docs-agent/index.db")
    held = store.write("default", repo_id="", pipeline_version="0", fingerprint="none", timeout=1.0)
    with contextlib.suppress(KeyboardInterrupt), held:
        runner.start(timeout=0.1)
        assert runner.end() == (2, "IndexBusyError")
        raise KeyboardInterrupt
    assert versions(tmp_path) == {"version0"}


def test_readers_never_fail_while_a_run_writes(
    tmp_path: Path, runners: tuple[Runner, Runner]
) -> None:
    runner, _ = runners
    write_version(tmp_path, 0)
    runner.whole()
    db = tmp_path / ".docs-agent/index.db"
    for version in (1, 2):
        write_version(tmp_path, version)
        runner.start()
        seen = set()
        while not is_locked(db) and versions(tmp_path) != {f"version{version}"}:
            pass
        while is_locked(db):
            seen |= versions(tmp_path)
        assert runner.end()[0] == 0
        assert seen <= {f"version{version - 1}", f"version{version}"}
        assert versions(tmp_path) == {f"version{version}"}
