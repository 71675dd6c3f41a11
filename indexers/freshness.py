"""How far the files on disk have moved away from the index."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from docs_agent.core.config import Config
from docs_agent.core.store.protocol import FileState, JobInfo, SessionInfo
from docs_agent.indexers.discover import discover
from docs_agent.indexers.discover_walk import FoundFile
from docs_agent.indexers.file_state import differs


@dataclass(frozen=True, slots=True)
class Drift:
    """Paths that an index run would look at again, each ordered."""

    changed: tuple[str, ...] = ()
    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()
    """Files the last run could not index and that have not been touched since; not counted as
    drift, because another run would refuse them again."""

    @property
    def is_empty(self) -> bool:
        """True when the index is up to date."""
        return not (self.changed or self.added or self.removed)


def compare(
    root: Path,
    config: Config,
    session: SessionInfo,
    known: Sequence[FileState],
    last_job: JobInfo | None,
) -> Drift:
    """Compares the index with the disk: by size and time first, by content where these differ.

    Raises InputError and ConfigError as `discover` does.
    """
    states = {state.path: state for state in known}
    discovery = discover(root, (), config, session.docs_roots, states)
    found = {file.path: file for file in discovery.files}
    top = os.path.realpath(root)
    unknown = [file for file in found.values() if file.path not in states]
    refused = _refused(unknown, last_job)
    return Drift(
        changed=tuple(
            path
            for path, file in found.items()
            if path in states
            and (file.size, file.mtime_ns) != (states[path].size, states[path].mtime_ns)
            and differs(os.path.join(top, path), states[path], config.index.max_file_bytes)
        ),
        added=tuple(file.path for file in unknown if file.path not in refused),
        removed=tuple(sorted(path for path in states if path not in found)),
        refused=refused,
    )


def _refused(unknown: Sequence[FoundFile], job: JobInfo | None) -> tuple[str, ...]:
    """Files without records that the last run warned about and that are older than it.

    One that was touched while it ran may have been read before.
    """
    if job is None or not job.finished_at:
        return ()
    warned = {warning.path for warning in job.warnings}
    started = datetime.fromisoformat(job.started_at).timestamp()
    return tuple(f.path for f in unknown if f.path in warned and f.mtime_ns / 1e9 <= started)
