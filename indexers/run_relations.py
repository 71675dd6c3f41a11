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
_FOLDER_PAGES: Final = tuple(
    f"/{name}{suffix}" for name in ("README", "readme") for suffix in SUFFIXES
)


def resolve_relations(writer: Writer, root: Path, paths: frozenset[str]) -> None:
    """Marks every D5 row as `resolved` or not, and names the `target_document` of those that lead
    to an indexed one; rows already marked rightly are not written.

    A target written as a path is found when it is an indexed document, or a file or folder below
    the root; any other when it is the id or the title of an indexed document. Where several
    documents share it, the first by path is meant. `paths` are the paths of all indexed documents.
    """
    rows = writer.relations()
    if not rows:
        return
    targets = _Targets(
        ids={n.value: n.path for n in reversed(writer.known_names("document_id"))},
        titles={n.key: n.path for n in reversed(writer.known_names("title"))},
        paths=paths,
        root=os.path.realpath(root),
    )
    found: dict[int, bool] = {}
    documents: dict[int, str] = {}
    for row_id, _, metadata in rows:
        resolved, document = targets.find(
            _text(metadata, "target_path"), _text(metadata, "target_id")
        )
        if metadata.get("resolved") is not resolved:
            found[row_id] = resolved
        if _text(metadata, "target_document") != document:
            documents[row_id] = document
    if found:
        writer.set_resolved(found)
    if documents:
        writer.set_target_documents(documents)


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


Target = tuple[bool, str]
"""Whether a relation leads somewhere, and the path of the document it leads to, or nothing."""


class _Targets:
    """Everything a relation may lead to. Answers are kept: many relations name the same target."""

    def __init__(
        self, ids: Mapping[str, str], titles: Mapping[str, str], paths: frozenset[str], root: str
    ) -> None:
        self._ids = ids
        self._titles = titles
        self._paths = paths
        self._root = root
        self._known: dict[tuple[str, str], Target] = {}

    def find(self, path: str, name: str) -> Target:
        """Where a relation leads: by its project path, or by name when it has none."""
        key = (path, "" if path else name)
        if key not in self._known:
            self._known[key] = self._at(path) if path else self._called(name)
        return self._known[key]

    def _called(self, name: str) -> Target:
        bare = name.partition("#")[0].strip()
        document = self._ids.get(bare, "")
        if not document and bare in self._paths:
            document = bare
        if not document and (key := name_key(bare)):
            document = self._titles.get(key, "")
        return bool(document), document

    def _at(self, path: str) -> Target:
        # A link may leave out what a documentation site adds: `guide/first` for its page or index.
        for end in _PAGE_ENDS:
            if path + end in self._paths:
                return True, path + end
        if not self._is_on_disk(path):
            return False, ""
        # What a repository shows for a folder.
        inside = (f"{path}{end}".removeprefix("./") for end in _FOLDER_PAGES)
        return True, next((page for page in inside if page in self._paths), "")

    def _is_on_disk(self, path: str) -> bool:
        # Documents are not trusted: a target may not even ask about files outside the project.
        if "\0" in path or path.startswith("/") or ".." in path.split("/"):
            return False
        try:
            real = os.path.realpath(os.path.join(self._root, path), strict=True)
        except (OSError, ValueError):
            return False
        return real.startswith(self._root.rstrip(os.sep) + os.sep)
