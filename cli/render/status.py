"""The state of the index, as JSON and as lines."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from docs_agent.cli.lines import Line, columns, plain
from docs_agent.cli.render.index import layer_counts, shown_path

if TYPE_CHECKING:
    from docs_agent.cli.project import Project
    from docs_agent.core.store.protocol import JobInfo, Reader, SessionInfo, StoreStats
    from docs_agent.indexers.freshness import Drift

_SHOWN_FILES = 10


@dataclass(frozen=True, slots=True)
class IndexState:
    """What the index says of itself."""

    session: SessionInfo
    stats: StoreStats
    last_job: JobInfo | None
    db: Path
    """Index file."""
    root: Path
    """Project root."""


def state_of(project: Project, reader: Reader) -> IndexState:
    """Reads the state of the project's session."""
    return IndexState(reader.session, reader.stats(), reader.last_job(), project.db, project.root)


def status_json(state: IndexState, drift: Drift, next_embedder: str) -> dict[str, Any]:
    """Session, counts and what has changed on disk since.

    next_embedder: what is configured when it is not what the index has, else empty.
    """
    session = state.session
    return {
        "session": session.name,
        "db": str(state.db),
        "root": session.root,
        "docs_roots": list(session.docs_roots),
        "repo_id": session.repo_id,
        "commit_sha": session.commit_sha,
        "embedder": session.embedder,
        "next_embedder": next_embedder or None,
        "updated_at": session.updated_at,
        "last_run": state.last_job.status if state.last_job else None,
        "documents": state.stats.documents,
        "languages": dict(state.stats.languages),
        "records": dict(state.stats.records),
        "db_bytes": state.stats.db_bytes,
        "fresh": _is_fresh(state, drift),
        "changed": list(drift.changed),
        "added": list(drift.added),
        "removed": list(drift.removed),
        "refused": list(drift.refused),
    }


def status_lines(state: IndexState, drift: Drift, next_embedder: str) -> list[Line]:
    """The state in a few aligned lines, then what `index` would do."""
    session, stats = state.session, state.stats
    languages = " · ".join(f"{name} {count}" for name, count in stats.languages.items() if name)
    rows = [
        (
            "index",
            f"{shown_path(state.db, state.root)}   {stats.db_bytes / 1e6:.1f} MB,"
            f" session {session.name}",
        ),
        (
            "documents",
            f"{stats.documents} in {', '.join(session.docs_roots)}   {languages}".rstrip(),
        ),
        ("records", f"{sum(stats.records.values())} ({layer_counts(stats.records)})"),
        ("embedder", session.embedder + _embedder_drift(next_embedder)),
        ("updated", session.updated_at + _commit(session.commit_sha)),
    ]
    if state.last_job and state.last_job.status != "done":
        started = state.last_job.started_at.partition(".")[0]
        rows.append(("last run", f"{state.last_job.status}, started {started} UTC"))
    rows.append(("fresh", _freshness(state, drift)))
    if drift.refused:
        rows.append(("refused", ", ".join(drift.refused[:_SHOWN_FILES])))
    return [plain(line) for line in columns(rows)] + _drift_lines(drift)


def _embedder_drift(configured: str) -> str:
    return f"   the next docs-agent index uses {configured}" if configured else ""


def _commit(sha: str) -> str:
    return f"   at commit {sha[:10]}" if sha else ""


def _is_fresh(state: IndexState, drift: Drift) -> bool:
    """An index without any document is not up to date with documents that were refused."""
    return drift.is_empty and bool(state.stats.documents or not drift.refused)


def _freshness(state: IndexState, drift: Drift) -> str:
    if _is_fresh(state, drift):
        return "yes" if state.stats.documents else "yes: there are no documents"
    if drift.is_empty:
        refused = len(drift.refused)
        return f"no: {refused} could not be indexed; docs-agent index says why"
    counts = ((drift.changed, "changed"), (drift.added, "new"), (drift.removed, "gone"))
    said = ", ".join(f"{len(paths)} {word}" for paths, word in counts if paths)
    return f"no: {said} since; run docs-agent index"


def _drift_lines(drift: Drift) -> list[Line]:
    marked = [("M", p) for p in drift.changed] + [("A", p) for p in drift.added]
    marked += [("D", p) for p in drift.removed]
    lines = [plain(f"  {mark} {path}") for mark, path in marked[:_SHOWN_FILES]]
    if len(marked) > _SHOWN_FILES:
        lines.append(plain(f"  … and {len(marked) - _SHOWN_FILES} more"))
    return lines
