"""One index run: find the documents, bring the index up to date with them, report.

Everything happens in one transaction of the store. An error, Ctrl-C or a killed process leaves the
index as it was before; what was computed until then is computed again.

What is removed: a file that is gone from disk, or that the rules now leave out, if the run speaks
for it. What is kept in doubt: files in a folder or docs root that cannot be looked into, and files
that are there but cannot be read or are no documents any more; they are reported as failed.
"""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Final

from docs_agent.core.config_file import read_source
from docs_agent.core.embed.protocol import Embedder, Metered
from docs_agent.core.errors import UsageError
from docs_agent.core.git import Changes, changed_since, git_facts
from docs_agent.core.records import IndexWarning
from docs_agent.core.store.protocol import FileState, SessionInfo, Store, Writer
from docs_agent.indexers.discover import discover, discover_changes
from docs_agent.indexers.discover_walk import Discovery
from docs_agent.indexers.files import deepest, under
from docs_agent.indexers.pipeline_version import PIPELINE_VERSION
from docs_agent.indexers.run_files import FileRun
from docs_agent.indexers.run_relations import duplicate_ids, lost_aliases, resolve_relations
from docs_agent.indexers.run_report import FileCounts, IndexReport, IndexRequest, Progress

if TYPE_CHECKING:
    from docs_agent.indexers.workers import Workers

WORTHWHILE_BYTES: Final = 400_000
"""Of new or changed Markdown: from here on other processes win back what starting them takes."""


def run_index(
    request: IndexRequest, store: Store, embedder: Embedder, progress: Progress
) -> IndexReport:
    """Brings the session up to date and reports what was done.

    `embedder` is only asked for vectors when a file needs them. Raises InputError and UsageError
    for what the request names wrongly, IndexBusyError when another run does not end in time,
    ServiceError when a remote embedder fails; the index is then unchanged.
    """
    started = time.perf_counter()
    if sum(map(bool, (request.paths, request.changed_since, request.changes is not None))) > 1:
        raise UsageError(
            "PATHS, a revision and explicit changes exclude each other",
            remedy="give one of them",
        )
    changes = request.changes
    if request.changed_since:
        changes = changed_since(request.root, request.changed_since)
    facts = git_facts(request.root)
    with store.write(
        request.session,
        repo_id=facts.repo_id,
        pipeline_version=PIPELINE_VERSION,
        fingerprint=embedder.fingerprint,
        timeout=request.timeout,
    ) as writer:
        # Read under the write lock: nobody can change it between this look and our commit.
        before = next((s for s in store.sessions() if s.name == request.session), None)
        run = _Run(request, writer, embedder, progress, before, facts.commit_sha)
        discovery = run.discovery(changes)
        run.files(discovery)
        session = SessionInfo(
            name=request.session,
            root=str(request.root),
            docs_roots=discovery.docs_roots,
            repo_id=facts.repo_id,
            commit_sha=facts.commit_sha,
            pipeline_version=PIPELINE_VERSION,
            embedder=embedder.fingerprint,
            dim=embedder.dim,
            updated_at="",
        )
        writer.finish(session, run.counts.as_json(), run.warnings)
    with store.read(request.session) as reader:
        records = reader.stats().records
    return IndexReport(
        session=request.session,
        db=request.db,
        root=request.root,
        docs_roots=discovery.docs_roots,
        files=run.counts,
        records=records,
        embedder=embedder.fingerprint,
        seconds=time.perf_counter() - started,
        warnings=run.warnings,
        failed=run.failed,
        hints=_hints(discovery),
        spent=embedder.spent if isinstance(embedder, Metered) else None,
    )


class _Run:
    """The part of a run between taking the write lock and committing."""

    def __init__(
        self,
        request: IndexRequest,
        writer: Writer,
        embedder: Embedder,
        progress: Progress,
        before: SessionInfo | None,
        commit_sha: str,
    ) -> None:
        self.counts = FileCounts()
        self.warnings: tuple[IndexWarning, ...] = ()
        self.failed: tuple[IndexWarning, ...] = ()
        self._request = request
        self._writer = writer
        self._embedder = embedder
        self._progress = progress
        self._before = before
        self._same_vectors = before is not None and before.embedder == embedder.fingerprint
        self._same_commit = before is not None and before.commit_sha == commit_sha
        self._root = os.path.realpath(request.root)

    def discovery(self, changes: Changes | None) -> Discovery:
        """The files to look at. A part of the project is not enough while the session has no index
        yet or vectors of another embedder: then it is all of them."""
        request, before = self._request, self._before
        roots = before.docs_roots if before is not None else ()
        known = self._writer.files()
        if changes is not None and self._same_vectors:
            return discover_changes(request.root, changes, request.config, roots, known)
        paths = request.paths
        if paths and before is not None and not self._same_vectors:
            tops = (*roots, *request.config.docs.roots)
            there = (root for root in tops if os.path.isdir(os.path.join(self._root, root)))
            paths = tuple(dict.fromkeys((*there, *paths)))
        return discover(request.root, paths, request.config, roots, known, forget=request.full)

    def files(self, discovery: Discovery) -> None:
        """Indexes what was found, forgets what is gone, and settles what concerns all files."""
        request, known = self._request, self._writer.files()
        self._progress.start(len(discovery.files))
        try:
            with self._workers(discovery, known) as workers:
                file_run = FileRun(
                    self._root,
                    self._writer,
                    self._embedder,
                    self._progress.advance,
                    roots=self._roots_before(known),
                    max_bytes=request.config.index.max_file_bytes,
                    trust_index=self._same_vectors and not request.full,
                    use_cache=not request.full,
                    workers=workers,
                )
                for found in discovery.files:
                    file_run.take(found)
                file_run.flush()
        finally:
            self._progress.finish()
        gone, kept = self._missing(discovery, known)
        for path in gone:
            self._writer.delete(path)
        changed = bool(file_run.indexed or gone)
        paths = frozenset((known.keys() | {f.path for f in discovery.files}) - set(gone))
        if changed or not self._same_commit:
            resolve_relations(self._writer, request.root, paths)
        everywhere = (*duplicate_ids(self._writer), *self._lost_aliases(paths))
        self._settle(discovery, file_run, len(gone), kept, everywhere)

    def _workers(
        self, discovery: Discovery, known: Mapping[str, FileState]
    ) -> AbstractContextManager[Workers | None]:
        """Other cores, when there is work for them: files that look new or changed."""
        states = ((found, known.get(found.path)) for found in discovery.files)
        changed = sum(
            found.size
            for found, state in states
            if state is None
            or self._request.full
            or (state.size, state.mtime_ns, state.pipeline_version)
            != (found.size, found.mtime_ns, PIPELINE_VERSION)
        )
        if changed < WORTHWHILE_BYTES:
            return nullcontext()
        from docs_agent.indexers.workers import Workers, worker_count

        count = worker_count()
        return Workers(count) if count else nullcontext()

    def _roots_before(self, known: Mapping[str, FileState]) -> dict[str, str]:
        roots = self._before.docs_roots if self._before is not None else ()
        return {path: deepest(path, roots) or "." for path in known}

    def _settle(
        self,
        discovery: Discovery,
        file_run: FileRun,
        deleted: int,
        kept: tuple[IndexWarning, ...],
        everywhere: tuple[IndexWarning, ...],
    ) -> None:
        failed = (*discovery.failed, *file_run.failed, *kept)
        standing = self._standing(discovery, frozenset(warning.path for warning in failed))
        warnings = (*discovery.warnings, *file_run.failed, *kept, *standing, *everywhere)
        self.failed = tuple(sorted(failed, key=_place))
        self.warnings = tuple(sorted(warnings, key=_place))
        self.counts = FileCounts(
            seen=len(discovery.files),
            indexed=file_run.indexed,
            unchanged=file_run.unchanged,
            deleted=deleted,
            failed=len(failed),
            cache_hits=file_run.cache_hits,
        )

    def _standing(self, discovery: Discovery, failed: frozenset[str]) -> Iterator[IndexWarning]:
        """What the documents of this run were indexed with, now or earlier: a fault that nobody
        has mended is told again."""
        warned = self._writer.warnings()
        for file in discovery.files:
            if file.path not in failed:
                yield from warned.get(file.path, ())

    def _lost_aliases(self, paths: frozenset[str]) -> Iterator[IndexWarning]:
        """Aliases of the configuration that lead to no document."""
        config = self._request.config
        if not config.router.aliases:
            return
        ids = frozenset(name.value for name in self._writer.known_names("document_id"))
        source = read_source(self._request.root)
        for alias, target in lost_aliases(config.router.aliases, paths, ids):
            yield IndexWarning(
                config.path,
                source.line(("router", "aliases", alias)) if source else 0,
                "alias-target-missing",
                f"The alias `{alias}` leads to {target}, which is no indexed document. "
                "Correct its path or remove the alias.",
            )

    def _missing(
        self, discovery: Discovery, known: Mapping[str, FileState]
    ) -> tuple[list[str], tuple[IndexWarning, ...]]:
        """Known files this run speaks for and did not find: those that are gone, and a warning for
        each that is there but is no file any more."""
        found = {file.path for file in discovery.files}
        gone: list[str] = []
        kept: list[IndexWarning] = []
        for path in sorted(known.keys() - found):
            if not any(under(path, part) for part in discovery.covered):
                continue
            if any(under(path, part) for part in discovery.doubtful):
                continue
            reason = _why_kept(os.path.join(self._root, path))
            if reason:
                kept.append(
                    IndexWarning(
                        path, 0, "unreadable",
                        f"The file cannot be read ({reason}); what the index holds of it is kept. "
                        "Restore the file, or remove it.",
                    )
                )  # fmt: skip
            else:
                gone.append(path)
        return gone, tuple(kept)


def _hints(discovery: Discovery) -> tuple[str, ...]:
    """What a person may want to know although nothing is wrong."""
    if not discovery.beside:
        return ()
    first, *others = sorted(discovery.beside, key=lambda name: (name.lower() != "readme.md", name))
    more = f" and {len(others)} more Markdown file{'s' * (len(others) > 1)}" if others else ""
    roots = ", ".join(f"{top}/" for top in discovery.docs_roots)
    verb = "are" if others else "is"
    return (
        f"{first}{more} outside {roots} {verb} not indexed (docs-agent index . to include "
        f"{'them' if others else 'it'})",
    )


def _why_kept(path: str) -> str:
    """Why a known file that was not found may not be taken as gone; empty when it may."""
    try:
        mode = os.lstat(path).st_mode
    except (FileNotFoundError, NotADirectoryError):
        return ""
    except OSError as exc:
        return exc.strerror or "unknown reason"
    # A regular file that was not found is there, but rules leave it out.
    return "" if stat.S_ISREG(mode) or stat.S_ISLNK(mode) else "not a regular file"


def _place(warning: IndexWarning) -> tuple[str, int, str]:
    return warning.path, warning.line, warning.code
