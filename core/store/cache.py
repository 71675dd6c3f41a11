"""Bounded caches: rows of files that were replaced or deleted, and vectors by text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import apsw

from docs_agent.core.store.codec import clean
from docs_agent.core.store.content import FileContent, from_parts, to_parts

BLOB_BYTES: Final = 64 * 1024 * 1024
"""About how much rag_blob_cache may hold."""
VECTOR_BYTES: Final = 200 * 1024 * 1024
"""About how much rag_chunk_cache may hold."""
_PRUNE_TO: Final = 0.9
# Each look-up names that many keys at most, well under SQLite's limit of bound values.
_KEYS_AT_ONCE: Final = 500


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


def touch_blob(db: apsw.Connection, key: BlobKey, job_id: int) -> bool:
    """Marks an entry as used by a job; False when there is none."""
    db.execute(f"UPDATE rag_blob_cache SET job_id = ? WHERE {_SAME}", (job_id, *_values(key)))
    return db.changes() > 0


def keep_blob(db: apsw.Connection, key: BlobKey, content: FileContent, job_id: int) -> None:
    """Adds an entry that is not there yet."""
    parts = to_parts(content)
    db.execute(
        "INSERT INTO rag_blob_cache (content_hash, path, repo_id, pipeline_version, embedder, "
        "job_id, bytes, rows, stems, vectors) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (*_values(key), job_id, sum(map(len, parts)), *parts),
    )


def find_blob(db: apsw.Connection, key: BlobKey) -> FileContent | None:
    """The entry of a key, or None."""
    sql = f"SELECT rows, stems, vectors FROM rag_blob_cache WHERE {_SAME}"
    for rows, stems, vectors in db.execute(sql, _values(key)):
        return from_parts(rows, stems, vectors)
    return None


def prune_blobs(db: apsw.Connection) -> None:
    """Drops the entries that were used longest ago when there are too many bytes."""
    excess = int(db.execute("SELECT coalesce(sum(bytes), 0) FROM rag_blob_cache").get)
    if excess <= BLOB_BYTES:
        return
    excess -= int(BLOB_BYTES * _PRUNE_TO)
    doomed = []
    for row_id, size in db.execute("SELECT id, bytes FROM rag_blob_cache ORDER BY job_id, id"):
        doomed.append((row_id,))
        excess -= size
        if excess <= 0:
            break
    db.executemany("DELETE FROM rag_blob_cache WHERE id = ?", doomed)


def find_vectors(db: apsw.Connection, fingerprint: str, keys: Sequence[str]) -> dict[str, bytes]:
    """Vectors by text key; unknown keys are absent."""
    found: dict[str, bytes] = {}
    for start in range(0, len(keys), _KEYS_AT_ONCE):
        some = [clean(key) for key in keys[start : start + _KEYS_AT_ONCE]]
        marks = ", ".join("?" * len(some))
        found.update(
            db.execute(
                "SELECT text_key, vector FROM rag_chunk_cache "
                f"WHERE fingerprint = ? AND text_key IN ({marks})",
                (fingerprint, *some),
            )
        )
    return found


def keep_vectors(db: apsw.Connection, fingerprint: str, vectors: Mapping[str, bytes]) -> None:
    """Adds vectors; a key that is known keeps its vector, because the same text has the same."""
    db.executemany(
        "INSERT OR IGNORE INTO rag_chunk_cache (fingerprint, text_key, vector) VALUES (?, ?, ?)",
        ((fingerprint, clean(key), vector) for key, vector in vectors.items()),
    )
    _prune_vectors(db)


def _prune_vectors(db: apsw.Connection) -> None:
    """Drops the oldest when there are too many.

    Rows leave only from the old end, so the ids tell their number without counting.
    """
    for first, last, size in db.execute(
        "SELECT o.id, n.id, (length(o.vector) + length(n.vector)) / 2 + 1 "
        "FROM rag_chunk_cache o, rag_chunk_cache n "
        "WHERE o.id = (SELECT min(id) FROM rag_chunk_cache) "
        "AND n.id = (SELECT max(id) FROM rag_chunk_cache)"
    ):
        if (last - first + 1) * size > VECTOR_BYTES:
            kept = int(VECTOR_BYTES * _PRUNE_TO) // size
            db.execute("DELETE FROM rag_chunk_cache WHERE id <= ?", (last - kept,))
