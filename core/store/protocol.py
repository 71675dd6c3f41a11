"""What the rest of the tool asks of an index. A second backend implements the same and passes the
same suite.

Concurrency contract: many readers, one writer. A reader sees the last committed state and never
fails because of a
writer. A second writer waits up to its timeout and then gets IndexBusyError naming the holder. A
writer that is killed
at any moment leaves the last committed state.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol

from docs_agent.core.knowledge import Knowledge
from docs_agent.core.records import FileRecords, IndexWarning, KnownName, Metadata, NameKind

if TYPE_CHECKING:
    from docs_agent.core.rows import Row


class SessionInfo(NamedTuple):
    """One indexed state of one project (`rag_sessions` of the RAG seed)."""

    name: str
    """Chosen by the user, `default` unless told."""
    root: str
    """Absolute project root at the last run."""
    docs_roots: tuple[str, ...]
    """Indexed documentation folders relative to the root, with `/`, no trailing slash; `.` is the
    root itself."""
    repo_id: str
    commit_sha: str
    """Empty outside git."""
    pipeline_version: str
    embedder: str
    """Fingerprint of the vectors, `none` when there are none."""
    dim: int
    """Length of a vector, 0 when there are none."""
    updated_at: str
    """UTC, ISO 8601, of the last completed run; empty when no run has completed."""


class FileState(NamedTuple):
    """What the index holds of one file."""

    path: str
    content_hash: str
    pipeline_version: str
    size: int
    """Bytes."""
    mtime_ns: int
    """Modification time when it was read; equal size and mtime spare reading the file again."""


class JobInfo(NamedTuple):
    """One index run (`rag_index_jobs`)."""

    job_id: int
    session: str
    status: Literal["running", "done", "failed", "interrupted"]
    started_at: str
    """UTC, ISO 8601, to the microsecond."""
    finished_at: str
    """The same; empty while it runs and when it died."""
    counts: Mapping[str, int]
    """seen, indexed, unchanged, deleted, failed, cache_hits."""
    warnings: tuple[IndexWarning, ...] = ()


class RowFilter(NamedTuple):
    """Restricts candidates before ranking, never after. Empty fields restrict nothing."""

    layers: tuple[str, ...] = ()
    path_prefixes: tuple[str, ...] = ()
    """Literal prefixes of `path`; any of them may match."""
    exclude_path_prefixes: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    """Exact paths; any of them may match."""
    domain: str = ""
    """Equal to metadata `domain`, compared without case."""
    subdomain: str = ""
    """Equal to metadata `subdomain`, compared without case."""


class LexicalWeights(NamedTuple):
    """Weights of the four full-text columns in BM25."""

    title: float = 1.0
    section: float = 1.0
    path: float = 1.0
    body: float = 1.0


class Hit(NamedTuple):
    """A candidate: row and figure. For `lexical` higher is better (BM25), for `dense` lower (cosine
    distance)."""

    row_id: int
    path: str
    layer: str
    value: float


@dataclass(frozen=True, slots=True)
class StoreStats:
    """Counts for `status`."""

    documents: int
    records: Mapping[str, int]
    """Rows per layer."""
    languages: Mapping[str, int] = field(default_factory=dict)
    """Documents per language."""
    db_bytes: int = 0


class Reader(Protocol):
    """One session, one consistent snapshot for as long as the reader is open."""

    @property
    def session(self) -> SessionInfo: ...

    @property
    def knowledge(self) -> Knowledge: ...

    def stats(self) -> StoreStats: ...

    def files(self) -> tuple[FileState, ...]:
        """All files of the session, ordered by path."""
        ...

    def last_job(self) -> JobInfo | None:
        """The newest job of the session, finished or not."""
        ...

    def lexical(
        self,
        layer: str,
        terms: Sequence[str],
        where: RowFilter,
        weights: LexicalWeights,
        limit: int,
    ) -> tuple[Hit, ...]:
        """BM25 over the stems of one layer: rows that contain any of `terms` (stems, taken
        literally), best first."""
        ...

    def dense(
        self, layer: str, vector: Sequence[float], where: RowFilter, limit: int
    ) -> tuple[Hit, ...]:
        """Nearest rows of one layer by cosine distance; empty when the session has no vectors.

        Raises EmbedderMismatchError when the length differs from the session's `dim`.
        """
        ...

    def rows(self, row_ids: Sequence[int]) -> tuple[Row, ...]:
        """Rows in the order asked for; ids that do not exist are left out."""
        ...

    def rows_of(self, where: RowFilter, limit: int = 1000) -> tuple[Row, ...]:
        """All rows that pass the filter, ordered by path, layer position and line."""
        ...

    def paths_like(
        self, substrings: Sequence[str], where: RowFilter, limit: int = 20
    ) -> tuple[str, ...]:
        """Paths that contain any of the substrings (literal, case-insensitive), shortest path
        first."""
        ...

    def relations_to(self, paths: Sequence[str]) -> tuple[Row, ...]:
        """D5 rows that lead to one of these documents (`target_document`), ordered by path and
        line."""
        ...

    def known_names(self, kind: NameKind) -> tuple[KnownName, ...]:
        """All names of one kind, ordered by key, path and value. Large: for spelling only."""
        ...

    def warnings_of(self, path: str) -> tuple[IndexWarning, ...]:
        """The warnings a file was indexed with; none for an unknown path."""
        ...

    def vocabulary(self, layer: str) -> Mapping[str, int]:
        """Every stem of a layer and in how many rows it occurs. Large: for spelling only."""
        ...

    def cached_vectors(self, fingerprint: str, keys: Sequence[str]) -> Mapping[str, bytes]:
        """Vectors of `rag_chunk_cache` by text key, as written."""
        ...


class Writer(Protocol):
    """One index run in one transaction. Everything becomes visible at once when the context ends
    without an error."""

    def files(self) -> Mapping[str, FileState]:
        """What the session held when the run began, by path. A file whose vectors another embedder
        made shows an empty pipeline_version: it is never up to date."""
        ...

    def put(self, file: FileRecords, state: FileState, vectors: Sequence[bytes | None]) -> None:
        """Replaces all rows of `file.path`; `vectors[i]` (float32, little-endian) belongs to
        `file.records[i]`."""
        ...

    def reuse(
        self, path: str, content_hash: str, state: FileState
    ) -> tuple[IndexWarning, ...] | None:
        """Takes the rows of the same blob from the cache or another session. None when nobody has
        it; else its warnings."""
        ...

    def delete(self, path: str) -> None:
        """Removes all rows and names of a file; unknown paths are no error."""
        ...

    def relations(self) -> tuple[tuple[int, str, Metadata], ...]:
        """(row id, path, metadata) of every D5 row of the session, as this run has left them."""
        ...

    def known_names(self, kind: NameKind) -> tuple[KnownName, ...]:
        """All names of one kind in the session, as this run has left them."""
        ...

    def shared_names(self, kind: NameKind) -> tuple[KnownName, ...]:
        """Those of `known_names` whose value more than one file has."""
        ...

    def warnings(self) -> Mapping[str, tuple[IndexWarning, ...]]:
        """The warnings that files were indexed with, by path, as this run has left them; files
        without any are absent."""
        ...

    def set_resolved(self, resolved: Mapping[int, bool]) -> None:
        """Writes `resolved` into the metadata of D5 rows, by row id."""
        ...

    def set_target_documents(self, targets: Mapping[int, str]) -> None:
        """Writes `target_document`, the path of the indexed document that a D5 row leads to, into
        its metadata, by row id; an empty path removes it."""
        ...

    def finish(
        self, session: SessionInfo, counts: Mapping[str, int], warnings: Sequence[IndexWarning]
    ) -> None:
        """Records the session's new state and closes the job as `done`. Must be called exactly once
        before the context ends."""
        ...

    def cached_vectors(self, fingerprint: str, keys: Sequence[str]) -> Mapping[str, bytes]: ...

    def cache_vectors(self, fingerprint: str, vectors: Mapping[str, bytes]) -> None:
        """Keeps vectors by text key (see `core.embed.text_key`)."""
        ...


class Store(Protocol):
    """The index file of a project."""

    def sessions(self) -> tuple[SessionInfo, ...]:
        """All sessions, ordered by name; empty when nothing has been indexed."""
        ...

    def read(self, session: str) -> AbstractContextManager[Reader]:
        """Opens a snapshot. Raises NoIndexError when the session has never completed a run."""
        ...

    def write(
        self, session: str, *, repo_id: str, pipeline_version: str, fingerprint: str, timeout: float
    ) -> AbstractContextManager[Writer]:
        """Begins a run; creates the session. Raises IndexBusyError after `timeout` seconds of
        waiting."""
        ...

    def drop(self, session: str) -> bool:
        """Removes a session with all its rows; False when there was none."""
        ...

    def cache_vectors(self, fingerprint: str, vectors: Mapping[str, bytes]) -> None:
        """Keeps vectors computed by a reader. Best effort: a busy or read-only index keeps nothing
        and raises nothing."""
        ...

    def close(self) -> None: ...
