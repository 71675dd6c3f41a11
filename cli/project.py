"""From the options of a command to an open project."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from docs_agent.core.errors import InputError, NoIndexError

if TYPE_CHECKING:
    from docs_agent.core.config import Config
    from docs_agent.core.knowledge import Knowledge
    from docs_agent.core.store.protocol import Reader, Store


class Project(NamedTuple):
    """Where a command works."""

    root: Path
    """Absolute project root."""
    config: Config
    db: Path
    """Index file; need not exist."""
    session: str


def open_project(
    root: Path | None, db: Path | None, session: str, *, reading: bool = False
) -> Project:
    """Finds the root, reads its configuration, decides which index file is meant.

    `reading`: the index of a folder above also counts. Raises InputError when `root` is no folder,
    ConfigError when the configuration is unusable.
    """
    from docs_agent.core.config import load_config
    from docs_agent.core.project import db_path, find_root

    if root is not None and not root.is_dir():
        raise InputError(
            "the project root is not a folder",
            path=str(root),
            remedy="give --root an existing folder",
        )
    try:
        found = Path(os.path.realpath(root)) if root is not None else find_root(Path.cwd())
    except FileNotFoundError:
        raise InputError(
            "the current folder does not exist any more", remedy="change to a folder that does"
        ) from None
    config = load_config(found)
    if config.router.markers:
        _refuse_unknown_markers(found, config)
    chosen = str(db) if db is not None else None
    return Project(
        found, config, db_path(found, chosen, os.environ, config, reading=reading), session
    )


def _refuse_unknown_markers(root: Path, config: Config) -> None:
    """Raises ConfigError for a marker group that the router does not have."""
    from docs_agent.core.config import key_line
    from docs_agent.core.errors import ConfigError
    from docs_agent.router.markers import unknown_group

    unknown = unknown_group(config.router.markers)
    if unknown is not None:
        group, remedy = unknown
        raise ConfigError(
            f"`router.markers`: there is no marker group `{group}`",
            remedy=remedy,
            path=config.path,
            line=key_line(root, "router", "markers", group),
        )


@contextmanager
def reading(project: Project) -> Iterator[tuple[Store, Reader]]:
    """The project's index, open for reading. Raises NoIndexError when there is none."""
    from docs_agent.core.store.sqlite import open_store

    store = open_store(project.db)
    try:
        with store.read(project.session) as reader:
            yield store, reader
    finally:
        store.close()


@contextmanager
def knowing(project: Project) -> Iterator[tuple[Knowledge, tuple[str, ...]]]:
    """What the index knows and its docs roots, or nothing when there is no index: routing works
    without one."""
    from docs_agent.cli.console import note
    from docs_agent.core.knowledge import NoKnowledge

    try:
        opened = reading(project)
        _, reader = opened.__enter__()
    except NoIndexError:
        note("note: no index yet, so the question is routed by its own words only")
        yield NoKnowledge(), ()
        return
    try:
        yield reader.knowledge, reader.session.docs_roots
    finally:
        opened.__exit__(None, None, None)
