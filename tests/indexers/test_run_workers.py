"""Taking files apart in other processes: the same result, and no process left behind."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from docs_agent.core.config import Config, load_config
from docs_agent.core.embed.none import NoEmbedder
from docs_agent.core.lexical import with_stems
from docs_agent.core.records import FileRecords, IndexWarning
from docs_agent.core.store.protocol import RowFilter
from docs_agent.core.store.sqlite import open_store
from docs_agent.indexers import run
from docs_agent.indexers.discover_walk import FoundFile
from docs_agent.indexers.file_records import records_of
from docs_agent.indexers.run_report import IndexRequest, NoProgress
from docs_agent.indexers.workers import Workers, interpreter_flags

LIMIT = 1_000_000
DOCUMENTS = {
    "docs/a.md": b"---\nid: api.a\nentities: [Order]\n---\n# Orders\n\nGET `/orders` lists them.\n",
    "docs/б.md": "# Заказы\n\n## Сценарий\n\n1. Приходит заказ.\n2. Он уходит.\n".encode(),
    "docs/broken.md": b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 4,
    "docs/empty.md": b"",
}
HOLDER = """
import sys, time
from docs_agent.indexers.discover_walk import FoundFile
from docs_agent.indexers.workers import Workers
with Workers(1) as workers:
    workers.submit(FoundFile("a.md", ".", 3, 0), b"# A", 100).result()
    print(workers.process_ids()[0], flush=True)
    time.sleep(60)
"""


def found(path: str) -> FoundFile:
    return FoundFile(path, "docs", len(DOCUMENTS[path]), 0)


def here(path: str) -> FileRecords | IndexWarning:
    result = records_of(found(path), DOCUMENTS[path], LIMIT)
    return with_stems(result) if isinstance(result, FileRecords) else result


def is_alive(pid: int) -> bool:
    try:
        return "Z" not in Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2][:3]
    except FileNotFoundError:
        return False


def test_other_processes_give_what_this_one_gives() -> None:
    with Workers(2) as workers:
        pending = {path: workers.submit(found(path), DOCUMENTS[path], LIMIT) for path in DOCUMENTS}
        results = {path: item.result() for path, item in pending.items()}
    assert results == {path: here(path) for path in DOCUMENTS}
    assert isinstance(results["docs/broken.md"], IndexWarning)


def test_a_process_that_is_killed_is_made_up_for() -> None:
    with Workers(1) as workers:
        workers.submit(found("docs/a.md"), DOCUMENTS["docs/a.md"], LIMIT).result()
        os.kill(workers.process_ids()[0], signal.SIGKILL)
        results = [workers.submit(found(p), DOCUMENTS[p], LIMIT).result() for p in DOCUMENTS]
    unstemmed = [records_of(found(p), DOCUMENTS[p], LIMIT) for p in DOCUMENTS]
    assert results == unstemmed


def test_files_that_travel_together_are_all_made_up_for() -> None:
    path = "docs/б.md"
    with Workers(2) as workers:
        early = [workers.submit(found(path), DOCUMENTS[path], LIMIT) for _ in range(150)]
        assert [item.result() for item in early] == [here(path)] * 150
        for process in workers.process_ids():
            os.kill(process, signal.SIGKILL)
        late = [workers.submit(found(path), DOCUMENTS[path], LIMIT) for _ in range(150)]
        expected = records_of(found(path), DOCUMENTS[path], LIMIT)
        assert [item.result() for item in reversed(late)] == [expected] * 150


def interrupted(pool: Workers) -> None:
    with pool as workers:
        for number in range(200):
            workers.submit(FoundFile(f"{number}.md", ".", 1, 0), b"# A\n" * 5000, LIMIT)
        while not workers.process_ids():
            time.sleep(0.01)
        raise KeyboardInterrupt


def test_an_interrupt_leaves_no_process_and_does_not_wait() -> None:
    started = time.monotonic()
    workers = Workers(2)
    with pytest.raises(KeyboardInterrupt):
        interrupted(workers)
    assert not any(map(is_alive, workers.process_ids()))
    assert time.monotonic() - started < 30


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks at /proc")
def test_a_killed_run_leaves_no_process() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER], stdout=subprocess.PIPE, text=True
    ) as holder:
        assert holder.stdout is not None
        worker = int(holder.stdout.readline())
        assert is_alive(worker)
        holder.kill()
    for _ in range(500):
        if not is_alive(worker):
            return
        time.sleep(0.02)
    pytest.fail("the process still waits for work")


def test_modules_of_the_current_folder_are_not_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "markdown_it.py").write_text("raise SystemExit('taken over')")
    monkeypatch.chdir(tmp_path)
    with Workers(1) as workers:
        result = workers.submit(found("docs/a.md"), DOCUMENTS["docs/a.md"], LIMIT).result()
    assert result == here("docs/a.md")


def broken_library(folder: Path) -> Path:
    """A library that breaks whoever loads it."""
    (folder / "markdown_it.py").write_text("raise ImportError('broken')")
    return folder


def test_a_fault_of_the_process_is_no_fault_of_the_document(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", f"{broken_library(tmp_path)}:{os.environ.get('PYTHONPATH')}")
    with Workers(1) as workers:
        result = workers.submit(found("docs/a.md"), DOCUMENTS["docs/a.md"], LIMIT).result()
    assert result == records_of(found("docs/a.md"), DOCUMENTS["docs/a.md"], LIMIT)
    assert isinstance(result, FileRecords)


@pytest.mark.parametrize("flag", ["isolated", "ignore_environment"])
def test_an_interpreter_that_ignores_the_environment_starts_others_that_do(
    flag: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Flags:
        isolated = ignore_environment = no_user_site = 0

    monkeypatch.setattr(Flags, flag, 1)
    monkeypatch.setattr("docs_agent.indexers.workers.sys.flags", Flags())
    assert ("-I" if flag == "isolated" else "-E") in interpreter_flags()


def test_files_are_taken_apart_where_no_thread_can_be_started(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(_: object) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", refuse)
    with Workers(1) as workers:
        result = workers.submit(found("docs/a.md"), DOCUMENTS["docs/a.md"], LIMIT).result()
    assert result == records_of(found("docs/a.md"), DOCUMENTS["docs/a.md"], LIMIT)


@pytest.mark.parametrize("files", [16, 24, 40, 100])
def test_few_open_files_leave_no_document_out(tmp_path: Path, files: int) -> None:
    for number in range(30):
        text = f"# Page {number}\n\n" + f"Some words of page {number}. " * 800
        (tmp_path / f"{number}.md").write_text(text)
    done = subprocess.run(
        ["bash", "-c", f"ulimit -n {files}; exec {sys.executable} -m docs_agent index . --json"],
        cwd=tmp_path,
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["files"]["indexed"] == 30


def test_thousands_of_lost_aliases_are_told_with_their_lines(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/a.md").write_text("# A\n")
    lines = "".join(f'"alias {n}" = "docs/none{n}.md"\n' for n in range(3000))
    (tmp_path / "docs-agent.toml").write_text(f"[router.aliases]\n{lines}")
    store = open_store(tmp_path / "index.db", create=True)
    config = load_config(tmp_path)
    request = IndexRequest(root=tmp_path, db=tmp_path / "index.db", config=config)
    report = run.run_index(request, store, NoEmbedder(), NoProgress())
    told = [w.line for w in report.warnings if w.code == "alias-target-missing"]
    assert told == list(range(2, 3002))


@pytest.mark.parametrize("threshold", [0, sys.maxsize])
def test_an_index_does_not_depend_on_who_took_the_files_apart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, threshold: int
) -> None:
    monkeypatch.setattr(run, "WORTHWHILE_BYTES", threshold)
    monkeypatch.setattr("docs_agent.indexers.workers.worker_count", lambda: 2)
    (tmp_path / "docs").mkdir()
    for path, data in DOCUMENTS.items():
        (tmp_path / path).write_bytes(data)
    store = open_store(tmp_path / "index.db", create=True)
    request = IndexRequest(root=tmp_path, db=tmp_path / "index.db", config=Config())
    report = run.run_index(request, store, NoEmbedder(), NoProgress())
    assert (report.files.indexed, report.files.failed) == (3, 1)
    with store.read("default") as reader:
        rows = reader.rows_of(RowFilter())
        assert [row.title for row in rows if row.layer.startswith("D1")] == [
            "Orders",
            "empty",
            "Заказы",
        ]
        assert reader.knowledge.document_frequency({"order", "заказ"}) == {"order": 1, "заказ": 1}
