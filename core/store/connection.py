"""Opening the database file: pragmas, the vector extension, and SQLite's errors in our words."""

from __future__ import annotations

import errno
import json
import os
import stat
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import apsw

from docs_agent.core.config_file import INDEX_SUFFIXES
from docs_agent.core.errors import (
    DocsAgentError,
    IndexBusyError,
    IndexCorruptError,
    NoIndexError,
    StoreError,
)
from docs_agent.core.store import schema

INDEX_COMMAND: Final = "docs-agent index"
_MISSING: Final = ("no such table: ", "no such column: ")
_NO_VECTORS: Final = (
    "could not open vector",
    "Could not open vector",
    "Could not fetch vector data",
    "vectors blob ",
)
"""As the vector extension begins when its own tables do not hold what they should."""
_UNREADABLE: Final = (UnicodeDecodeError, json.JSONDecodeError, zlib.error)
_SHOWN_CHARS: Final = 200
"""Characters of a path that cannot be used which a message repeats."""
_CONNECTION_FILES: Final = 5
"""The database, its log, the log's shared memory, the lock, and a module imported late."""
_READER_WAIT_MS: Final = 5_000
# Enough for the pages that a run touches again and again; more spills to the log.
_WRITER_CACHE_KIB: Final = 64 * 1024


def no_index(path: Path) -> NoIndexError:
    """The error for a file that is not there or holds nothing yet."""
    return NoIndexError(
        f"there is no index at {path}", remedy=f"build it with: {INDEX_COMMAND}", path=str(path)
    )


def damaged(path: Path, what: str, *, delete: bool = False) -> IndexCorruptError:
    """The error for a file that cannot be used as an index; `delete` when it is surely ours."""
    return IndexCorruptError(
        f"{path} {what}",
        remedy=f"{'delete the file' if delete else 'move the file away'} and build it again "
        f"with: {INDEX_COMMAND}",
        path=str(path),
    )


@contextmanager
def translated(path: Path) -> Iterator[None]:
    """Turns errors of SQLite, and values of the file that cannot be read, into StoreError and its
    kin. Errors of other kinds pass through."""
    try:
        yield
    except apsw.Error as error:
        raise _translate(error, path) from error
    except _UNREADABLE as error:
        if not _is_ours(error):
            raise
        raise damaged(path, f"is damaged ({type(error).__name__})") from error


def _is_ours(error: BaseException) -> bool:
    """Whether a store's module was reading: what a caller fails to read is no fault of the file."""
    innermost, trace = "", error.__traceback__
    while trace is not None:
        name = trace.tb_frame.f_globals.get("__name__", "")
        innermost = innermost if name.partition(".")[0] == "json" else name
        trace = trace.tb_next
    return innermost.startswith(f"{__package__}.")


def _translate(error: apsw.Error, path: Path) -> DocsAgentError:
    # A table or column that the schema version promises and the file does not have.
    incomplete = isinstance(error, apsw.SQLError) and str(error).startswith(_MISSING)
    no_vectors = isinstance(error, apsw.SQLError) and str(error).startswith(_NO_VECTORS)
    if (
        incomplete
        or no_vectors
        or isinstance(error, (apsw.NotADBError, apsw.CorruptError, apsw.FormatError))
    ):
        return damaged(path, f"is damaged or is no index ({error})", delete=incomplete)
    if isinstance(error, (apsw.BusyError, apsw.LockedError)):
        return IndexBusyError(
            f"{path} is being written by another process",
            remedy="try again when it has finished",
            path=str(path),
        )
    if isinstance(error, apsw.FullError) or _cannot_grow(error):
        return StoreError(
            f"the disk is full or a size limit was reached: {path} cannot grow",
            remedy="free some space, or raise the limit, and run the command again",
            path=str(path),
        )
    if out_of_files():
        return too_many_files(path)
    return StoreError(
        f"{path} cannot be used: {error}",
        remedy="run docs-agent doctor; check that the file and its folder can be read and written",
        path=str(path),
    )


def _cannot_grow(error: apsw.Error) -> bool:
    """Whether a failed write is one of space: SQLite says so for a full disk alone, and calls a
    limit on the size of files or a quota an error of the device."""
    return getattr(error, "extendedresult", 0) in (
        apsw.SQLITE_IOERR_WRITE,
        apsw.SQLITE_IOERR_TRUNCATE,
        apsw.SQLITE_IOERR_SHMSIZE,
    )


def out_of_files() -> bool:
    """Whether this process cannot open as many more files as one connection needs."""
    opened: list[int] = []
    try:
        opened.extend(os.open(os.devnull, os.O_RDONLY) for _ in range(_CONNECTION_FILES))
    except OSError as error:
        return error.errno in (errno.EMFILE, errno.ENFILE)
    finally:
        for handle in opened:
            os.close(handle)
    return False


def too_many_files(path: Path) -> StoreError:
    """The error for a process that may not open as many files as an index needs."""
    return StoreError(
        f"{path} cannot be used: this process may open no more files",
        remedy="raise the limit on open files (ulimit -n) and run the command again",
        path=str(path),
    )


def refuse_place(path: Path) -> None:
    """Raises StoreError for a path at which no index can be, before anything is made there:
    a name that is too long or no UTF-8, a folder, a device or pipe, and a file without content
    or a link to nothing whose real name is not that of an index."""
    try:
        str(path).encode("utf-8")
        named = path.name if not path.is_symlink() else os.path.basename(os.path.realpath(path))
        found = path.stat()
    except (FileNotFoundError, NotADirectoryError):
        if os.path.islink(path) and not named.endswith(INDEX_SUFFIXES):
            raise _no_place(path, "is a link to nothing") from None
        return
    except UnicodeEncodeError:
        raise _no_place(path, "is not valid UTF-8") from None
    except OSError as error:
        raise _no_place(path, f"cannot be an index file ({error.strerror or error})") from error
    if stat.S_ISDIR(found.st_mode):
        raise damaged(path, "is a folder, not an index file")
    if not stat.S_ISREG(found.st_mode):
        raise _no_place(path, "is not a regular file")
    if found.st_size == 0 and not named.endswith(INDEX_SUFFIXES):
        raise _no_place(path, "is an empty file that is no index")


def _no_place(path: Path, what: str) -> StoreError:
    shown = str(path).encode("utf-8", "backslashreplace").decode("utf-8")
    if len(shown) > _SHOWN_CHARS:
        shown = f"{shown[:_SHOWN_CHARS]}…"
    return StoreError(
        f"{shown} {what}",
        remedy=f"choose another place with --db, a name that ends in {INDEX_SUFFIXES[0]}",
        path=shown,
    )


def open_reader(path: Path, *, any_age: bool = False) -> apsw.Connection:
    """A connection for reading an index of exactly this schema version.

    any_age: accept an older schema and an empty file too; only to check what the file is.
    Raises NoIndexError for a missing or empty file, IndexCorruptError for a file that is no index,
    is damaged or was written by a newer version, StoreError for an older schema.
    """
    refuse_place(path)
    if not path.exists():
        raise no_index(path)
    with translated(path):
        db = _open_for_reading(path)
    try:
        with translated(path):
            found = schema.version(db)
        refuse_foreign(path, found)
        if any_age:
            return db
        if found == 0:
            raise no_index(path)
        if found != len(schema.MIGRATIONS):
            raise StoreError(
                f"{path} was written by an older version of docs-agent",
                remedy=f"bring it up to date with: {INDEX_COMMAND}",
                path=str(path),
            )
    except BaseException:
        db.close()
        raise
    return db


def refuse_foreign(path: Path, found: int | None) -> None:
    """Raises IndexCorruptError for a schema version this program cannot work with."""
    if found is None:
        raise damaged(path, "is a SQLite database but not a docs-agent index")
    if found > len(schema.MIGRATIONS):
        raise IndexCorruptError(
            f"{path} was written by a newer version of docs-agent "
            f"(schema {found}, this version knows {len(schema.MIGRATIONS)})",
            remedy="upgrade docs-agent, or move the file away and build the index again",
            path=str(path),
        )


def _open_for_reading(path: Path) -> apsw.Connection:
    try:
        return _readable(str(path), apsw.SQLITE_OPEN_READWRITE)
    except (apsw.CantOpenError, apsw.ReadOnlyError, apsw.PermissionsError):
        pass
    try:
        return _readable(str(path), apsw.SQLITE_OPEN_READONLY)
    except (apsw.CantOpenError, apsw.ReadOnlyError, apsw.PermissionsError):
        # A read-only folder has no room for the shared memory of the log. Without a log the file
        # itself is the whole truth and nobody can change it from here.
        if _has_log(path) or os.access(path.parent, os.W_OK):
            raise
    return _readable(
        path.absolute().as_uri() + "?immutable=1",
        apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI,
    )


def _has_log(path: Path) -> bool:
    log = path.with_name(path.name + "-wal")
    return log.exists() and log.stat().st_size > 0


def _readable(name: str, flags: int) -> apsw.Connection:
    db = apsw.Connection(name, flags=flags)
    try:
        db.set_busy_timeout(_READER_WAIT_MS)
        db.pragma("schema_version")
    except BaseException:
        db.close()
        raise
    return db


def open_writer(path: Path) -> apsw.Connection:
    """A connection for writing; creates the file. The schema may still be older or missing.

    Raises IndexCorruptError as `open_reader` does, StoreError when the file cannot be written.
    """
    refuse_place(path)
    with translated(path):
        db = apsw.Connection(str(path))
        try:
            db.set_busy_timeout(_READER_WAIT_MS)
            found = schema.version(db)
            refuse_foreign(path, found)
            if found == 0:
                # Must precede the first table; lets dropped sessions give their space back.
                db.pragma("auto_vacuum", 2)
                db.pragma("journal_mode", "wal")
            # In WAL mode a power cut can lose the last commit but never damage the file.
            db.pragma("synchronous", 1)
            db.pragma("cache_size", -_WRITER_CACHE_KIB)
        except BaseException:
            db.close()
            raise
    return db


def load_vectors(db: apsw.Connection) -> None:
    """Loads sqlite-vec into a connection. Raises StoreError when it cannot be loaded."""
    try:
        db.enable_load_extension(True)
        try:
            db.load_extension(_extension_path())
        finally:
            db.enable_load_extension(False)
    except (apsw.Error, ImportError) as error:
        if out_of_files():
            raise too_many_files(Path(db.filename)) from error
        raise StoreError(
            f"sqlite-vec cannot be loaded: {error}",
            remedy="reinstall it with: pip install --force-reinstall sqlite-vec",
        ) from error


def _extension_path() -> str:
    """The library inside the sqlite_vec package, without importing it: that would import numpy."""
    from importlib.util import find_spec

    spec = find_spec("sqlite_vec")
    if spec is None or spec.origin is None:
        raise ImportError("the package sqlite_vec is not installed")
    return str(Path(spec.origin).with_name("vec0"))
