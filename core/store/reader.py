"""Reading one session through one snapshot."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import apsw

from docs_agent.core.errors import EmbedderMismatchError
from docs_agent.core.layers import D1
from docs_agent.core.store import codec, filters, fulltext, jobs, vector_cache, vectors
from docs_agent.core.store.connection import load_vectors
from docs_agent.core.store.filters import Condition
from docs_agent.core.store.knowledge import SqliteKnowledge, names_of_kind
from docs_agent.core.store.protocol import (
    FileState,
    Hit,
    JobInfo,
    LexicalWeights,
    RowFilter,
    SessionInfo,
    StoreStats,
)
from docs_agent.core.store.schema import RELATIONS_ID
from docs_agent.core.store.sessions import StoredSession

if TYPE_CHECKING:
    from docs_agent.core.records import IndexWarning, KnownName, NameKind
    from docs_agent.core.rows import Row

_ROWS: Final = """
    SELECT r.id, f.path, r.content, l.name, r.title, r.lang, f.repo_id, f.commit_sha,
           r.span_start, r.span_end, r.metadata_json
    FROM rag_files f JOIN rag_records r ON r.file_id = f.id JOIN rag_layers l ON l.id = r.layer_id
    WHERE f.session_id = ?
"""
# The layer is written out, else SQLite does not see that its partial index holds all such rows; and
# CROSS JOIN keeps it from reading every file of the session instead.
_RELATIONS: Final = f"""
    SELECT r.id, f.path, r.content, l.name, r.title, r.lang, f.repo_id, f.commit_sha,
           r.span_start, r.span_end, r.metadata_json
    FROM rag_records r CROSS JOIN rag_files f ON f.id = r.file_id
    JOIN rag_layers l ON l.id = r.layer_id
    WHERE r.layer_id = {RELATIONS_ID} AND f.session_id = ?
      AND json_extract(r.metadata_json, '$.target_document') IN
"""
_IDS_AT_ONCE: Final = 500


class SqliteReader:
    """See protocol.Reader. Lives as long as the read transaction of its connection."""

    def __init__(self, db: apsw.Connection, path: Path, stored: StoredSession) -> None:
        self._db = db
        self._path = path
        self._stored = stored
        self._layers = dict(db.execute("SELECT name, id FROM rag_layers"))
        self._fulltext: frozenset[str] | None = None
        self._vectors_loaded = False
        self._restricts: dict[Condition, bool] = {}
        self._knowledge = SqliteKnowledge(db, stored.id)

    @property
    def session(self) -> SessionInfo:
        return self._stored.info

    @property
    def knowledge(self) -> SqliteKnowledge:
        return self._knowledge

    def stats(self) -> StoreStats:
        records = self._db.execute(
            "SELECT l.name, count(*) FROM rag_files f JOIN rag_records r ON r.file_id = f.id "
            "JOIN rag_layers l ON l.id = r.layer_id WHERE f.session_id = ? GROUP BY l.id",
            (self._stored.id,),
        )
        languages = self._db.execute(
            "SELECT r.lang, count(*) FROM rag_files f JOIN rag_records r ON r.file_id = f.id "
            "WHERE f.session_id = ? AND r.layer_id = ? GROUP BY r.lang ORDER BY r.lang",
            (self._stored.id, self._layers[D1]),
        )
        pages = self._db.pragma("page_count") * self._db.pragma("page_size")
        return StoreStats(
            documents=self.knowledge.document_count(),
            records=dict(records),
            languages=dict(languages),
            db_bytes=int(pages),
        )

    def files(self) -> tuple[FileState, ...]:
        rows = self._db.execute(
            "SELECT path, content_hash, pipeline_version, size, mtime_ns FROM rag_files "
            "WHERE session_id = ? ORDER BY path",
            (self._stored.id,),
        )
        return tuple(FileState(*row) for row in rows)

    def last_job(self) -> JobInfo | None:
        return jobs.last(self._db, self._path, self._stored.info.name)

    def lexical(
        self,
        layer: str,
        terms: Sequence[str],
        where: RowFilter,
        weights: LexicalWeights,
        limit: int,
    ) -> tuple[Hit, ...]:
        query = fulltext.expression(terms)
        table = self._fulltext_table(layer)
        if not (query and table and limit > 0 and self._wanted(layer, where)):
            return ()
        within = self._ids(layer, where)
        found = fulltext.search(self._db, table, query, within, weights, limit)
        return tuple(Hit(row_id, path, layer, value) for row_id, path, value in found)

    def dense(
        self, layer: str, vector: Sequence[float], where: RowFilter, limit: int
    ) -> tuple[Hit, ...]:
        if not self._stored.info.dim:
            return ()
        if len(vector) != self._stored.info.dim:
            info = self._stored.info
            raise EmbedderMismatchError(
                f"the question's vector has {len(vector)} components, "
                f"the index holds vectors of {info.dim} ({info.embedder})",
                remedy="use the embedder the index was built with, or index again",
            )
        if not self._stored.vector_dim or limit <= 0 or not self._wanted(layer, where):
            return ()
        small = codec.quantise_one(vector)
        if small is None:
            return ()
        self._load_vectors()
        table = vectors.table(self._stored.id)
        within = self._ids(layer, where)
        found = vectors.search(self._db, table, self._layers[layer], small, within, limit)
        return tuple(Hit(row_id, path, layer, value) for row_id, path, value in found)

    def rows(self, row_ids: Sequence[int]) -> tuple[Row, ...]:
        found: dict[int, Row] = {}
        for start in range(0, len(row_ids), _IDS_AT_ONCE):
            some = row_ids[start : start + _IDS_AT_ONCE]
            sql = f"{_ROWS} AND r.id IN ({', '.join('?' * len(some))})"
            for row in self._db.execute(sql, (self._stored.id, *some)):
                found[row[0]] = _row(*row)
        return tuple(found[i] for i in row_ids if i in found)

    def rows_of(self, where: RowFilter, limit: int = 1000) -> tuple[Row, ...]:
        passing = filters.both(filters.on_files(where), self._on_records(where))
        rows = self._db.execute(
            f"{_ROWS} {passing.clause} ORDER BY f.path, r.layer_id, r.span_start, r.id LIMIT ?",
            (self._stored.id, *passing.values, max(limit, 0)),
        )
        return tuple(_row(*row) for row in rows)

    def paths_like(
        self, substrings: Sequence[str], where: RowFilter, limit: int = 20
    ) -> tuple[str, ...]:
        wanted = [codec.fold(part) for part in substrings if part]
        files = filters.on_files(where)
        records = self._on_records(where)
        sql = f"SELECT f.path FROM rag_files f WHERE f.session_id = ? {files.clause}"
        if records:
            sql += (
                f" AND EXISTS (SELECT 1 FROM rag_records r WHERE r.file_id = f.id{records.clause})"
            )
        values = (self._stored.id, *files.values, *records.values)
        found = [
            path
            for (path,) in self._db.execute(sql, values)
            if any(part in path.lower() for part in wanted)
        ]
        return tuple(sorted(found, key=lambda path: (len(path), path))[: max(limit, 0)])

    def relations_to(self, paths: Sequence[str]) -> tuple[Row, ...]:
        found: list[Row] = []
        wanted = list(dict.fromkeys(map(codec.clean, paths)))
        for start in range(0, len(wanted), _IDS_AT_ONCE):
            some = wanted[start : start + _IDS_AT_ONCE]
            sql = f"{_RELATIONS} ({', '.join('?' * len(some))})"
            found.extend(_row(*row) for row in self._db.execute(sql, (self._stored.id, *some)))
        return tuple(sorted(found, key=lambda row: (row.path, row.span_start, row.row_id)))

    def known_names(self, kind: NameKind) -> tuple[KnownName, ...]:
        return names_of_kind(self._db, self._stored.id, kind)

    def warnings_of(self, path: str) -> tuple[IndexWarning, ...]:
        sql = "SELECT warnings FROM rag_files WHERE session_id = ? AND path = ?"
        found = self._db.execute(sql, (self._stored.id, codec.clean(path))).get
        return codec.warnings_of(found) if found else ()

    def vocabulary(self, layer: str) -> Mapping[str, int]:
        table = self._fulltext_table(layer)
        return fulltext.vocabulary(self._db, table) if table else {}

    def cached_vectors(self, fingerprint: str, keys: Sequence[str]) -> Mapping[str, bytes]:
        return vector_cache.find(self._db, fingerprint, keys)

    def _fulltext_table(self, layer: str) -> str:
        """Name of the layer's table; empty when the session has no row of it."""
        if layer not in self._layers:
            return ""
        if self._fulltext is None:
            self._fulltext = fulltext.tables(self._db, self._stored.id)
        table = fulltext.table(self._stored.id, self._layers[layer])
        return table if table in self._fulltext else ""

    def _load_vectors(self) -> None:
        if not self._vectors_loaded:
            load_vectors(self._db)
            self._vectors_loaded = True

    def _wanted(self, layer: str, where: RowFilter) -> bool:
        return layer in self._layers and (not where.layers or layer in where.layers)

    def _on_records(self, where: RowFilter) -> Condition:
        layers = [self._layers[name] for name in where.layers if name in self._layers]
        return filters.on_records(where, layers if where.layers else None)

    def _ids(self, layer: str, where: RowFilter) -> Condition:
        """A SELECT of the ids in one layer that pass the filter; empty when all do."""
        files = filters.on_files(where)
        if files and not self._leaves_out(files):
            files = Condition()
        if not (files or where.domain or where.subdomain):
            return Condition()
        passing = filters.both(files, filters.on_records(where, [self._layers[layer]]))
        return Condition(
            "SELECT r.id FROM rag_files f JOIN rag_records r ON r.file_id = f.id "
            f"WHERE f.session_id = ?{passing.clause}",
            (self._stored.id, *passing.values),
        )

    def _leaves_out(self, files: Condition) -> bool:
        """True when some file fails the condition. A prefix that covers the whole session is
        common, and searching without a filter is faster."""
        known = self._restricts.get(files)
        if known is None:
            outside = f"SELECT 1 FROM rag_files f WHERE f.session_id = ? AND NOT ({files.sql})"
            sql = f"SELECT EXISTS ({outside})"
            known = bool(self._db.execute(sql, (self._stored.id, *files.values)).get)
            self._restricts[files] = known
        return known


def _row(
    row_id: int,
    path: str,
    content: str,
    layer: str,
    title: str,
    lang: str,
    repo_id: str,
    commit_sha: str,
    span_start: int,
    span_end: int,
    metadata_json: str,
) -> Row:
    from docs_agent.core.rows import Row

    return Row(
        row_id=row_id,
        path=path,
        content=content,
        layer=layer,
        title=title,
        lang=lang,
        repo_id=repo_id,
        commit_sha=commit_sha,
        span_start=span_start,
        span_end=span_end,
        metadata=codec.metadata_of(metadata_json),
    )
