"""rag_chunk_cache: vectors by embedder and text, bounded."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import apsw

from docs_agent.core.store.codec import clean

MAX_BYTES: Final = 200 * 1024 * 1024
"""About how much the cache may hold."""
_PRUNE_TO: Final = 0.9
# Each look-up names that many keys at most, well under SQLite's limit of bound values.
_KEYS_AT_ONCE: Final = 500


def find(db: apsw.Connection, fingerprint: str, keys: Sequence[str]) -> dict[str, bytes]:
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


def keep(db: apsw.Connection, fingerprint: str, vectors: Mapping[str, bytes]) -> None:
    """Adds vectors; a key that is known keeps its vector, because the same text has the same."""
    db.executemany(
        "INSERT OR IGNORE INTO rag_chunk_cache (fingerprint, text_key, vector) VALUES (?, ?, ?)",
        ((fingerprint, clean(key), vector) for key, vector in vectors.items()),
    )
    _prune(db)


def _prune(db: apsw.Connection) -> None:
    """Drops the oldest when there are too many.

    Rows leave only from the old end, so the ids tell their number without counting.
    """
    for first, last, size in db.execute(
        "SELECT o.id, n.id, (length(o.vector) + length(n.vector)) / 2 + 1 "
        "FROM rag_chunk_cache o, rag_chunk_cache n "
        "WHERE o.id = (SELECT min(id) FROM rag_chunk_cache) "
        "AND n.id = (SELECT max(id) FROM rag_chunk_cache)"
    ):
        if (last - first + 1) * size > MAX_BYTES:
            kept = int(MAX_BYTES * _PRUNE_TO) // size
            db.execute("DELETE FROM rag_chunk_cache WHERE id <= ?", (last - kept,))
