"""Which files a run looks at.

Documents are Markdown files (`.md`, `.markdown`, `.mdx`, in any letter case). YAML catalogues and
other formats are not indexed.

Without PATHS a run speaks for the whole session. The docs roots are those of the configuration,
else those the session remembers, else `docs/` when it exists, else the root itself; what the
session holds outside of them is no longer part of it. That holds while they exist: when none of
the configured ones does, there is no run, and when one of several does not, the run speaks for the
others alone. Of a remembered root that does not exist everything is kept.

With PATHS (folders or single files) a run speaks for these alone; the rest of the session stays.
A path inside a known docs root belongs to that root. Any other folder becomes a further docs root,
and a single file makes its folder one. Where docs roots are nested, a file belongs to the
deepest.

Left out: hidden files and folders, `node_modules`, `__pycache__`, virtual environments, what
`.gitignore` files (nested ones, and those above up to the repository's top) or `docs.exclude` name,
and what `docs.include`, if given, does not name. A docs root counts even if a rule or a leading dot
would hide that folder itself; a file named in PATHS does not, it gets the warning `ignored-file`.

Links are followed inside the root only, and no folder or file is taken twice: a linked one is taken
when it is not already there under its own name.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path

from docs_agent.core.config import Config
from docs_agent.core.errors import InputError
from docs_agent.core.git import Changes
from docs_agent.core.project import relative_posix
from docs_agent.indexers.discover_ignore import project_ignore
from docs_agent.indexers.discover_roots import Roots, find_roots, missing_message
from docs_agent.indexers.discover_walk import Discovery, Walk, is_document
from docs_agent.indexers.files import deepest, under


def discover(
    root: Path,
    paths: Sequence[str | Path],
    config: Config,
    session_roots: Sequence[str] = (),
    known: Collection[str] = (),
    *,
    forget: bool = False,
) -> Discovery:
    """The documents below `root` that this run is about; relative `paths` are taken from `root`.

    known: paths of the documents that the session holds. forget: see `find_roots`.
    Raises InputError for a path that does not exist or is no document, and when not one of the
    configured docs roots exists; PathRefusedError for a path outside of `root`; ConfigError for an
    unusable pattern.
    """
    if paths:
        return _named(root, paths, config, tuple(session_roots), known)
    roots = find_roots(root, config, session_roots, known, forget=forget)
    walk = _walk(root, config, _remembered(roots, session_roots))
    _tell_forgotten(walk, roots)
    for top in roots.missing:
        walk.doubt(top, "docs-root-missing", missing_message(root, top, config))
    for top in roots.present:
        walk.top(top)
    beside = roots.is_default and not session_roots and "." not in roots.present
    return walk.result(roots.covered, walk.beside() if beside else ())


def _remembered(roots: Roots, session_roots: Iterable[str]) -> tuple[str, ...]:
    """The session's docs roots after a run, those it had before in their order."""
    kept = {*roots.present, *roots.held, *roots.missing}
    # A configured root that is missing has never been there, unless the session remembers it.
    before = tuple(top for top in session_roots if top in kept)
    return tuple(dict.fromkeys((*before, *roots.present)))


def _tell_forgotten(walk: Walk, roots: Roots) -> None:
    for top in roots.forgotten:
        walk.warn(
            top,
            "docs-root-forgotten",
            "This docs root of an earlier run does not exist any more and is forgotten. "
            "To have it again, restore the folder and index it by name.",
        )


def discover_changes(
    root: Path,
    changes: Changes,
    config: Config,
    session_roots: Sequence[str],
    known: Collection[str] = (),
) -> Discovery:
    """The documents among `changes`; the run speaks for the files named there and no others.

    Raises InputError when not one of the configured docs roots exists, PathRefusedError for a path
    outside of `root`, ConfigError for an unusable pattern.
    """
    roots = find_roots(root, config, session_roots, known)
    remembered = tuple(top for top in session_roots if top not in roots.forgotten)
    docs_roots = tuple(dict.fromkeys((*remembered, *roots.present)))
    walk = _walk(root, config, docs_roots)
    _tell_forgotten(walk, roots)
    named = [_checked(path, root) for path in (*changes.upserts, *changes.deletes)]
    for path in named[: len(changes.upserts)]:
        if is_document(path) and deepest(path, docs_roots):
            walk.file(path)
    return walk.result(tuple(named))


def _checked(path: str, root: Path) -> str:
    # The file itself may be a link to elsewhere, which the walk judges; its name must lie inside.
    folder, _, name = path.rpartition("/")
    return _join(relative_posix(folder or ".", root), name)


def _named(
    root: Path,
    paths: Sequence[str | Path],
    config: Config,
    session_roots: tuple[str, ...],
    known: Collection[str],
) -> Discovery:
    # The paths were named here and now, so a slip in the configuration is none of their concern.
    roots = find_roots(root, Config(), session_roots, known)
    kept = tuple(top for top in session_roots if top not in roots.forgotten)
    tops = tuple(dict.fromkeys((*kept, *config.docs.roots)))
    named = [_existing(path, root, tops) for path in paths]
    holders = (
        deepest(path, tops) or (path if is_folder else path.rpartition("/")[0] or ".")
        for path, is_folder in named
    )
    walk = _walk(root, config, tuple(dict.fromkeys((*kept, *holders))))
    _tell_forgotten(walk, roots)
    for path, is_folder in named:
        if is_folder:
            walk.top(path)
        elif not walk.file(path):
            walk.warn(
                path,
                "ignored-file",
                "The file was named, but ignore rules or docs.include leave it out. "
                "Change the rules to index it.",
            )
    return walk.result(tuple(path for path, _ in named))


def _existing(path: str | Path, root: Path, known: Iterable[str]) -> tuple[str, bool]:
    """(path relative to the root, whether it is a folder)."""
    found = relative_posix(path, root)
    full = os.path.join(root, found)
    if not os.path.exists(full):
        raise InputError(
            f"`{path}` does not exist",
            remedy="correct the path; to forget documents that are gone, "
            "run docs-agent index without paths",
            path=found,
        )
    # A link to something a docs root already holds is another name of it, not a second document.
    real = relative_posix(os.path.realpath(full), root)
    if any(under(real, folder) for folder in known):
        found = real
    if os.path.isdir(full):
        return found, True
    if not os.path.isfile(full) or not is_document(found):
        raise InputError(
            f"`{path}` is not a Markdown document",
            remedy="name a folder or a .md, .markdown or .mdx file",
            path=found,
        )
    return found, False


def _walk(root: Path, config: Config, docs_roots: tuple[str, ...]) -> Walk:
    real = os.path.realpath(root)
    ignore = project_ignore(real, config.docs.include, config.docs.exclude)
    return Walk(real, docs_roots, ignore)


def _join(folder: str, name: str) -> str:
    return name if folder == "." else f"{folder}/{name}"
