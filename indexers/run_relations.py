"""What can only be said when all documents are known: which relations lead somewhere, which ids are
used twice."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Final

from docs_agent.core.records import IndexWarning, Metadata
from docs_agent.core.store.protocol import Writer
from docs_agent.core.text import name_key
from docs_agent.indexers.discover_walk import SUFFIXES

_PAGE_ENDS: Final = ("", *SUFFIXES, *(f"/index{suffix}" for suffix in SUFFIXES))


def resolve_relations(writer: Writer, root: Path, paths: frozenset[str]) -> None:
    """Marks every D5 row as `resolved` or not; rows already marked rightly are not written.

    A target written as a path is found when it is an indexed document, or a file or folder below
    the root; any other when it is the id or the title of an indexed document. `paths` are the
    paths of all indexed documents.
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
    for row_id, _, metadata in rows:
        resolved = targets.has(_text(metadata, "target_path"), _text(metadata, "target_id"))
        if metadata.get("resolved") is not resolved:
            found[row_id] = resolved
    if found:
        writer.set_resolved(found)


def duplicate_ids(writer: Writer) -> tuple[IndexWarning, ...]:
    """One warning for each document id that more than one file claims, at the later file."""
    claims: defaultdict[str, list[str]] = defaultdict(list)
    for name in writer.shared_names("document_id"):
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


def lost_aliases(
    aliases: Mapping[str, str], paths: Collection[str], ids: Collection[str]
) -> tuple[tuple[str, str], ...]:
    """(alias, target) of each alias whose target is neither the path nor the id of a document."""
    return tuple(
        (alias, target)
        for alias, target in aliases.items()
        if target not in paths and target not in ids
    )


def _text(metadata: Metadata, key: str) -> str:
    value = metadata.get(key)
    return value if isinstance(value, str) else ""


class _Targets:
    """Everything a relation may lead to. Answers are kept: many relations name the same target."""

    def __init__(
        self, ids: frozenset[str], titles: frozenset[str], paths: frozenset[str], root: str
    ) -> None:
        self._ids = ids
        self._titles = titles
        self._paths = paths
        self._root = root
        self._known: dict[tuple[str, str], bool] = {}

    def has(self, path: str, name: str) -> bool:
        """Whether the target exists: by its project path, or by name when it has none."""
        key = (path, "" if path else name)
        if key not in self._known:
            self._known[key] = self._is_there(path) if path else self._is_called(name)
        return self._known[key]

    def _is_called(self, name: str) -> bool:
        bare = name.partition("#")[0].strip()
        key = name_key(bare)
        return bare in self._ids or bare in self._paths or (bool(key) and key in self._titles)

    def _is_there(self, path: str) -> bool:
        # A link may leave out what a documentation site adds: `guide/first` for its page or index.
        return any(path + end in self._paths for end in _PAGE_ENDS) or self._is_on_disk(path)

    def _is_on_disk(self, path: str) -> bool:
        # Documents are not trusted: a target may not even ask about files outside the project.
        if "\0" in path or path.startswith("/") or ".." in path.split("/"):
            return False
        try:
            real = os.path.realpath(os.path.join(self._root, path), strict=True)
        except (OSError, ValueError):
            return False
        return real.startswith(self._root.rstrip(os.sep) + os.sep)
