"""rag_blob_cache: rows of files that were replaced or deleted, bounded."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import apsw

from docs_agent.core.store.content import FileContent, from_parts, to_parts

MAX_BYTES: Final = 64 * 1024 * 1024
"""About how much the cache may hold."""
_PRUNE_TO: Final = 0.9


@dataclass(frozen=True, slots=True)
class BlobKey:
    """What makes the rows of two files the same."""

    content_hash: str
    path: str
    repo_id: str
    pipeline_version: str
    embedder: str


_SAME: Final = (
    "content_hash = ? AND path = ? AND repo_id = ? AND pipeline_version = ? AND embedder = ?"
)


def _values(key: BlobKey) -> tuple[str, ...]:
    return (key.content_hash, key.path, key.repo_id, key.pipeline_version, key.embedder)


def touch(db: apsw.Connection, key: BlobKey, job_id: int) -> bool:
    """Marks an entry as used by a job; False when there is none."""
    db.execute(f"UPDATE rag_blob_cache SET job_id = ? WHERE {_SAME}", (job_id, *_values(key)))
    return db.changes() > 0


def keep(db: apsw.Connection, key: BlobKey, content: FileContent, job_id: int) -> None:
    """Adds an entry that is not there yet."""
    parts = to_parts(content)
    db.execute(
        "INSERT INTO rag_blob_cache (content_hash, path, repo_id, pipeline_version, embedder, "
        "job_id, bytes, rows, stems, vectors) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (*_values(key), job_id, sum(map(len, parts)), *parts),
    )


def find(db: apsw.Connection, key: BlobKey) -> FileContent | None:
    """The entry of a key, or None."""
    sql = f"SELECT rows, stems, vectors FROM rag_blob_cache WHERE {_SAME}"
    for rows, stems, vectors in db.execute(sql, _values(key)):
        return from_parts(rows, stems, vectors)
    return None


def prune(db: apsw.Connection) -> None:
    """Drops the entries that were used longest ago when there are too many bytes."""
    excess = int(db.execute("SELECT coalesce(sum(bytes), 0) FROM rag_blob_cache").get)
    if excess <= MAX_BYTES:
        return
    excess -= int(MAX_BYTES * _PRUNE_TO)
    doomed = []
    for row_id, size in db.execute("SELECT id, bytes FROM rag_blob_cache ORDER BY job_id, id"):
        doomed.append((row_id,))
        excess -= size
        if excess <= 0:
            break
    db.executemany("DELETE FROM rag_blob_cache WHERE id = ?", doomed)
