"""Full-text tables: one FTS5 table per session and layer, over stems.

Contentless: the words are not kept a second time. Then `detail=full` is needed, because with less
detail bm25() of a contentless table gives 0 for every row.
The `ascii` tokenizer takes every character above U+007F for a letter and changes none of them;
with all ASCII punctuation declared as letters too, it splits exactly at the spaces put there.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import apsw

from docs_agent.core.records import StemRow
from docs_agent.core.store.filters import Condition
from docs_agent.core.store.protocol import LexicalWeights

_PUNCTUATION: Final = "".join(chr(c) for c in range(0x21, 0x7F) if not chr(c).isalnum())
# Inside the tokenizer's own quotes, inside SQL's.
_TOKENCHARS: Final = _PUNCTUATION.replace("'", "''").replace('"', '""')
# Larger than FTS5's default of 1 MB: fewer segments to merge while a first index is built.
_PENDING_BYTES: Final = 8 * 1024 * 1024
_WORD: Final = re.compile(r"[^\x00-\x20\x7f\ud800-\udfff]+")


def table(session_id: int, layer_id: int) -> str:
    """Name of the table of one layer."""
    return f"rag_fts_{session_id}_{layer_id}"


def tables(db: apsw.Connection, session_id: int) -> frozenset[str]:
    """Names of the full-text tables that a session has."""
    found = db.execute(
        "SELECT name FROM sqlite_schema WHERE name GLOB ? AND sql LIKE 'CREATE VIRTUAL %'",
        (f"rag_fts_{session_id}_*",),
    )
    return frozenset(str(name) for (name,) in found)


def create(db: apsw.Connection, name: str) -> None:
    """Makes an empty table."""
    db.execute(
        f"CREATE VIRTUAL TABLE {name} USING fts5(title, section, path, body, "
        "content='', contentless_delete=1, detail=full, "
        f"""tokenize="ascii tokenchars '{_TOKENCHARS}'")"""
    )
    db.execute(f"INSERT INTO {name} ({name}, rank) VALUES ('hashsize', {_PENDING_BYTES})")


def insert(db: apsw.Connection, name: str, rows: Iterable[tuple[int, *StemRow]]) -> None:
    """Adds (record id, stems of title, section, path, body)."""
    db.executemany(
        f"INSERT INTO {name} (rowid, title, section, path, body) VALUES (?, ?, ?, ?, ?)", rows
    )


def delete(db: apsw.Connection, name: str, record_ids: Iterable[int]) -> None:
    """Removes rows."""
    db.executemany(f"DELETE FROM {name} WHERE rowid = ?", ((i,) for i in record_ids))


def expression(terms: Sequence[str]) -> str:
    """An FTS5 query for any of the terms, each a literal word; empty when none can match."""
    words = dict.fromkeys(term for term in terms if _WORD.fullmatch(term))
    return " OR ".join('"' + word.replace('"', '""') + '"' for word in words)


def search(
    db: apsw.Connection,
    name: str,
    query: str,
    within: Condition,
    weights: LexicalWeights,
    limit: int,
) -> Iterable[tuple[int, str, float]]:
    """(record id, path, BM25), best first.

    query: see `expression`. within: a SELECT of record ids, or empty for the whole table.
    """
    # The plus keeps SQLite from starting one full-text query per id.
    inside = f"AND +rowid IN ({within.sql})" if within else ""
    return db.execute(
        f"""
        SELECT r.id, f.path, hit.value
        FROM (
            SELECT rowid AS id, -bm25({name}, ?, ?, ?, ?) AS value FROM {name}
            WHERE {name} MATCH ? {inside} ORDER BY value DESC, rowid LIMIT ?
        ) hit
        JOIN rag_records r ON r.id = hit.id
        JOIN rag_files f ON f.id = r.file_id
        ORDER BY hit.value DESC, f.path, r.span_start, r.id
        """,
        (
            weights.title,
            weights.section,
            weights.path,
            weights.body,
            query,
            *within.values,
            limit,
        ),
    )


def _vocabulary_table(db: apsw.Connection, name: str) -> str:
    """A view of the table's words in this connection's temporary schema; nothing is stored."""
    words = f"{name}_words"
    db.execute(
        f"CREATE VIRTUAL TABLE IF NOT EXISTS temp.{words} USING fts5vocab(main, {name}, row)"
    )
    return f"temp.{words}"


def vocabulary(db: apsw.Connection, name: str) -> dict[str, int]:
    """Every stem and the number of rows that hold it."""
    return dict(db.execute(f"SELECT term, doc FROM {_vocabulary_table(db, name)}"))


def frequencies(db: apsw.Connection, name: str, stems: Iterable[str]) -> Mapping[str, int]:
    """In how many rows each stem occurs; stems that occur in none are absent."""
    # One query for all: their number is small, and a query costs more than a look-up.
    wanted = json.dumps([stem for stem in stems if _WORD.fullmatch(stem)], ensure_ascii=False)
    table = _vocabulary_table(db, name)
    sql = f"SELECT term, doc FROM {table} WHERE term IN (SELECT value FROM json_each(?))"
    return dict(db.execute(sql, (wanted,)))
