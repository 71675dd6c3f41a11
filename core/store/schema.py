"""Tables of the index and the numbered steps that build them.

    rag_sessions ─┬─ rag_files ─┬─ rag_records ── rag_fts_<session>_<layer>   (FTS5, by record id)
                  │             │              └─ rag_vec_<session>           (vec0, by record id)
                  │             ├─ rag_stems      what the FTS5 rows of the file were built from
                  │             └─ rag_names
                  └─ rag_index_jobs (by name: the row of a run outlives its rolled back session)
    rag_blob_cache, rag_chunk_cache               caches, bounded, never needed for correctness
    rag_chunks                                    view: the common columns of the RAG seed

What all records of a file share (path, session, repository, commit) is kept once, in rag_files.
The records of a file have consecutive ids, `first_record` to `last_record`.
Full-text and vector tables belong to one session, so that word statistics of one session never
colour the ranking of another; they are made when the first row needs them.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

import apsw

from docs_agent.core.layers import D0, D1, D2, D3, D4, D5, D6

APPLICATION_ID: Final = 0x64_6F_63_61
"""`doca` in the file header: tells an index from any other SQLite file."""

_TABLES: Final = """
CREATE TABLE rag_sessions (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    root TEXT NOT NULL DEFAULT '',
    docs_roots TEXT NOT NULL DEFAULT '[]',
    repo_id TEXT NOT NULL DEFAULT '',
    commit_sha TEXT NOT NULL DEFAULT '',
    pipeline_version TEXT NOT NULL DEFAULT '',
    embedder TEXT NOT NULL DEFAULT '',
    dim INTEGER NOT NULL DEFAULT 0,
    vector_dim INTEGER NOT NULL DEFAULT 0, -- of rag_vec_<id>; 0 = there is no such table
    updated_at TEXT NOT NULL DEFAULT ''
);
CREATE TABLE rag_index_jobs (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    session TEXT NOT NULL,
    status TEXT NOT NULL,
    started_at TEXT NOT NULL,
    finished_at TEXT NOT NULL DEFAULT '',
    counts TEXT NOT NULL DEFAULT '{}',
    warnings TEXT NOT NULL DEFAULT '[]'
);
CREATE INDEX rag_index_jobs_session ON rag_index_jobs (session, id);
CREATE TABLE rag_layers (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE rag_files (
    id INTEGER PRIMARY KEY,
    session_id INTEGER NOT NULL,
    path TEXT NOT NULL,
    content_hash TEXT NOT NULL,
    pipeline_version TEXT NOT NULL,
    embedder TEXT NOT NULL,
    size INTEGER NOT NULL,
    mtime_ns INTEGER NOT NULL,
    repo_id TEXT NOT NULL,
    commit_sha TEXT NOT NULL DEFAULT '',
    job_id INTEGER NOT NULL,
    first_record INTEGER NOT NULL,
    last_record INTEGER NOT NULL,
    warnings TEXT NOT NULL DEFAULT '[]',
    UNIQUE (session_id, path)
);
CREATE INDEX rag_files_content ON rag_files (content_hash);
CREATE TABLE rag_records (
    id INTEGER PRIMARY KEY,
    file_id INTEGER NOT NULL,
    layer_id INTEGER NOT NULL,
    record_id TEXT NOT NULL,
    title TEXT NOT NULL,
    content TEXT NOT NULL,
    lang TEXT NOT NULL,
    span_start INTEGER NOT NULL,
    span_end INTEGER NOT NULL,
    domain TEXT NOT NULL,
    subdomain TEXT NOT NULL,
    metadata_json TEXT NOT NULL
);
CREATE INDEX rag_records_file ON rag_records (file_id, layer_id, domain, subdomain);
CREATE TABLE rag_stems (file_id INTEGER PRIMARY KEY, stems BLOB NOT NULL);
CREATE TABLE rag_names (
    id INTEGER PRIMARY KEY,
    session_id INTEGER NOT NULL,
    file_id INTEGER NOT NULL,
    kind TEXT NOT NULL,
    key TEXT NOT NULL,
    value TEXT NOT NULL
);
CREATE INDEX rag_names_key ON rag_names (session_id, key);
CREATE INDEX rag_names_file ON rag_names (file_id);
CREATE INDEX rag_names_endpoint ON rag_names (session_id) WHERE kind = 'endpoint';
CREATE TABLE rag_blob_cache (
    id INTEGER PRIMARY KEY,
    repo_id TEXT NOT NULL,
    path TEXT NOT NULL,
    content_hash TEXT NOT NULL,
    pipeline_version TEXT NOT NULL,
    embedder TEXT NOT NULL,
    job_id INTEGER NOT NULL, -- of the last use
    bytes INTEGER NOT NULL,
    rows BLOB NOT NULL,
    stems BLOB NOT NULL,
    vectors BLOB NOT NULL
);
CREATE UNIQUE INDEX rag_blob_cache_key
    ON rag_blob_cache (content_hash, path, repo_id, pipeline_version, embedder);
CREATE INDEX rag_blob_cache_age ON rag_blob_cache (job_id, id, bytes);
CREATE TABLE rag_chunk_cache (
    id INTEGER PRIMARY KEY,
    fingerprint TEXT NOT NULL,
    text_key TEXT NOT NULL,
    vector BLOB NOT NULL
);
CREATE UNIQUE INDEX rag_chunk_cache_key ON rag_chunk_cache (fingerprint, text_key);
CREATE VIEW rag_chunks AS
    SELECT r.id, s.name AS rag_session_id, f.path, r.content, l.name AS layer, r.title, r.lang,
           f.repo_id, f.commit_sha, r.span_start, r.span_end, r.record_id, r.domain, r.subdomain,
           r.metadata_json
    FROM rag_records r
    JOIN rag_files f ON f.id = r.file_id
    JOIN rag_sessions s ON s.id = f.session_id
    JOIN rag_layers l ON l.id = r.layer_id;
"""


_FIRST_LAYERS: Final = (D0, D1, D2, D3, D4, D5, D6)


def _first_tables(db: apsw.Connection) -> None:
    db.execute(_TABLES)
    # A layer's id is its position, so that ordering by id is ordering by layer. A layer that comes
    # later is added by a step of its own; this one stays as it was.
    db.executemany("INSERT INTO rag_layers VALUES (?, ?)", list(enumerate(_FIRST_LAYERS)))


RELATIONS_ID: Final = _FIRST_LAYERS.index(D5)


def _relations_by_target(db: apsw.Connection) -> None:
    """Who links to a document is asked as often as what it links to."""
    db.execute(
        "CREATE INDEX rag_records_target "
        "ON rag_records (json_extract(metadata_json, '$.target_document')) "
        f"WHERE layer_id = {RELATIONS_ID}"
    )


Migration = Callable[[apsw.Connection], None]
"""Changes the schema by one step. Runs inside a transaction it must not end."""

MIGRATIONS: Final[tuple[tuple[str, Migration], ...]] = (
    ("first tables", _first_tables),
    ("relations by target", _relations_by_target),
)
"""(name, step) in order; the position, counted from 1, is the schema version. Only ever appended
to."""


def version(db: apsw.Connection) -> int | None:
    """Schema version of an index; 0 for an empty database, None when it is something else."""
    if db.pragma("application_id") == APPLICATION_ID:
        return int(db.execute("SELECT coalesce(max(version), 0) FROM rag_migrations").get)
    return None if db.execute("SELECT count(*) FROM sqlite_schema").get else 0


@contextmanager
def transaction(db: apsw.Connection) -> Iterator[None]:
    """A write transaction, taken at once: committed at the end, undone by any error.

    Raises apsw.BusyError when the connection's busy timeout runs out.
    """
    db.execute("BEGIN IMMEDIATE")
    try:
        yield
        db.execute("COMMIT")
    except BaseException:
        # SQLite itself has rolled back after a full disk and the like.
        if db.in_transaction:
            db.execute("ROLLBACK")
        raise


def migrate(db: apsw.Connection) -> None:
    """Applies what is missing, each step in one transaction with its record.

    The caller holds the write lock of the index and no transaction.
    """
    for number in range((version(db) or 0) + 1, len(MIGRATIONS) + 1):
        name, step = MIGRATIONS[number - 1]
        with transaction(db):
            db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            db.execute(
                "CREATE TABLE IF NOT EXISTS rag_migrations "
                "(version INTEGER PRIMARY KEY, name TEXT NOT NULL, applied_at TEXT NOT NULL)"
            )
            step(db)
            db.execute("INSERT INTO rag_migrations VALUES (?, ?, ?)", (number, name, now()))


def now() -> str:
    """The current time, UTC, ISO 8601, to the second."""
    return time.strftime("%Y-%m-%dT%H:%M:%S+00:00", time.gmtime())


def now_exactly() -> str:
    """The same to the microsecond: times of files, which it is compared with, have fractions."""
    seconds, nanoseconds = divmod(time.time_ns(), 10**9)
    whole = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(seconds))
    return f"{whole}.{nanoseconds // 1000:06d}+00:00"
