"""One index run: replaces, reuses and removes the rows of files inside one transaction."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import apsw

from docs_agent.core.errors import StoreError
from docs_agent.core.layers import D5
from docs_agent.core.records import FileRecords, IndexWarning, KnownName, Metadata, NameKind
from docs_agent.core.store import (
    blob_cache,
    codec,
    content,
    fulltext,
    jobs,
    sessions,
    vector_cache,
    vectors,
)
from docs_agent.core.store.blob_cache import BlobKey
from docs_agent.core.store.content import FileContent
from docs_agent.core.store.knowledge import names_of_kind, shared_names_of_kind
from docs_agent.core.store.protocol import FileState, SessionInfo
from docs_agent.core.store.sessions import StoredSession

_RESCUED_BYTES: Final = 64 * 1024 * 1024
"""How many bytes of new vectors a run remembers, to keep them when it is interrupted."""


@dataclass(frozen=True, slots=True)
class _Held:
    """A file as the session holds it now."""

    file_id: int
    key: BlobKey
    first: int
    last: int


class SqliteWriter:
    """See protocol.Writer. The caller owns the transaction, the lock and the job."""

    def __init__(
        self,
        db: apsw.Connection,
        session: StoredSession,
        *,
        job_id: int,
        repo_id: str,
        pipeline_version: str,
        fingerprint: str,
    ) -> None:
        """The vector extension must be loaded."""
        self._db = db
        self._session = session
        self._job_id = job_id
        self._repo_id = codec.clean(repo_id)
        self._pipeline_version = pipeline_version
        self._fingerprint = fingerprint
        self._layers: dict[str, int] = dict(db.execute("SELECT name, id FROM rag_layers"))
        self._fulltext = set(fulltext.tables(db, session.id))
        self._vector_dim = session.vector_dim
        self._next_record = 1 + int(db.execute("SELECT coalesce(max(id), 0) FROM rag_records").get)
        self._held: dict[str, _Held] = {}
        self._before = self._read_files()
        self._new_vectors: dict[str, dict[str, bytes]] = {}
        self._new_vector_bytes = 0
        self._finished = False
        if session.info.embedder != fingerprint:
            self._drop_vectors()

    @property
    def finished(self) -> bool:
        """Whether `finish` has been called."""
        return self._finished

    @property
    def new_vectors(self) -> Mapping[str, Mapping[str, bytes]]:
        """Vectors cached by this run, by fingerprint and text key; lost with a rollback."""
        return self._new_vectors

    def files(self) -> Mapping[str, FileState]:
        return self._before

    def put(self, file: FileRecords, state: FileState, vectors: Sequence[bytes | None]) -> None:
        """See protocol. Raises StoreError, before anything is changed, when the vectors do not fit
        the records or the path is no text."""
        _refuse_unprintable(file.path)
        fresh = content.from_records(file, vectors)
        self.delete(file.path)
        self._insert(self._key(file.path, file.content_hash), fresh, state)

    def reuse(
        self, path: str, content_hash: str, state: FileState
    ) -> tuple[IndexWarning, ...] | None:
        """See protocol. Rows this session holds of the same blob stay as they are."""
        _refuse_unprintable(path)
        key = self._key(path, content_hash)
        held = self._held.get(path)
        if held is not None and held.key == key:
            return self._keep(held, state)
        found = self._from_other_session(key)
        if found is None:
            found = blob_cache.find(self._db, key)
            if found is None:
                return None
            blob_cache.touch(self._db, key, self._job_id)
        self.delete(path)
        self._insert(key, found, state)
        return content.warnings_of(found)

    def delete(self, path: str) -> None:
        held = self._held.pop(path, None)
        if held is None:
            return
        if self._is_current(held.key) and not blob_cache.touch(self._db, held.key, self._job_id):
            blob_cache.keep(self._db, held.key, self._rows_of(held, self._session), self._job_id)
        self._remove(held)

    def relations(self) -> tuple[tuple[int, str, Metadata], ...]:
        rows = self._db.execute(
            "SELECT r.id, f.path, r.metadata_json "
            "FROM rag_files f JOIN rag_records r ON r.file_id = f.id "
            "WHERE f.session_id = ? AND r.layer_id = ? ORDER BY f.path, r.span_start, r.id",
            (self._session.id, self._layers[D5]),
        )
        return tuple((row_id, path, codec.metadata_of(text)) for row_id, path, text in rows)

    def known_names(self, kind: NameKind) -> tuple[KnownName, ...]:
        return names_of_kind(self._db, self._session.id, kind)

    def shared_names(self, kind: NameKind) -> tuple[KnownName, ...]:
        return shared_names_of_kind(self._db, self._session.id, kind)

    def warnings(self) -> Mapping[str, tuple[IndexWarning, ...]]:
        rows = self._db.execute(
            "SELECT path, warnings FROM rag_files WHERE session_id = ? AND warnings <> '[]'",
            (self._session.id,),
        )
        return {path: codec.warnings_of(text) for path, text in rows}

    def set_resolved(self, resolved: Mapping[int, bool]) -> None:
        # Most relations resolve as they did before; a row that says so already is not rewritten.
        self._db.executemany(
            "UPDATE rag_records SET metadata_json = json_set(metadata_json, '$.resolved', json(?2))"
            " WHERE id = ?1 AND json_type(metadata_json, '$.resolved') IS NOT ?2",
            ((row_id, "true" if value else "false") for row_id, value in resolved.items()),
        )

    def set_target_documents(self, targets: Mapping[int, str]) -> None:
        self._db.executemany(
            "UPDATE rag_records SET metadata_json = CASE ?2 WHEN '' "
            "THEN json_remove(metadata_json, '$.target_document') "
            "ELSE json_set(metadata_json, '$.target_document', ?2) END WHERE id = ?1",
            ((row_id, codec.clean(path)) for row_id, path in targets.items()),
        )

    def finish(
        self, session: SessionInfo, counts: Mapping[str, int], warnings: Sequence[IndexWarning]
    ) -> None:
        if self._finished:
            raise StoreError("the run was finished twice")
        self._db.execute(
            "UPDATE rag_files SET commit_sha = ? WHERE session_id = ? AND job_id = ?",
            (session.commit_sha, self._session.id, self._job_id),
        )
        if self._vector_dim:
            vectors.compact(self._db, vectors.table(self._session.id), self._vector_dim)
        blob_cache.prune(self._db)
        sessions.record(self._db, self._session.id, session)
        jobs.complete(self._db, self._job_id, counts, warnings)
        self._finished = True

    def cached_vectors(self, fingerprint: str, keys: Sequence[str]) -> Mapping[str, bytes]:
        return vector_cache.find(self._db, fingerprint, keys)

    def cache_vectors(self, fingerprint: str, vectors: Mapping[str, bytes]) -> None:
        vector_cache.keep(self._db, fingerprint, vectors)
        if self._new_vector_bytes < _RESCUED_BYTES:
            self._new_vectors.setdefault(fingerprint, {}).update(vectors)
            self._new_vector_bytes += sum(map(len, vectors.values()))

    def _read_files(self) -> dict[str, FileState]:
        found = {}
        for row in self._db.execute(
            "SELECT id, first_record, last_record, path, content_hash, repo_id, pipeline_version, "
            "embedder, size, mtime_ns FROM rag_files WHERE session_id = ? ORDER BY path",
            (self._session.id,),
        ):
            file_id, first, last, path, content_hash, repo_id, version, embedder, size, mtime = row
            key = BlobKey(content_hash, path, repo_id, version, embedder)
            self._held[path] = _Held(file_id, key, first, last)
            shown = version if embedder == self._fingerprint else ""
            found[path] = FileState(path, content_hash, shown, size, mtime)
        return found

    def _key(self, path: str, content_hash: str) -> BlobKey:
        return BlobKey(content_hash, path, self._repo_id, self._pipeline_version, self._fingerprint)

    def _is_current(self, key: BlobKey) -> bool:
        """Rows of an older pipeline or embedder are not worth keeping."""
        return replace(key, path="", content_hash="") == self._key("", "")

    def _keep(self, held: _Held, state: FileState) -> tuple[IndexWarning, ...]:
        self._db.execute(
            "UPDATE rag_files SET size = ?, mtime_ns = ? WHERE id = ?",
            (state.size, state.mtime_ns, held.file_id),
        )
        sql = "SELECT warnings FROM rag_files WHERE id = ?"
        return codec.warnings_of(self._db.execute(sql, (held.file_id,)).get)

    def _from_other_session(self, key: BlobKey) -> FileContent | None:
        row = self._db.execute(
            "SELECT f.id, f.first_record, f.last_record, s.name FROM rag_files f "
            "JOIN rag_sessions s ON s.id = f.session_id "
            "WHERE f.content_hash = ? AND f.path = ? AND f.repo_id = ? "
            "AND f.pipeline_version = ? AND f.embedder = ? AND f.session_id <> ? LIMIT 1",
            (
                key.content_hash,
                key.path,
                key.repo_id,
                key.pipeline_version,
                key.embedder,
                self._session.id,
            ),
        ).get
        if row is None:
            return None
        file_id, first, last, name = row
        other = sessions.find(self._db, name)
        return self._rows_of(_Held(file_id, key, first, last), other) if other else None

    def _rows_of(self, held: _Held, session: StoredSession) -> FileContent:
        dim = self._vector_dim if session is self._session else session.vector_dim
        table = vectors.table(session.id) if dim else ""
        return content.from_rows(self._db, held.file_id, held.first, held.last, table)

    def _insert(self, key: BlobKey, fresh: FileContent, state: FileState) -> None:
        first = self._next_record
        last = first + len(fresh.records) - 1
        self._db.execute(
            "INSERT INTO rag_files (session_id, path, content_hash, pipeline_version, embedder, "
            "size, mtime_ns, repo_id, job_id, first_record, last_record, warnings) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                self._session.id,
                key.path,
                key.content_hash,
                key.pipeline_version,
                key.embedder,
                state.size,
                state.mtime_ns,
                key.repo_id,
                self._job_id,
                first,
                last,
                fresh.warnings,
            ),
        )
        file_id = self._db.last_insert_rowid()
        self._insert_records(file_id, first, fresh)
        self._db.execute(
            "INSERT INTO rag_stems VALUES (?, ?)", (file_id, codec.pack_stems(fresh.stems))
        )
        self._db.executemany(
            "INSERT INTO rag_names (session_id, file_id, kind, key, value) VALUES (?, ?, ?, ?, ?)",
            ((self._session.id, file_id, *name) for name in fresh.names),
        )
        self._next_record = last + 1
        self._held[key.path] = _Held(file_id, key, first, last)

    def _insert_records(self, file_id: int, first: int, fresh: FileContent) -> None:
        layer_ids = [self._layer_id(row[0]) for row in fresh.records]
        self._db.executemany(
            "INSERT INTO rag_records VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                (record_id, file_id, layer_id, *row[1:])
                for record_id, (layer_id, row) in enumerate(
                    zip(layer_ids, fresh.records, strict=True), first
                )
            ),
        )
        for layer_id in dict.fromkeys(layer_ids):
            fulltext.insert(
                self._db,
                self._fulltext_table(layer_id),
                (
                    (first + i, *fresh.stems[i])
                    for i, found in enumerate(layer_ids)
                    if found == layer_id
                ),
            )
        if fresh.dim:
            vectors.insert(
                self._db,
                self._vector_table(fresh.dim),
                (
                    (first + i, layer_ids[i], vector)
                    for i, vector in enumerate(fresh.vectors)
                    if vector is not None
                ),
            )

    def _remove(self, held: _Held) -> None:
        by_layer: dict[int, list[int]] = {}
        for record_id, layer_id in self._db.execute(
            "SELECT id, layer_id FROM rag_records WHERE file_id = ?", (held.file_id,)
        ):
            by_layer.setdefault(layer_id, []).append(record_id)
        for layer_id, record_ids in by_layer.items():
            fulltext.delete(self._db, fulltext.table(self._session.id, layer_id), record_ids)
        if self._vector_dim:
            table = vectors.table(self._session.id)
            vectors.delete(self._db, table, range(held.first, held.last + 1))
        self._db.execute(
            "DELETE FROM rag_records WHERE id BETWEEN ? AND ?", (held.first, held.last)
        )
        for table in ("rag_stems", "rag_names"):
            self._db.execute(f"DELETE FROM {table} WHERE file_id = ?", (held.file_id,))
        self._db.execute("DELETE FROM rag_files WHERE id = ?", (held.file_id,))

    def _layer_id(self, layer: str) -> int:
        known = self._layers.get(layer)
        if known is None:
            self._db.execute("INSERT INTO rag_layers (name) VALUES (?)", (layer,))
            known = self._layers[layer] = self._db.last_insert_rowid()
        return known

    def _fulltext_table(self, layer_id: int) -> str:
        table = fulltext.table(self._session.id, layer_id)
        if table not in self._fulltext:
            fulltext.create(self._db, table)
            self._fulltext.add(table)
        return table

    def _vector_table(self, dim: int) -> str:
        table = vectors.table(self._session.id)
        if self._vector_dim != dim:
            self._drop_vectors()
            vectors.create(self._db, table, dim)
            sql = "UPDATE rag_sessions SET vector_dim = ? WHERE id = ?"
            self._db.execute(sql, (dim, self._session.id))
            self._vector_dim = dim
        return table

    def _drop_vectors(self) -> None:
        sessions.drop_vectors(self._db, self._session._replace(vector_dim=self._vector_dim))
        self._vector_dim = 0


def _refuse_unprintable(path: str) -> None:
    """Paths come back to open files, so they are stored exactly or not at all."""
    if codec.clean(path) != path:
        raise StoreError(
            f"the name of {codec.clean(path)!r} is not valid UTF-8",
            remedy="rename the file",
            path=codec.clean(path),
        )
