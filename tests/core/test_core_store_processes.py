"""Writers in other processes: waiting for them, naming them, surviving their death."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import apsw
import pytest
from store_child import FILES
from store_samples import begin, file, index, info, put

from docs_agent.core.errors import IndexBusyError
from docs_agent.core.layers import D0
from docs_agent.core.store.lock import lock_path
from docs_agent.core.store.protocol import LexicalWeights, RowFilter
from docs_agent.core.store.sqlite import open_store

HERE = Path(__file__).parent


@contextmanager
def child(what: str, path: Path, after_lines: int = 1) -> Iterator[subprocess.Popen[str]]:
    """The process once it has said that many lines; killed at the end."""
    paths = os.pathsep.join([str(HERE), str(HERE.parents[1] / "src")])
    process = subprocess.Popen(
        [sys.executable, str(HERE / "store_child.py"), what, str(path)],
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": paths},
    )
    with process:
        try:
            assert process.stdout is not None
            for _ in range(after_lines):
                assert process.stdout.readline()
            yield process
        finally:
            process.kill()


def test_waiting_writer_names_the_process_that_holds_the_index(tmp_path: Path) -> None:
    path = tmp_path / "index.db"
    index(open_store(path, create=True), file("a.md", "alpha"))
    with child("hold", path) as holder:
        store = open_store(path)
        started = time.monotonic()
        named = rf"process {holder.pid} on .* since 20"
        with pytest.raises(IndexBusyError, match=named), begin(store, timeout=0.3):
            pass
        assert 0.25 < time.monotonic() - started < 5
        with store.read("default") as reader:
            assert [f.path for f in reader.files()] == ["a.md"]
            job = reader.last_job()
            assert job is not None
            assert job.status == "running"
        store.cache_vectors("f", {"k": b"v"})
        with pytest.raises(IndexBusyError):
            begin(store, timeout=0).__enter__()
        holder.kill()
        holder.wait()
        with begin(store, timeout=5) as writer:
            put(writer, file("b.md", "alpha"))
            writer.finish(info(), {}, ())
        store.close()


def test_dead_holder_is_not_named(tmp_path: Path) -> None:
    path = tmp_path / "index.db"
    with child("hold", path) as holder:
        pass
    assert str(holder.pid) in lock_path(path).read_text()
    store = open_store(path, create=True)
    locker = apsw.Connection(str(path))
    locker.execute("BEGIN IMMEDIATE")
    with pytest.raises(IndexBusyError) as caught, begin(store, timeout=0.1):
        pass
    assert str(holder.pid) not in caught.value.message
    locker.close()


def test_killed_run_shows_as_interrupted(tmp_path: Path) -> None:
    path = tmp_path / "index.db"
    index(open_store(path, create=True), file("a.md", "alpha"))
    with child("hold", path):
        pass
    store = open_store(path)
    with store.read("default") as reader:
        job = reader.last_job()
        assert job is not None
        assert job.status == "interrupted"
        assert [f.path for f in reader.files()] == ["a.md"]
    index(store, file("b.md", "alpha"))
    with store.read("default") as reader:
        job = reader.last_job()
        assert job is not None
        assert job.status == "done"
    store.close()


@pytest.mark.parametrize("seed", range(4))
def test_killing_a_writer_at_any_moment_leaves_the_last_committed_run(
    tmp_path: Path, seed: int
) -> None:
    path = tmp_path / "index.db"
    with child("write", path) as writer:
        time.sleep(random.Random(seed).uniform(0, 0.25))
        writer.send_signal(signal.SIGKILL)
        writer.wait()
        assert writer.stdout is not None
        said = [int(line) for line in writer.stdout if line.endswith("\n")]
    store = open_store(path)
    with store.read("default") as reader:
        run = int(reader.session.commit_sha)
        assert run >= max(said, default=1)
        assert len(reader.files()) == FILES
        assert {f.content_hash for f in reader.files()} == {str(run)}
        rows = reader.rows_of(RowFilter())
        assert len(rows) == 2 * FILES
        assert {row.content.split()[0] for row in rows} == {f"run{run}"}
        hits = reader.lexical(D0, [f"run{run}"], RowFilter(), LexicalWeights(), 100)
        assert len(hits) == 2 * FILES
        assert len(reader.dense(D0, [1.0, 0.0], RowFilter(), 100)) == 2 * FILES
        job = reader.last_job()
        assert job is not None
        assert job.status in ("done", "interrupted")
    store.close()
    db = apsw.Connection(str(path))
    assert db.pragma("integrity_check") == "ok"
    db.close()
    store = open_store(path)
    index(store, file("after.md", "alpha"))
    store.close()
