"""Whether this machine can hold an index: facts for `doctor`."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Final

import apsw

from docs_agent.core.checks import Check
from docs_agent.core.errors import StoreError
from docs_agent.core.store import fulltext
from docs_agent.core.store.connection import load_vectors

_NEEDED: Final = (3, 43, 0)
"""The first SQLite with contentless_delete."""


def check_environment(path: Path) -> tuple[Check, ...]:
    """Checks what an index at `path` needs. Nothing is created and nothing is raised."""
    return (*(check() for check in _CHECKS), _folder(path.absolute().parent))


def _sqlite_version() -> Check:
    found = apsw.sqlite_lib_version()
    ok = tuple(int(part) for part in found.split(".")) >= _NEEDED
    wanted = ".".join(map(str, _NEEDED))
    return Check(
        "sqlite-version",
        ok,
        f"SQLite {found} through APSW {apsw.apsw_version()}",
        "" if ok else f"SQLite {wanted} or newer is needed: pip install --upgrade apsw",
    )


def _full_text() -> Check:
    try:
        db = apsw.Connection(":memory:")
        try:
            fulltext.create(db, "words")
        finally:
            db.close()
    except apsw.Error as error:
        return Check("full-text", False, f"FTS5: {error}", "pip install --upgrade apsw")
    return Check("full-text", True, "FTS5 with contentless_delete")


def _vectors() -> Check:
    try:
        db = apsw.Connection(":memory:")
        try:
            load_vectors(db)
            version = db.execute("SELECT vec_version()").get
        finally:
            db.close()
    except (apsw.Error, StoreError) as error:
        remedy = "pip install --force-reinstall sqlite-vec"
        return Check("vectors", False, str(error), remedy)
    return Check("vectors", True, f"sqlite-vec {version}")


def _folder(folder: Path) -> Check:
    """The folder of the index, or the nearest one above that exists."""
    existing = folder
    while not existing.exists() and existing != existing.parent:
        existing = existing.parent
    if existing.is_dir() and os.access(existing, os.W_OK | os.X_OK):
        return Check("folder-writable", True, f"{existing} can be written")
    return Check(
        "folder-writable",
        False,
        f"{existing} cannot be written",
        "give yourself write access to it, or choose another place with --db",
    )


_CHECKS: Final[tuple[Callable[[], Check], ...]] = (_sqlite_version, _full_text, _vectors)
