"""rag_sessions: what is known of a session, and how a session is recorded or removed."""

from __future__ import annotations

from typing import Final, NamedTuple

import apsw

from docs_agent.core.store import codec, fulltext, schema, vectors
from docs_agent.core.store.protocol import SessionInfo

_COLUMNS: Final = """
    id, vector_dim, name, root, docs_roots, repo_id, commit_sha, pipeline_version, embedder, dim,
    updated_at
"""


class StoredSession(NamedTuple):
    """A session as this backend keeps it."""

    id: int
    info: SessionInfo
    vector_dim: int
    """Length of the vectors in the session's vec0 table; 0 = there is no table."""


def _stored(session_id: int, vector_dim: int, *columns: str) -> StoredSession:
    name, root, docs_roots, *rest = columns
    info = SessionInfo(name, root, codec.texts_of(docs_roots), *rest)  # type: ignore[arg-type]
    return StoredSession(session_id, info, vector_dim)


def find(db: apsw.Connection, name: str) -> StoredSession | None:
    """The session of that name, completed or begun by the present run."""
    sql = f"SELECT {_COLUMNS} FROM rag_sessions WHERE name = ?"
    for row in db.execute(sql, (codec.clean(name),)):
        return _stored(*row)
    return None


def all_sessions(db: apsw.Connection) -> tuple[SessionInfo, ...]:
    """Every session, ordered by name."""
    rows = db.execute(f"SELECT {_COLUMNS} FROM rag_sessions ORDER BY name")
    return tuple(_stored(*row).info for row in rows)


def create(db: apsw.Connection, name: str) -> StoredSession:
    """Adds an empty session."""
    db.execute("INSERT INTO rag_sessions (name) VALUES (?)", (codec.clean(name),))
    info = SessionInfo(name, "", (), "", "", "", "", 0, "")
    return StoredSession(db.last_insert_rowid(), info, 0)


def record(db: apsw.Connection, session_id: int, info: SessionInfo) -> None:
    """Writes the state a completed run leaves."""
    db.execute(
        "UPDATE rag_sessions SET root = ?, docs_roots = ?, repo_id = ?, commit_sha = ?, "
        "pipeline_version = ?, embedder = ?, dim = ?, updated_at = ? WHERE id = ?",
        (
            codec.clean(info.root),
            codec.to_json(info.docs_roots),
            info.repo_id,
            info.commit_sha,
            info.pipeline_version,
            info.embedder,
            info.dim,
            info.updated_at or schema.now(),
            session_id,
        ),
    )


def drop_vectors(db: apsw.Connection, session: StoredSession) -> None:
    """Removes all vectors of a session. The vector extension must be loaded."""
    if session.vector_dim:
        db.execute(f"DROP TABLE {vectors.table(session.id)}")
        db.execute("UPDATE rag_sessions SET vector_dim = 0 WHERE id = ?", (session.id,))


def remove(db: apsw.Connection, session: StoredSession) -> None:
    """Deletes a session with all that belongs to it. The vector extension must be loaded."""
    drop_vectors(db, session)
    for table in sorted(fulltext.tables(db, session.id)):
        db.execute(f"DROP TABLE {table}")
    own = "(SELECT id FROM rag_files WHERE session_id = ?)"
    for sql in (
        f"DELETE FROM rag_records WHERE file_id IN {own}",
        f"DELETE FROM rag_stems WHERE file_id IN {own}",
        "DELETE FROM rag_names WHERE session_id = ?",
        "DELETE FROM rag_files WHERE session_id = ?",
        "DELETE FROM rag_sessions WHERE id = ?",
    ):
        db.execute(sql, (session.id,))
    db.execute("DELETE FROM rag_index_jobs WHERE session = ?", (session.info.name,))
