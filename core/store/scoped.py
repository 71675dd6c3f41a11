"""A reader that sees only a part of the documents: what `--path-prefix` asks for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from docs_agent.core.knowledge import Knowledge
from docs_agent.core.records import IndexWarning, KnownName, NameKind
from docs_agent.core.rows import Row
from docs_agent.core.store.protocol import (
    FileState,
    Hit,
    JobInfo,
    LexicalWeights,
    Reader,
    RowFilter,
    SessionInfo,
    StoreStats,
)


class ScopedReader:
    """Implements Reader over another one; rows outside `prefixes` do not exist.

    Counts, word statistics and known names stay those of the whole session.
    """

    def __init__(self, reader: Reader, prefixes: tuple[str, ...]) -> None:
        self._reader = reader
        self._prefixes = prefixes

    @property
    def session(self) -> SessionInfo:
        return self._reader.session

    @property
    def knowledge(self) -> Knowledge:
        return self._reader.knowledge

    def stats(self) -> StoreStats:
        return self._reader.stats()

    def files(self) -> tuple[FileState, ...]:
        return tuple(f for f in self._reader.files() if f.path.startswith(self._prefixes))

    def last_job(self) -> JobInfo | None:
        return self._reader.last_job()

    def lexical(
        self,
        layer: str,
        terms: Sequence[str],
        where: RowFilter,
        weights: LexicalWeights,
        limit: int,
    ) -> tuple[Hit, ...]:
        narrow = self._narrow(where)
        return self._reader.lexical(layer, terms, narrow, weights, limit) if narrow else ()

    def dense(
        self, layer: str, vector: Sequence[float], where: RowFilter, limit: int
    ) -> tuple[Hit, ...]:
        narrow = self._narrow(where)
        return self._reader.dense(layer, vector, narrow, limit) if narrow else ()

    def rows(self, row_ids: Sequence[int]) -> tuple[Row, ...]:
        return tuple(r for r in self._reader.rows(row_ids) if r.path.startswith(self._prefixes))

    def rows_of(self, where: RowFilter, limit: int = 1000) -> tuple[Row, ...]:
        narrow = self._narrow(where)
        return self._reader.rows_of(narrow, limit) if narrow else ()

    def paths_like(
        self, substrings: Sequence[str], where: RowFilter, limit: int = 20
    ) -> tuple[str, ...]:
        narrow = self._narrow(where)
        return self._reader.paths_like(substrings, narrow, limit) if narrow else ()

    def relations_to(self, paths: Sequence[str]) -> tuple[Row, ...]:
        rows = self._reader.relations_to(paths)
        return tuple(row for row in rows if row.path.startswith(self._prefixes))

    def known_names(self, kind: NameKind) -> tuple[KnownName, ...]:
        return self._reader.known_names(kind)

    def warnings_of(self, path: str) -> tuple[IndexWarning, ...]:
        return self._reader.warnings_of(path) if path.startswith(self._prefixes) else ()

    def vocabulary(self, layer: str) -> Mapping[str, int]:
        return self._reader.vocabulary(layer)

    def cached_vectors(self, fingerprint: str, keys: Sequence[str]) -> Mapping[str, bytes]:
        return self._reader.cached_vectors(fingerprint, keys)

    def _narrow(self, where: RowFilter) -> RowFilter | None:
        """The filter within the scope; None when nothing can pass both."""
        if not where.path_prefixes:
            return where._replace(path_prefixes=self._prefixes)
        both = common_prefixes(where.path_prefixes, self._prefixes)
        return where._replace(path_prefixes=both) if both else None


def common_prefixes(left: Sequence[str], right: Sequence[str]) -> tuple[str, ...]:
    """Prefixes of exactly the paths that start with one of `left` and with one of `right`."""
    both = (max(a, b, key=len) for a in left for b in right if a.startswith(b) or b.startswith(a))
    return tuple(dict.fromkeys(both))
