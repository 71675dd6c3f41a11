"""What the router may ask of an index: a few look-ups, each through an index."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from typing import Final

import apsw

from docs_agent.core.layers import D1, DOCS_LAYERS
from docs_agent.core.records import KnownName, NameKind
from docs_agent.core.store import fulltext
from docs_agent.core.store.codec import clean

_DOCUMENTS: Final = DOCS_LAYERS.index(D1)
_NAMES: Final = """
    SELECT n.kind, n.key, n.value, f.path FROM rag_names n JOIN rag_files f ON f.id = n.file_id
    WHERE n.session_id = ?
"""


class SqliteKnowledge:
    """Knowledge of one session, as of the reader's snapshot."""

    def __init__(self, db: apsw.Connection, session_id: int) -> None:
        self._db = db
        self._session_id = session_id
        # A snapshot does not change, and every question asks for these.
        self._count: int | None = None
        self._endpoints: tuple[KnownName, ...] | None = None
        self._table: str | None = None

    def names(self, keys: Collection[str]) -> tuple[KnownName, ...]:
        # One query for all: a question has dozens of keys, and a query costs more than a hit.
        wanted = json.dumps([clean(key) for key in keys], ensure_ascii=False)
        rows = self._db.execute(
            f"{_NAMES} AND n.key IN (SELECT value FROM json_each(?))", (self._session_id, wanted)
        )
        found = {KnownName(*row) for row in rows}
        return tuple(sorted(found, key=lambda n: (n.kind, n.key, n.path, n.value)))

    def endpoints(self) -> tuple[KnownName, ...]:
        if self._endpoints is None:
            rows = self._db.execute(
                f"{_NAMES} AND n.kind = 'endpoint' ORDER BY f.path, n.value", (self._session_id,)
            )
            self._endpoints = tuple(KnownName(*row) for row in rows)
        return self._endpoints

    def document_frequency(self, stems: Collection[str]) -> Mapping[str, int]:
        if self._table is None:
            table = fulltext.table(self._session_id, _DOCUMENTS)
            has_one = table in fulltext.tables(self._db, self._session_id)
            self._table = table if has_one else ""
        return fulltext.frequencies(self._db, self._table, stems) if self._table else {}

    def document_count(self) -> int:
        if self._count is None:
            self._count = int(
                self._db.execute(
                    "SELECT count(*) FROM rag_files f JOIN rag_records r ON r.file_id = f.id "
                    "WHERE f.session_id = ? AND r.layer_id = ?",
                    (self._session_id, _DOCUMENTS),
                ).get
            )
        return self._count


def names_of_kind(db: apsw.Connection, session_id: int, kind: NameKind) -> tuple[KnownName, ...]:
    """All names of one kind, ordered by key, path and value."""
    rows = db.execute(
        f"{_NAMES} AND n.kind = ? ORDER BY n.key, f.path, n.value", (session_id, kind)
    )
    return tuple(KnownName(*row) for row in rows)


def shared_names_of_kind(
    db: apsw.Connection, session_id: int, kind: NameKind
) -> tuple[KnownName, ...]:
    """The names of one kind whose value more than one file has, in the same order."""
    # Without the `+` the rows are visited in the order of their keys, which takes twice as long.
    shared = {
        value
        for (value,) in db.execute(
            "SELECT value FROM rag_names WHERE +session_id = ? AND kind = ? "
            "GROUP BY value HAVING min(file_id) < max(file_id)",
            (session_id, kind),
        )
    }
    if not shared:
        return ()
    return tuple(n for n in names_of_kind(db, session_id, kind) if n.value in shared)
