"""The database file: damage, age, place, size, and the bounds of its caches."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import apsw
import pytest
from store_samples import begin, document, file, index, info, put, state_of, vector

from docs_agent.core.errors import IndexCorruptError, NoIndexError, StoreError
from docs_agent.core.layers import D0
from docs_agent.core.records import FileRecords
from docs_agent.core.store import blob_cache, schema, vector_cache, vectors
from docs_agent.core.store.check import check_environment
from docs_agent.core.store.filters import after_prefix
from docs_agent.core.store.protocol import FileState, LexicalWeights, RowFilter
from docs_agent.core.store.sqlite import open_store

ANY = RowFilter()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "index.db"


def build(path: Path, *files: FileRecords) -> None:
    store = open_store(path, create=True)
    index(store, *(files or (file("a.md", "alpha"),)))
    store.close()


def query(path: Path, sql: str) -> object:
    db = apsw.Connection(str(path))
    try:
        return db.execute(sql).get
    finally:
        db.close()


def read_all(path: Path) -> None:
    with open_store(path).read("default") as reader:
        reader.rows_of(ANY)
        reader.lexical(D0, ["alpha"], ANY, LexicalWeights(), 5)
        reader.vocabulary(D0)


# Damage and age


@pytest.mark.parametrize("content", [b"# Markdown\n" * 500, b"\x00" * 5000, b"short"])
@pytest.mark.parametrize("create", [False, True])
def test_file_that_is_no_database_is_corrupt(path: Path, content: bytes, create: bool) -> None:
    path.write_bytes(content)
    with pytest.raises(IndexCorruptError) as caught:
        open_store(path, create=create)
    assert caught.value.remedy
    assert path.read_bytes() == content


def test_empty_file_is_no_index(path: Path) -> None:
    path.touch()
    with pytest.raises(NoIndexError):
        open_store(path)
    build(path)
    open_store(path).close()


def test_folder_in_the_place_of_the_index_is_refused(path: Path) -> None:
    path.mkdir()
    for create in (False, True):
        with pytest.raises(IndexCorruptError, match="folder"):
            open_store(path, create=create)


def test_other_peoples_database_is_left_alone(path: Path) -> None:
    db = apsw.Connection(str(path))
    db.execute("CREATE TABLE precious (x)")
    db.close()
    for create in (False, True):
        with pytest.raises(IndexCorruptError, match="not a docs-agent index"):
            open_store(path, create=create)
    assert query(path, "SELECT count(*) FROM sqlite_schema") == 1


def test_damage_inside_the_file_is_reported_as_such(path: Path) -> None:
    build(path, *(file(f"{i}.md", "alpha beta " * 200) for i in range(60)))
    data = bytearray(path.read_bytes())
    rng = random.Random(1)
    for start in range(4096 * 2, len(data) - 64, 1024):
        data[start : start + 64] = rng.randbytes(64)
    path.write_bytes(data)
    with pytest.raises(IndexCorruptError, match="damaged"):
        read_all(path)


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE rag_records SET content = CAST(x'ff80' AS TEXT)",
        "UPDATE rag_records SET metadata_json = '{'",
        "UPDATE rag_records SET metadata_json = CAST(x'7bff7d' AS TEXT)",
    ],
)
def test_values_that_cannot_be_read_are_damage(path: Path, change: str) -> None:
    build(path, file("a.md", "alpha beta"))
    db = apsw.Connection(str(path))
    db.execute(change)
    db.close()
    with pytest.raises(IndexCorruptError, match="damaged") as caught:
        read_rows(path)
    assert "move the file away" in caught.value.remedy


def read_rows(path: Path) -> None:
    store = open_store(path)
    try:
        with store.read("default") as reader:
            assert reader.rows_of(RowFilter(), 10)
    finally:
        store.close()


@pytest.mark.parametrize("text", [b"\xff", b"alpha"])
def test_what_a_caller_fails_to_read_is_no_damage(path: Path, text: bytes) -> None:
    build(path, file("a.md", "alpha beta"))
    store = open_store(path)
    with pytest.raises(ValueError, match=r"codec|Expecting"), store.read("default"):
        json.loads(text.decode("utf-8"))
    store.close()


def test_truncated_file_is_reported_as_damaged(path: Path) -> None:
    build(path, *(file(f"{i}.md", "alpha beta " * 200) for i in range(60)))
    path.write_bytes(path.read_bytes()[: 4096 * 3])
    with pytest.raises(IndexCorruptError):
        read_all(path)


def test_newer_schema_asks_for_an_upgrade(path: Path) -> None:
    build(path)
    db = apsw.Connection(str(path))
    db.execute("INSERT INTO rag_migrations VALUES (99, 'from the future', '')")
    db.close()
    for create in (False, True):
        with pytest.raises(IndexCorruptError, match="newer") as caught:
            open_store(path, create=create)
        assert "upgrade" in caught.value.remedy


def test_older_schema_is_refused_by_readers_and_migrated_by_a_run(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    build(path)

    def add_column(db: apsw.Connection) -> None:
        db.execute("ALTER TABLE rag_sessions ADD COLUMN extra TEXT NOT NULL DEFAULT ''")

    steps = (*schema.MIGRATIONS, ("add a column", add_column))
    monkeypatch.setattr(schema, "MIGRATIONS", steps)
    with pytest.raises(StoreError, match="older") as caught:
        open_store(path)
    assert "docs-agent index" in caught.value.remedy
    store = open_store(path, create=True)
    index(store, file("b.md", "beta"))
    with store.read("default") as reader:
        assert [f.path for f in reader.files()] == ["a.md", "b.md"]
    store.close()
    assert query(path, "SELECT name FROM rag_migrations WHERE version = 3") == "add a column"


def test_failed_migration_leaves_the_old_schema(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    build(path)

    def fail(db: apsw.Connection) -> None:
        db.execute("CREATE TABLE half_done (x)")
        db.execute("this is no SQL")

    steps = schema.MIGRATIONS
    monkeypatch.setattr(schema, "MIGRATIONS", (*steps, ("fail", fail)))
    with pytest.raises(StoreError):
        index(open_store(path, create=True))
    monkeypatch.setattr(schema, "MIGRATIONS", steps)
    store = open_store(path)
    assert len(store.sessions()) == 1
    store.close()
    assert query(path, "SELECT count(*) FROM sqlite_schema WHERE name = 'half_done'") == 0


def test_common_columns_of_the_records_can_be_queried_by_their_names(path: Path) -> None:
    build(path)
    columns = (
        "rag_session_id, path, content, layer, title, lang, repo_id, commit_sha, span_start, "
        "span_end, metadata_json, record_id"
    )
    row = query(path, f"SELECT {columns} FROM rag_chunks")
    assert isinstance(row, tuple)
    assert row[:4] == ("default", "a.md", "alpha", D0)


# Place


def test_index_in_a_folder_that_cannot_be_made_is_a_store_error(path: Path) -> None:
    path.touch()
    with pytest.raises(StoreError, match="cannot be made"):
        open_store(path / "below" / "index.db", create=True)


@pytest.mark.skipif(sys.platform == "win32", reason="users and modes of POSIX")
@pytest.mark.parametrize("log_left", [False, True])
def test_index_in_a_read_only_folder_can_be_read(tmp_path: Path, log_left: bool) -> None:
    """As another user, because root may write anywhere."""
    if os.getuid() != 0:
        pytest.skip("needs root to become a user without rights")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        path = folder / "index #1?.db"
        build(path)
        log = path.with_name(path.name + "-wal")
        if log_left:
            log.write_bytes(b"\x00" * 100)
        os.chmod(folder, 0o555)
        code = (
            # All that is imported later, because this user may not see root's libraries.
            "import os, sys, socket, urllib.parse, importlib.util; from pathlib import Path;"
            "from docs_agent.core.store import sqlite, writer, protocol, reader, jobs, lock;"
            "from docs_agent.core.errors import StoreError;"
            "os.setgid(65534); os.setuid(65534);"
            "store = sqlite.open_store(Path(sys.argv[1]));"
            "store.cache_vectors('f', {'k': b'v'})\n"
            "with store.read('default') as r: print(r.files()[0].path, r.last_job().status)\n"
            "try: store.write('x', repo_id='', pipeline_version='', fingerprint='', timeout=0)"
            ".__enter__()\n"
            "except StoreError as e: print(e.remedy)"
        )
        done = subprocess.run(
            [sys.executable, "-c", code, str(path)],
            capture_output=True,
            text=True,
            env=os.environ | {"PYTHONPATH": str(Path(__file__).parents[2] / "src")},
        )
        os.chmod(folder, 0o755)
    if log_left:
        assert "StoreError" in done.stderr
        assert "apsw" not in done.stderr.splitlines()[-1]
    else:
        assert done.stdout.splitlines() == [
            "a.md done",
            "check that its folder exists and can be written",
        ]


def test_importing_the_store_loads_neither_numpy_nor_sqlite3(path: Path) -> None:
    build(path, document("a.md", "alpha"))
    code = (
        "import sys; from pathlib import Path\n"
        "from docs_agent.core.store.sqlite import open_store\n"
        "with open_store(Path(sys.argv[1])).read('default') as reader:\n"
        "    reader.knowledge.names(['a']); reader.knowledge.document_frequency(['alpha'])\n"
        "print(sorted({'numpy', 'sqlite3', 'sqlite_vec', 'httpx'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(path)],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | {"PYTHONPATH": str(Path(__file__).parents[2] / "src")},
    )
    assert done.stdout.strip() == "[]"


def test_environment_of_this_machine_is_fit(path: Path) -> None:
    checks = check_environment(path)
    assert [check.name for check in checks] == [
        "sqlite-version",
        "full-text",
        "vectors",
        "folder-writable",
    ]
    assert all(check.ok and check.detail and not check.remedy for check in checks)
    assert list(path.parent.iterdir()) == []


def test_missing_vector_library_is_told_with_a_remedy(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("docs_agent.core.store.connection._extension_path", lambda: "/nowhere/vec0")
    (check,) = (check for check in check_environment(path) if check.name == "vectors")
    assert not check.ok
    assert "sqlite-vec" in check.remedy
    with pytest.raises(StoreError, match="sqlite-vec"):
        index(open_store(path, create=True))


# Size


def test_blob_cache_drops_what_was_used_longest_ago(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(blob_cache, "MAX_BYTES", 40_000)
    store = open_store(path, create=True)
    rng = random.Random(0)
    for run in range(12):
        text = " ".join(str(rng.random()) for _ in range(400))
        with begin(store) as writer:
            if run in (3, 6, 9):
                assert writer.reuse("a.md", "0", FileState("a.md", "0", "1", 1, 1)) is not None
            put(writer, file("a.md", text, content_hash=str(run)))
            writer.finish(info(), {}, ())
    store.close()
    assert isinstance(total := query(path, "SELECT sum(bytes) FROM rag_blob_cache"), int)
    assert 0 < total <= 40_000
    hashes = set(
        str(query(path, "SELECT group_concat(content_hash) FROM rag_blob_cache")).split(",")
    )
    assert {"0", "10"} <= hashes
    assert "1" not in hashes


def test_vector_cache_drops_the_oldest(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vector_cache, "MAX_BYTES", 10_000)
    store = open_store(path, create=True)
    index(store)
    for i in range(30):
        store.cache_vectors("f", {f"{i}.{n}": b"x" * 100 for n in range(10)})
    with store.read("default") as reader:
        keys = [f"{i}.{n}" for i in range(30) for n in range(10)]
        found = reader.cached_vectors("f", keys)
    store.close()
    assert 80 <= len(found) <= 100
    assert "29.9" in found
    assert "0.0" not in found


def test_vector_table_does_not_grow_with_edits(path: Path) -> None:
    store = open_store(path, create=True)
    files = [file(f"{i}.md", *["x"] * 20) for i in range(40)]
    for run in range(8):
        with begin(store) as writer:
            for i, made in enumerate(files):
                if run == 0 or i % 8 != run:
                    put(writer, made, *[vector(1, i)] * 20)
            writer.finish(info(), {}, ())
    with store.read("default") as reader:
        assert len(reader.dense(D0, [1.0, 0.0], ANY, 4000)) == 800
    store.close()
    blocks = query(path, "SELECT count(*) FROM rag_vec_1_chunks")
    assert isinstance(blocks, int)
    assert blocks * vectors.CHUNK_ROWS <= 2 * 800 + vectors.CHUNK_ROWS


def test_dropped_session_gives_its_space_back(path: Path) -> None:
    store = open_store(path, create=True)
    index(store, file("a.md", "alpha"), session="small")
    rng = random.Random(0)
    index(
        store,
        *(file(f"{i}.md", " ".join(str(rng.random()) for _ in range(500))) for i in range(100)),
        session="large",
    )
    store.close()
    before = path.stat().st_size
    store = open_store(path)
    assert store.drop("large")
    store.close()
    assert path.stat().st_size < before / 4


def test_ten_thousand_rows_are_written_and_searched_in_time(path: Path) -> None:
    rng = random.Random(5)
    words = [f"слово{i}" for i in range(800)]
    made = [
        file(f"docs/{i}.md", *(" ".join(rng.choices(words, k=12)) for _ in range(50)))
        for i in range(200)
    ]
    store = open_store(path, create=True)
    started = time.process_time()
    with begin(store) as writer:
        for one in made:
            writer.put(one, state_of(one), [vector(rng.random(), 1)] * 50)
        writer.finish(info(), {}, ())
    assert time.process_time() - started < 10
    with store.read("default") as reader:
        started = time.process_time()
        for _ in range(5):
            assert len(reader.lexical(D0, words[:60], ANY, LexicalWeights(), 50)) == 50
            assert len(reader.dense(D0, [0.5, 1.0], ANY, 50)) == 50
        assert time.process_time() - started < 5
        assert reader.stats().records == {D0: 10_000}
    store.close()


@pytest.mark.parametrize(
    ("prefix", "end"),
    [
        ("a", "b"),
        ("docs/", "docs0"),
        ("я", "ѐ"),
        ("a\U0010ffff", "b"),
        ("\U0010ffff", ""),
        ("\ud7ff", "\ue000"),
        ("", ""),
    ],
)
def test_end_of_a_prefix_is_the_next_text_in_code_point_order(prefix: str, end: str) -> None:
    assert after_prefix(prefix) == end


# Places that are none


@pytest.mark.parametrize("name", ["README.md", "__init__.py", "index.lock"])
def test_empty_file_of_another_kind_is_left_alone(tmp_path: Path, name: str) -> None:
    (tmp_path / name).touch()
    with pytest.raises(StoreError, match="empty file") as caught:
        open_store(tmp_path / name, create=True)
    assert "--db" in caught.value.remedy
    assert [(p.name, p.stat().st_size) for p in tmp_path.iterdir()] == [(name, 0)]


@pytest.mark.skipif(sys.platform == "win32", reason="links and pipes of POSIX")
def test_pipe_or_link_in_the_place_of_the_index_is_refused_without_a_trace(path: Path) -> None:
    os.mkfifo(path)
    with pytest.raises(StoreError, match="not a regular file"):
        open_store(path, create=True)
    path.unlink()
    path.symlink_to("hook")
    with pytest.raises(StoreError, match="link to nothing"):
        open_store(path, create=True)
    assert os.listdir(path.parent) == [path.name]


@pytest.mark.skipif(sys.platform == "win32", reason="links of POSIX")
def test_lock_that_is_a_link_does_not_empty_what_it_names(path: Path) -> None:
    (path.parent / "README.md").write_text("text", encoding="utf-8")
    path.with_name("index.db.lock").symlink_to("README.md")
    with pytest.raises(StoreError):
        build(path)
    assert (path.parent / "README.md").read_text(encoding="utf-8") == "text"


@pytest.mark.parametrize("name", ["x" * 300 + ".db", "x" * 5000 + ".db", "\udcff.db"])
def test_name_that_no_file_can_have_is_a_store_error(tmp_path: Path, name: str) -> None:
    for create in (False, True):
        with pytest.raises(StoreError) as caught:
            open_store(tmp_path / name, create=create)
        assert "--db" in caught.value.remedy
        caught.value.message.encode("utf-8")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(sys.platform == "win32", reason="open files cannot be removed there")
@pytest.mark.parametrize("replaced", [False, True])
def test_index_removed_during_a_run_is_not_reported_as_written(path: Path, replaced: bool) -> None:
    store = open_store(path, create=True)

    def run() -> None:
        with begin(store) as writer:
            put(writer, file("a.md", "alpha"))
            path.unlink()
            if replaced:
                path.write_bytes(b"")
            writer.finish(info(), {}, ())

    with pytest.raises(StoreError, match="removed or replaced"):
        run()


def test_index_without_one_of_its_tables_is_damaged(path: Path) -> None:
    build(path)
    for table in ("rag_stems", "rag_files", "rag_migrations"):
        db = apsw.Connection(str(path))
        db.execute(f"DROP TABLE {table}")
        db.close()
        use = build if table == "rag_stems" else read_all
        with pytest.raises(IndexCorruptError, match="damaged") as caught:
            use(path)
        assert "delete the file" in caught.value.remedy


CHILD = (
    "import resource, signal, sys; from pathlib import Path\n"
    "sys.path.insert(0, sys.argv[2])\n"
    "from docs_agent.core.errors import StoreError\n"
    "from docs_agent.core.store import sqlite, writer\n"
    "from store_samples import file, index\n"
    "resource.setrlimit(getattr(resource, sys.argv[3]), (int(sys.argv[4]),) * 2)\n"
    "try: index(sqlite.open_store(Path(sys.argv[1]), create=True), file('a.md', 'x ' * 90_000))\n"
    "except StoreError as e: print(e.message, '|', e.remedy)"
)


@pytest.mark.skipif(sys.platform == "win32", reason="limits of POSIX")
@pytest.mark.parametrize(
    ("limit", "value", "said"),
    [("RLIMIT_FSIZE", 60_000, "a size limit was reached"), ("RLIMIT_NOFILE", 4, "no more files")],
)
def test_limit_of_the_process_is_named_with_a_remedy(
    path: Path, limit: str, value: int, said: str
) -> None:
    done = subprocess.run(
        [sys.executable, "-c", CHILD, str(path), str(Path(__file__).parent), limit, str(value)],
        capture_output=True,
        text=True,
        env=os.environ | {"PYTHONPATH": str(Path(__file__).parents[2] / "src")},
    )
    assert said in done.stdout, done.stderr
    assert "limit" in done.stdout.partition("|")[2]
    assert "is kept" not in done.stdout


def test_newer_schema_is_refused_by_a_store_that_was_open_before(path: Path) -> None:
    build(path)
    store = open_store(path, create=True)
    db = apsw.Connection(str(path))
    db.execute("INSERT INTO rag_migrations VALUES (99, 'from the future', '')")
    db.close()
    with pytest.raises(IndexCorruptError, match="newer"):
        index(store, file("b.md", "beta"))
    with pytest.raises(IndexCorruptError, match="newer"):
        store.sessions()
