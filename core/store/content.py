"""All that the index holds of one file, as one value: made from records, from rows or from the
cache, and inserted in one way."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

import apsw

from docs_agent.core.errors import StoreError
from docs_agent.core.lexical import stem_row
from docs_agent.core.records import FileRecords, IndexWarning, Record, StemRow
from docs_agent.core.store import codec, vectors

RecordRow = tuple[str, str, str, str, str, int, int, str, str, str]
"""layer, record_id, title, content, lang, span_start, span_end, domain, subdomain, metadata_json"""

NameRow = tuple[str, str, str]
"""kind, key, value"""


@dataclass(frozen=True, slots=True)
class FileContent:
    """The rows of one file, without ids, path and session."""

    records: tuple[RecordRow, ...]
    stems: tuple[StemRow, ...]
    """One for each record."""
    vectors: tuple[bytes | None, ...]
    """int8, one for each record."""
    names: tuple[NameRow, ...]
    warnings: str
    """JSON, see codec.warnings_to_json."""

    @property
    def dim(self) -> int:
        """Length of the vectors; 0 when no record has one."""
        return next((len(v) for v in self.vectors if v is not None), 0)


def from_records(file: FileRecords, given: Sequence[bytes | None]) -> FileContent:
    """Rows of freshly extracted records. Raises StoreError when the vectors do not fit them."""
    seen: dict[str, str] = {}
    return FileContent(
        records=tuple(_record_row(record) for record in file.records),
        stems=tuple(record.stems or stem_row(record.lexical, seen) for record in file.records),
        vectors=_quantised(file, given),
        names=tuple(
            (name.kind, codec.clean(name.key), codec.clean(name.value)) for name in file.names
        ),
        warnings=codec.warnings_to_json(file.warnings),
    )


def _record_row(record: Record) -> RecordRow:
    return (
        record.layer,
        codec.clean(record.record_id),
        codec.clean(record.title),
        codec.clean(record.content),
        record.lang,
        record.span_start,
        record.span_end,
        codec.domain_of(record.metadata, "domain"),
        codec.domain_of(record.metadata, "subdomain", "sub_domain"),
        codec.to_json(record.metadata),
    )


def _quantised(file: FileRecords, given: Sequence[bytes | None]) -> tuple[bytes | None, ...]:
    if len(given) != len(file.records):
        raise StoreError(
            f"{file.path}: {len(file.records)} records came with {len(given)} vectors",
            path=file.path,
        )
    present = [vector for vector in given if vector is not None]
    if not present:
        return (None,) * len(given)
    if len({len(vector) for vector in present}) != 1 or not present[0] or len(present[0]) % 4:
        raise StoreError(
            f"{file.path}: its vectors are not float32 of one length",
            remedy="check the embedder that made them",
            path=file.path,
        )
    small = iter(codec.quantise(present))
    return tuple(None if vector is None else next(small) for vector in given)


def from_rows(
    db: apsw.Connection, file_id: int, first: int, last: int, vector_table: str
) -> FileContent:
    """Rows of a file that the index holds. vector_table: empty when its session has no vectors."""
    found = db.execute(
        "SELECT l.name, r.record_id, r.title, r.content, r.lang, r.span_start, r.span_end, "
        "r.domain, r.subdomain, r.metadata_json "
        "FROM rag_records r JOIN rag_layers l ON l.id = r.layer_id "
        "WHERE r.id BETWEEN ? AND ? ORDER BY r.id",
        (first, last),
    )
    ids = range(first, last + 1)
    stored = db.execute("SELECT stems FROM rag_stems WHERE file_id = ?", (file_id,)).get
    names = db.execute(
        "SELECT kind, key, value FROM rag_names WHERE file_id = ? ORDER BY id", (file_id,)
    )
    return FileContent(
        records=tuple(found),
        stems=tuple(codec.unpack_stems(stored)),
        vectors=tuple(vectors.fetch(db, vector_table, ids) if vector_table else [None] * len(ids)),
        names=tuple(names),
        warnings=db.execute("SELECT warnings FROM rag_files WHERE id = ?", (file_id,)).get,
    )


def to_parts(content: FileContent) -> tuple[bytes, bytes, bytes]:
    """(rows, stems, vectors) for the cache: the first two compressed."""
    has_vector = [vector is not None for vector in content.vectors]
    rows = [content.records, content.names, content.warnings, has_vector, content.dim]
    return (
        codec.pack(codec.to_json(rows)),
        codec.pack_stems(content.stems),
        b"".join(vector for vector in content.vectors if vector is not None),
    )


def from_parts(rows: bytes, stem_data: bytes, vector_data: bytes) -> FileContent:
    """The inverse of to_parts."""
    records, names, warnings, has_vector, dim = json.loads(codec.unpack(rows))
    pieces = (vector_data[i : i + dim] for i in range(0, len(vector_data), dim or 1))
    return FileContent(
        records=tuple(tuple(row) for row in records),
        stems=tuple(codec.unpack_stems(stem_data)),
        vectors=tuple(next(pieces) if has else None for has in has_vector),
        names=tuple(tuple(row) for row in names),
        warnings=warnings,
    )


def warnings_of(content: FileContent) -> tuple[IndexWarning, ...]:
    """The warnings the file was indexed with."""
    return codec.warnings_of(content.warnings)
