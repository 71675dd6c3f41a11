"""RowFilter as SQL conditions. Every value is bound and literal: there are no wildcards."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from docs_agent.core.store.codec import clean, fold
from docs_agent.core.store.protocol import RowFilter

_LAST = 0x10FFFF
_BEFORE_SURROGATES = 0xD7FF
_AFTER_SURROGATES = 0xE000


class Condition(NamedTuple):
    """A piece of a WHERE clause with its values; empty text = no restriction."""

    sql: str = ""
    values: tuple[object, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.sql)

    @property
    def clause(self) -> str:
        """` AND (…)`, or nothing."""
        return f" AND {self.sql}" if self.sql else ""


def both(*conditions: Condition) -> Condition:
    """All of the conditions."""
    real = [c for c in conditions if c]
    return Condition(" AND ".join(c.sql for c in real), tuple(v for c in real for v in c.values))


def on_files(where: RowFilter) -> Condition:
    """What a filter says of rag_files `f`."""
    found = []
    if where.path_prefixes:
        found.append(_any_prefix(where.path_prefixes))
    if where.exclude_path_prefixes:
        excluded = _any_prefix(where.exclude_path_prefixes)
        found.append(Condition(f"NOT {excluded.sql}" if excluded else "0", excluded.values))
    if where.paths:
        marks = ", ".join("?" * len(where.paths))
        found.append(Condition(f"f.path IN ({marks})", tuple(map(clean, where.paths))))
    return both(*found)


def on_records(where: RowFilter, layer_ids: Sequence[int] | None) -> Condition:
    """What a filter says of rag_records `r`. layer_ids: None = any layer."""
    found = []
    if layer_ids is not None:
        found.append(
            Condition(f"r.layer_id IN ({', '.join('?' * len(layer_ids))})", tuple(layer_ids))
        )
    if where.domain:
        found.append(Condition("r.domain = ?", (fold(where.domain),)))
    if where.subdomain:
        found.append(Condition("r.subdomain = ?", (fold(where.subdomain),)))
    return both(*found)


def _any_prefix(prefixes: Sequence[str]) -> Condition:
    """Any prefix matches; no text when one of them is empty, because then everything does."""
    if "" in prefixes:
        return Condition()
    parts, values = [], []
    for prefix in map(clean, prefixes):
        end = after_prefix(prefix)
        parts.append("(f.path >= ? AND f.path < ?)" if end else "f.path >= ?")
        values.extend([prefix, end] if end else [prefix])
    return Condition(f"({' OR '.join(parts)})", tuple(values))


def after_prefix(prefix: str) -> str:
    """The smallest text greater than every text that starts with `prefix`; empty = there is none.

    In code point order, which is also the byte order of UTF-8 that SQLite compares by.
    """
    kept = prefix.rstrip(chr(_LAST))
    if not kept:
        return ""
    code = ord(kept[-1])
    following = _AFTER_SURROGATES if code == _BEFORE_SURROGATES else code + 1
    return kept[:-1] + chr(following)
