"""What can only be said when all documents are known: which relations lead somewhere, which ids are
used twice."""

from __future__ import annotations

import os
import posixpath
from collections import defaultdict
from pathlib import Path

from docs_agent.core.records import IndexWarning, Metadata
from docs_agent.core.store.protocol import Writer
from docs_agent.core.text import name_key


def resolve_relations(writer: Writer, root: Path, paths: frozenset[str]) -> None:
    """Marks every D5 row as `resolved` or not; rows already marked rightly are not written.

    A target is found when it is the id, the path or the title of an indexed document, or a file or
    folder below the root. `paths` are the paths of all indexed documents.
    """
    rows = writer.relations()
    if not rows:
        return
    targets = _Targets(
        ids=frozenset(name.value for name in writer.known_names("document_id")),
        titles=frozenset(name.key for name in writer.known_names("title")),
        paths=paths,
        root=os.path.realpath(root),
    )
    found: dict[int, bool] = {}
    for row_id, path, metadata in rows:
        resolved = targets.has(_target(metadata), path)
        if metadata.get("resolved") is not resolved:
            found[row_id] = resolved
    if found:
        writer.set_resolved(found)


def duplicate_ids(writer: Writer) -> tuple[IndexWarning, ...]:
    """One warning for each document id that more than one file claims, at the later file."""
    claims: defaultdict[str, list[str]] = defaultdict(list)
    for name in writer.known_names("document_id"):
        if name.path not in claims[name.value]:
            claims[name.value].append(name.path)
    return tuple(
        IndexWarning(
            path,
            0,
            "duplicate-id",
            f"The id `{value}` also belongs to {sorted(paths)[0]}. Give one of them another id.",
        )
        for value, paths in sorted(claims.items())
        for path in sorted(paths)[1:]
    )


def _target(metadata: Metadata) -> str:
    target = metadata.get("target_id")
    return target if isinstance(target, str) else ""


class _Targets:
    """Everything a relation may lead to. Answers about the disk are kept: many relations name the
    same file."""

    def __init__(
        self, ids: frozenset[str], titles: frozenset[str], paths: frozenset[str], root: str
    ) -> None:
        self._ids = ids
        self._titles = titles
        self._paths = paths
        self._root = root
        self._on_disk: dict[str, bool] = {}

    def has(self, target: str, source: str) -> bool:
        """Whether `target`, named in the document `source`, exists."""
        name = target.partition("#")[0].strip()
        if not name:
            return bool(target)
        if name in self._ids or name in self._paths or name_key(name) in self._titles:
            return True
        beside = posixpath.normpath(posixpath.join(posixpath.dirname(source), name))
        return beside in self._paths or self._exists(name) or self._exists(beside)

    def _exists(self, path: str) -> bool:
        if path not in self._on_disk:
            self._on_disk[path] = self._look(path)
        return self._on_disk[path]

    def _look(self, path: str) -> bool:
        # Documents are not trusted: a target may not even ask about files outside the project.
        if "\0" in path or path.startswith("/") or ".." in path.split("/"):
            return False
        full = os.path.join(self._root, path)
        try:
            real = os.path.realpath(full, strict=True)
        except (OSError, ValueError):
            return False
        return real.startswith(self._root.rstrip(os.sep) + os.sep)
