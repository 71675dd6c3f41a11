"""A run of lint: find the documents, look at each, then at the whole."""

from __future__ import annotations

import datetime
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from docs_agent.core.config import Config
from docs_agent.core.errors import InputError
from docs_agent.core.records import IndexWarning
from docs_agent.indexers.decode import decode, split_lines
from docs_agent.indexers.discover import discover
from docs_agent.indexers.discover_walk import FoundFile
from docs_agent.indexers.files import read_file
from docs_agent.lint.cache import Cache, run_key, task_key
from docs_agent.lint.catalogue import catalogues_of
from docs_agent.lint.finding import Finding, Span
from docs_agent.lint.fingerprint import with_fingerprints
from docs_agent.lint.graph import Graph
from docs_agent.lint.one import Looked, Task, documents_of
from docs_agent.lint.pool import look_at_all
from docs_agent.lint.registry import RULES, UNREADABLE
from docs_agent.lint.rule import Hit
from docs_agent.lint.selection import Choice, Selection
from docs_agent.lint.tree import Tree
from docs_agent.lint.verdict import findings_of
from docs_agent.templates.model import load_model

_GRAPH_RULES: Final = tuple(rule for rule in RULES if rule.graph is not None)

_KEPT_BYTES: Final = 100_000_000
"""Of documents kept in memory; what is beyond is read again when its lines are asked for."""


@dataclass(frozen=True, slots=True)
class LintRequest:
    """What to check.

    paths: folders and files that are reported on, relative to the root or absolute; empty = the
    docs roots. The graph is always that of the whole collection.
    only: report on these files alone, whatever `paths` hold; None = all of them.
    cache: where results are kept; None = nowhere.
    today: for rules about age.
    """

    root: Path
    config: Config
    paths: tuple[str, ...] = ()
    choice: Choice = field(default_factory=Choice)
    only: frozenset[str] | None = None
    cache: Path | None = None
    today: datetime.date | None = None


@dataclass(frozen=True, slots=True)
class Checked:
    """What a run found."""

    findings: tuple[Finding, ...]
    """In order, with fingerprints."""
    files: tuple[str, ...]
    """Paths that were reported on."""
    suppressed: int
    warnings: tuple[IndexWarning, ...]
    """About finding the documents: links that lead nowhere, folders that cannot be read."""


class Linter:
    """Checks a collection, again and again where fixes are made: what did not change is not looked
    at twice."""

    def __init__(self, request: LintRequest) -> None:
        """Raises ConfigError and UsageError for codes and patterns that mean nothing."""
        config = request.config.lint
        self._request = request
        self._root = str(request.root)
        self._model = load_model(request.config.model)
        self._max_bytes = request.config.index.max_file_bytes
        self._selection = Selection(RULES, config, request.choice)
        key = run_key(config, request.config.model, self._max_bytes)
        self._cache = Cache(request.cache, key)
        self._known: dict[str, Looked] = {}
        self._read: dict[str, bytes] = {}
        """Content of files, so that one run sees one state of each."""
        self._read_bytes = 0
        self._files, self._reported, self._warnings = _found(request)

    def check(self, overlay: Mapping[str, bytes] | None = None) -> Checked:
        """Look at everything; `overlay` counts instead of what the disk holds, by path."""
        overlay = overlay or {}
        looked = self._look(overlay)
        hits: dict[str, list[tuple[str, Hit]]] = {p: list(one.hits) for p, one in looked.items()}
        for code, path, hit in self._graph_hits(looked):
            hits.setdefault(path, []).append((code, hit))
        findings: list[Finding] = []
        suppressed = 0
        for path in self._reported:
            suppressions = looked[path].suppressions if path in looked else ()
            severities = self._selection.severities(path)
            found, quiet = findings_of(path, hits.get(path, ()), severities, suppressions)
            findings += found
            suppressed += quiet
        marked = with_fingerprints(findings, lambda path: self.lines_of(path, overlay))
        return Checked(marked, tuple(self._reported), suppressed, self._warnings)

    def save(self) -> None:
        """Keep what was learnt for the next run."""
        self._cache.save()

    def lines_of(self, path: str, overlay: Mapping[str, bytes] | None = None) -> Sequence[str]:
        """Lines of a file without line ends; none when it is no text."""
        data = self.data(path, overlay or {})
        if data is None:
            return ()
        try:
            return split_lines(data.decode("utf-8-sig"))
        except UnicodeDecodeError:
            decoded = decode(data)
            return split_lines(decoded.text) if decoded else ()

    def _look(self, overlay: Mapping[str, bytes]) -> dict[str, Looked]:
        tasks: list[tuple[str, Task]] = []
        found: dict[str, Looked] = {}
        for file in self._files:
            data = self.data(file.path, overlay)
            if data is None:
                hit = Hit(Span(1, 1, 1, 1), "the file cannot be read. Check its permissions")
                found[file.path] = Looked(((UNREADABLE.code, hit),))
                continue
            overrides = self._selection.overrides(file.path)
            documents = documents_of(self._request.config.lint, overrides)
            task = Task(file.path, file.docs_root, data, documents)
            key = task_key(task)
            looked = self._known.get(key) or self._cache.get(key)
            if looked is None:
                tasks.append((key, task))
            else:
                self._known[key] = looked
                found[file.path] = looked
        arguments = (self._model, self._request.config.lint, self._max_bytes)
        results = look_at_all([task for _, task in tasks], arguments)
        for (key, task), looked in zip(tasks, results, strict=True):
            self._cache.put(key, looked)
            self._known[key] = found[task.path] = looked
        return found

    def _graph_hits(self, looked: Mapping[str, Looked]) -> Iterable[tuple[str, str, Hit]]:
        pages = [looked[file.path].facts for file in self._files]
        config = self._request.config.lint
        graph = Graph(
            [facts for facts in pages if facts is not None],
            Tree(self._request.root),
            self._model,
            config,
            catalogues=catalogues_of(self._request.root, self._files, config),
            anchor_styles=self._anchor_styles,
            today=self._request.today,
        )
        on = {code for path in self._reported for code in self._selection.severities(path)}
        for rule in _GRAPH_RULES:
            if rule.graph and rule.code in on:
                yield from ((rule.code, path, hit) for path, hit in rule.graph(graph))

    def _anchor_styles(self, path: str) -> tuple[str, ...]:
        styles = self._request.config.lint.anchors
        for one in self._selection.overrides(path):
            styles = one.anchors or styles
        return styles

    def data(self, path: str, overlay: Mapping[str, bytes]) -> bytes | None:
        """Content of a file; None when it cannot be read."""
        if path in overlay:
            return overlay[path]
        if path in self._read:
            return self._read[path]
        try:
            data = read_file(os.path.join(self._root, path), self._max_bytes)
        except (OSError, ValueError):
            return None
        self._read_bytes += len(data)
        if self._read_bytes <= _KEPT_BYTES:
            self._read[path] = data
        return data


def _found(
    request: LintRequest,
) -> tuple[tuple[FoundFile, ...], list[str], tuple[IndexWarning, ...]]:
    """All files of the collection, paths of those that are reported on, warnings."""
    named = discover(request.root, request.paths, request.config)
    files = {file.path: file for file in named.files}
    warnings = list(named.warnings)
    if request.paths:
        try:
            whole = discover(request.root, (), request.config)
        except InputError:
            whole = named  # no docs root exists: what was named is the whole
        files |= {file.path: file for file in whole.files}
    reported = [file.path for file in named.files]
    if request.only is not None:
        reported = [path for path in reported if path in request.only]
    ordered = tuple(files[path] for path in sorted(files))
    return ordered, reported, tuple(warnings)
