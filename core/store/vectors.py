"""Vector tables: one vec0 table per session, int8 components, cosine distance.

A session has vectors of one embedder and one length only, so its table is dropped and made anew
when either changes; nothing of the old length can linger.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

import apsw

from docs_agent.core.store.filters import Condition

CHUNK_ROWS: Final = 256
"""Vectors per stored block. A layer takes at least one block, so large blocks waste space in small
projects; small ones cost speed."""
MAX_KNN: Final = 4096
"""The most neighbours a vec0 query may ask for."""


def table(session_id: int) -> str:
    """Name of the table of a session."""
    return f"rag_vec_{session_id}"


def create(db: apsw.Connection, name: str, dim: int) -> None:
    """Makes an empty table for vectors of `dim` components."""
    db.execute(
        f"CREATE VIRTUAL TABLE {name} USING vec0(record_id INTEGER PRIMARY KEY, "
        f"layer_id INTEGER PARTITION KEY, vector int8[{dim}] distance_metric=cosine, "
        f"chunk_size={CHUNK_ROWS})"
    )


def insert(db: apsw.Connection, name: str, rows: Iterable[tuple[int, int, bytes]]) -> None:
    """Adds (record id, layer id, int8 vector)."""
    db.executemany(
        f"INSERT INTO {name} (record_id, layer_id, vector) VALUES (?, ?, vec_int8(?))", rows
    )


def delete(db: apsw.Connection, name: str, record_ids: Iterable[int]) -> None:
    """Removes rows; ids without a vector are no error."""
    db.executemany(f"DELETE FROM {name} WHERE record_id = ?", ((i,) for i in record_ids))


def fetch(db: apsw.Connection, name: str, record_ids: Sequence[int]) -> list[bytes | None]:
    """Vectors by record id, None where there is none."""
    sql = f"SELECT vector FROM {name} WHERE record_id = ?"
    return [db.execute(sql, (i,)).get for i in record_ids]


def compact(db: apsw.Connection, name: str, dim: int) -> None:
    """Rebuilds the table when most of its places are empty.

    vec0 fills only its newest block and frees a block only when all of it is deleted, so a table
    whose files change one by one would grow without end.
    """
    places = CHUNK_ROWS * int(db.execute(f"SELECT count(*) FROM {name}_chunks").get)
    used = int(db.execute(f"SELECT count(*) FROM {name}_rowids").get)
    layers = int(db.execute(f"SELECT count(DISTINCT partition00) FROM {name}_chunks").get)
    if places <= 2 * used + layers * CHUNK_ROWS:
        return
    rows = list(db.execute(f"SELECT record_id, layer_id, vector FROM {name} ORDER BY record_id"))
    db.execute(f"DROP TABLE {name}")
    create(db, name, dim)
    insert(db, name, rows)


def search(
    db: apsw.Connection, name: str, layer_id: int, vector: bytes, within: Condition, limit: int
) -> Iterable[tuple[int, str, float]]:
    """(record id, path, cosine distance), nearest first; always exact.

    vector: int8. within: a SELECT of record ids, or empty for the whole layer.
    """
    inside = f"AND record_id IN ({within.sql})" if within else ""
    if limit <= MAX_KNN:
        nearest = (
            f"SELECT record_id AS id, distance AS value FROM {name} "
            f"WHERE vector MATCH vec_int8(?) AND k = ? AND layer_id = ? {inside}"
        )
        values = (vector, limit, layer_id, *within.values)
    else:
        nearest = (
            "SELECT record_id AS id, vec_distance_cosine(vec_int8(vector), vec_int8(?)) AS value "
            f"FROM {name} WHERE layer_id = ? {inside} ORDER BY value LIMIT ?"
        )
        values = (vector, layer_id, *within.values, limit)
    return db.execute(
        f"""
        SELECT r.id, f.path, hit.value FROM ({nearest}) hit
        JOIN rag_records r ON r.id = hit.id
        JOIN rag_files f ON f.id = r.file_id
        ORDER BY hit.value, f.path, r.span_start, r.id
        """,
        values,
    )
