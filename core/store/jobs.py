"""rag_index_jobs: the row of a run is committed before its work, so that a run that died shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import apsw

from docs_agent.core.records import IndexWarning
from docs_agent.core.store import codec, schema
from docs_agent.core.store.connection import open_reader
from docs_agent.core.store.lock import is_locked
from docs_agent.core.store.protocol import JobInfo

_KEPT: Final = 20
"""Jobs of a session that are remembered."""


def begin(db: apsw.Connection, session: str) -> int:
    """Adds a running job and returns its id. The caller holds the write lock of the index, so
    every other job that still says `running` has died."""
    db.execute("UPDATE rag_index_jobs SET status = 'interrupted' WHERE status = 'running'")
    db.execute(
        "INSERT INTO rag_index_jobs (session, status, started_at) VALUES (?, 'running', ?)",
        (codec.clean(session), schema.now_exactly()),
    )
    job_id = db.last_insert_rowid()
    db.execute(
        "DELETE FROM rag_index_jobs WHERE session = ?1 AND id <= (SELECT id FROM rag_index_jobs "
        "WHERE session = ?1 ORDER BY id DESC LIMIT 1 OFFSET ?2)",
        (codec.clean(session), _KEPT),
    )
    return job_id


def close(db: apsw.Connection, job_id: int, status: str) -> None:
    """Ends a job that did not complete."""
    db.execute(
        "UPDATE rag_index_jobs SET status = ?, finished_at = ? WHERE id = ?",
        (status, schema.now_exactly(), job_id),
    )


def complete(
    db: apsw.Connection, job_id: int, counts: Mapping[str, int], warnings: Sequence[IndexWarning]
) -> None:
    """Ends a job as `done` with its result."""
    close(db, job_id, "done")
    db.execute(
        "UPDATE rag_index_jobs SET counts = ?, warnings = ? WHERE id = ?",
        (codec.to_json(dict(counts)), codec.warnings_to_json(warnings), job_id),
    )


def last(db: apsw.Connection, path: Path, session: str) -> JobInfo | None:
    """The newest job of a session as the snapshot `db` sees it."""
    for job_id, name, status, started, finished, counts, warnings in db.execute(
        "SELECT id, session, status, started_at, finished_at, counts, warnings "
        "FROM rag_index_jobs WHERE session = ? ORDER BY id DESC LIMIT 1",
        (codec.clean(session),),
    ):
        if status == "running" and _has_died(path, job_id):
            status = "interrupted"
        return JobInfo(
            job_id,
            name,
            status,
            started,
            finished,
            codec.counts_of(counts),
            codec.warnings_of(warnings),
        )
    return None


def _has_died(path: Path, job_id: int) -> bool:
    """Nobody writes, and the job does not merely look unfinished from an old snapshot."""
    if is_locked(path):
        return False
    db = open_reader(path)
    try:
        sql = "SELECT status FROM rag_index_jobs WHERE id = ?"
        return bool(db.execute(sql, (job_id,)).get == "running")
    finally:
        db.close()
