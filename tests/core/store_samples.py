"""Small documents for tests of a store."""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from typing import Any

from docs_agent.core.layers import D0, D1
from docs_agent.core.records import FileRecords, IndexWarning, KnownName, LexicalText, Record
from docs_agent.core.store.protocol import FileState, SessionInfo, Store, Writer

VERSION = "1"
FINGERPRINT = "test:2"
REPO = "repo"


def record(
    body: str,
    *,
    layer: str = D0,
    title: str = "",
    section: str = "",
    path: str = "",
    metadata: Mapping[str, Any] | None = None,
    line: int = 1,
    lang: str = "en",
    record_id: str = "",
) -> Record:
    return Record(
        record_id=record_id or f"{layer}:{line}",
        layer=layer,
        title=title,
        content=body,
        span_start=line,
        span_end=line + 2,
        lang=lang,
        metadata=metadata or {},
        lexical=LexicalText(title=title, section=section, path=path, body=body),
        embed_text=body,
    )


def file(
    path: str,
    *records: Record | str,
    names: Sequence[KnownName] = (),
    warnings: Sequence[IndexWarning] = (),
    content_hash: str = "",
) -> FileRecords:
    """A plain text stands for a D0 record."""
    made = tuple(
        record(r, line=1 + 10 * i) if isinstance(r, str) else r for i, r in enumerate(records)
    )
    return FileRecords(path, content_hash or f"hash of {path}", made, tuple(names), tuple(warnings))


def document(path: str, body: str, **more: Any) -> FileRecords:
    """A file with one card (D1) and nothing else."""
    return file(path, record(body, layer=D1, title=more.pop("title", ""), **more))


def state_of(made: FileRecords, version: str = VERSION) -> FileState:
    return FileState(made.path, made.content_hash, version, 100, 5)


def vector(*components: float) -> bytes:
    return struct.pack(f"<{len(components)}f", *components)


def info(name: str = "default", **changes: Any) -> SessionInfo:
    values: dict[str, Any] = {
        "name": name,
        "root": "/project",
        "docs_roots": ("docs",),
        "repo_id": REPO,
        "commit_sha": "c0ffee",
        "pipeline_version": VERSION,
        "embedder": FINGERPRINT,
        "dim": 2,
        "updated_at": "2026-01-02T03:04:05+00:00",
    }
    return SessionInfo(**(values | changes))


def begin(store: Store, session: str = "default", **changes: Any) -> Any:
    """Arguments of `write` that most tests share."""
    values: dict[str, Any] = {
        "repo_id": REPO,
        "pipeline_version": VERSION,
        "fingerprint": FINGERPRINT,
        "timeout": 5.0,
    }
    return store.write(session, **(values | changes))


def put(writer: Writer, made: FileRecords, *vectors: bytes | None) -> None:
    given = vectors or (None,) * len(made.records)
    writer.put(made, state_of(made), given)


def index(store: Store, *files: FileRecords, session: str = "default", **changes: Any) -> None:
    """One complete run that puts the files, without vectors."""
    with begin(store, session) as writer:
        for made in files:
            put(writer, made)
        writer.finish(info(session, **changes), {"seen": len(files)}, ())
