"""What an index run is asked, what it says while it works, and what it reports at the end."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from docs_agent.core.config import Config
from docs_agent.core.embed.protocol import Spent
from docs_agent.core.git import Changes
from docs_agent.core.records import IndexWarning


@dataclass(frozen=True, slots=True)
class IndexRequest:
    """One index run."""

    root: Path
    """Project root, absolute."""
    db: Path
    """The index file, for the report."""
    config: Config
    """Settings of the project."""
    session: str = "default"
    """The index state to bring up to date."""
    paths: tuple[str, ...] = ()
    """Folders and files to look at, relative to the root or absolute; empty = the docs roots."""
    changed_since: str = ""
    """Git revision: only what differs from it is looked at. Excludes `paths` and `changes`."""
    changes: Changes | None = None
    """Explicit upserts and deletes instead of a look at the folders."""
    full: bool = False
    """Parse and embed everything again, whatever is known; only a remote embedder's vectors still
    come from the cache, since the same text has the same vector."""
    timeout: float = 30.0
    """Seconds to wait for another writer."""


class Progress(Protocol):
    """Where a run tells how far it is."""

    def start(self, total: int) -> None:
        """`total` files are going to be looked at."""
        ...

    def advance(self, path: str, records: int) -> None:
        """One file is done and gave so many records; 0 when it was unchanged or failed."""
        ...

    def finish(self) -> None:
        """No more files. Also called when the run ends with an error."""
        ...


class NoProgress:
    """Tells nobody."""

    def start(self, total: int) -> None:
        pass

    def advance(self, path: str, records: int) -> None:
        pass

    def finish(self) -> None:
        pass


@dataclass(frozen=True, slots=True)
class FileCounts:
    """Files of one run: seen = indexed + unchanged + those of failed that are files."""

    seen: int = 0
    """Documents found on disk, readable or not."""
    indexed: int = 0
    """Files whose records were written, from the cache or anew."""
    unchanged: int = 0
    """Files the index already holds as they are."""
    deleted: int = 0
    """Files whose records were removed."""
    failed: int = 0
    """Files and folders that could not be read; their old records stay."""
    cache_hits: int = 0
    """Those of `indexed` that were neither parsed nor embedded."""

    def as_json(self) -> dict[str, int]:
        return {
            "seen": self.seen,
            "indexed": self.indexed,
            "unchanged": self.unchanged,
            "deleted": self.deleted,
            "failed": self.failed,
            "cache_hits": self.cache_hits,
        }


@dataclass(frozen=True, slots=True)
class IndexReport:
    """What a run did and what the index holds now."""

    session: str
    db: Path
    root: Path
    docs_roots: tuple[str, ...]
    """Relative to the root, with `/`."""
    files: FileCounts
    records: Mapping[str, int]
    """Records per layer in the whole session after the run."""
    embedder: str
    """Fingerprint of the vectors."""
    seconds: float
    """Wall time of the run, waiting for another writer included."""
    warnings: tuple[IndexWarning, ...] = ()
    """Ordered by path and line: what is wrong with the documents looked at, changed in this run or
    not, and those in `failed`."""
    failed: tuple[IndexWarning, ...] = field(default=())
    """What could not be read, with the reason."""
    hints: tuple[str, ...] = ()
    """What may be worth knowing although nothing is wrong, one sentence each."""

    spent: Spent | None = None
    """What the embedder's service was given; None for an embedder that works here."""

    def as_json(self) -> dict[str, Any]:
        """The document that `index --json` prints."""
        return {
            "session": self.session,
            "db": str(self.db),
            "root": str(self.root),
            "docs_roots": list(self.docs_roots),
            "files": self.files.as_json(),
            "records": dict(self.records),
            "warnings": [_warning(warning) for warning in self.warnings],
            "failed": [_warning(warning) for warning in self.failed],
            "hints": list(self.hints),
            "embedder": self.embedder,
            "spent": None if self.spent is None else _spent(self.spent),
            "seconds": round(self.seconds, 3),
        }


def _spent(spent: Spent) -> dict[str, Any]:
    return {
        "texts": spent.texts,
        "characters": spent.characters,
        "requests": spent.requests,
        "tokens": spent.tokens or None,
        "seconds": round(spent.seconds, 3),
    }


def _warning(warning: IndexWarning) -> dict[str, Any]:
    return {
        "path": warning.path,
        "line": warning.line,
        "code": warning.code,
        "message": warning.message,
    }
