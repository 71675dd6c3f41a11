"""The index in one SQLite file: `open_store` and what it returns."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final

import apsw

from docs_agent.core.errors import DocsAgentError, NoIndexError, StoreError
from docs_agent.core.store import jobs, lock, schema, sessions, vector_cache
from docs_agent.core.store.connection import (
    INDEX_COMMAND,
    load_vectors,
    open_reader,
    open_writer,
    out_of_files,
    refuse_place,
    too_many_files,
    translated,
)
from docs_agent.core.store.protocol import SessionInfo, Store
from docs_agent.core.store.reader import SqliteReader

if TYPE_CHECKING:
    from docs_agent.core.store.writer import SqliteWriter

_POLL_MS: Final = 50
_CACHE_WAIT_MS: Final = 100
_DROP_WAIT_SECONDS: Final = 5.0
# A file with more free pages than that share gives them back.
_FREE_SHARE: Final = 0.25


def open_store(path: Path, *, create: bool = False) -> Store:
    """The index at `path`.

    create: begin an empty one, with its folder, when there is none.
    Raises NoIndexError when there is none and `create` is false, IndexCorruptError when the file is
    no index, is damaged or was written by a newer version, StoreError when it cannot be opened.
    """
    path = path.absolute()
    if not create:
        return SqliteStore(path, open_reader(path))
    refuse_place(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError(
            f"the folder {path.parent} cannot be made: {error.strerror or error}",
            remedy="choose another place with --db",
            path=str(path),
        ) from error
    if path.exists():
        open_reader(path, any_age=True).close()
    return SqliteStore(path, None)


class SqliteStore:
    """See protocol.Store. Each reader and writer has a connection to itself while it lasts."""

    def __init__(self, path: Path, spare: apsw.Connection | None) -> None:
        """spare: an idle connection for whoever reads next; None = open one."""
        self._path = path
        self._spare = spare

    def sessions(self) -> tuple[SessionInfo, ...]:
        try:
            db = self._connection()
        except NoIndexError:
            return ()
        with translated(self._path), self._lent(db):
            return sessions.all_sessions(db)

    @contextlib.contextmanager
    def read(self, session: str) -> Iterator[SqliteReader]:
        db = self._connection()
        with translated(self._path), self._lent(db):
            db.execute("BEGIN")
            stored = sessions.find(db, session)
            if stored is None:
                raise NoIndexError(
                    f"nothing has been indexed yet for the session {session!r}",
                    remedy=f"build it with: {INDEX_COMMAND} --session {session}",
                    path=str(self._path),
                )
            yield SqliteReader(db, self._path, stored)

    @contextlib.contextmanager
    def write(
        self, session: str, *, repo_id: str, pipeline_version: str, fingerprint: str, timeout: float
    ) -> Iterator[SqliteWriter]:
        # Stemmers and the like, which a reader has no use for.
        from docs_agent.core.store.writer import SqliteWriter

        deadline = time.monotonic() + timeout
        with self._writing(timeout) as db:
            opened = _identity(self._path)
            with _transaction(db, self._path, deadline):
                job_id = jobs.begin(db, session)
            writer = None
            try:
                with _transaction(db, self._path, deadline):
                    writer = SqliteWriter(
                        db,
                        sessions.find(db, session) or sessions.create(db, session),
                        job_id=job_id,
                        repo_id=repo_id,
                        pipeline_version=pipeline_version,
                        fingerprint=fingerprint,
                    )
                    yield writer
                    if not writer.finished:
                        raise StoreError("the index run ended without being finished")
            except BaseException as error:
                _abandon(db, job_id, error, writer)
                raise
            _give_back(db)
            self._still_there(opened)

    def drop(self, session: str) -> bool:
        with self._writing(_DROP_WAIT_SECONDS) as db:
            stored = sessions.find(db, session)
            if stored is None:
                return False
            with _transaction(db, self._path, time.monotonic() + _DROP_WAIT_SECONDS):
                sessions.remove(db, stored)
            _give_back(db)
            return True

    def cache_vectors(self, fingerprint: str, vectors: Mapping[str, bytes]) -> None:
        with (
            contextlib.suppress(DocsAgentError, apsw.Error, OSError),
            contextlib.closing(open_reader(self._path)) as db,
        ):
            db.set_busy_timeout(_CACHE_WAIT_MS)
            with schema.transaction(db):
                vector_cache.keep(db, fingerprint, vectors)

    def close(self) -> None:
        if self._spare is not None:
            self._spare.close()
            self._spare = None

    def _still_there(self, opened: tuple[int, int] | None) -> None:
        """Raises StoreError when what was just committed is no longer the file at the path: SQLite
        goes on writing into a file that has been removed, and says nothing."""
        if opened != _identity(self._path):
            raise StoreError(
                f"the index file {self._path} was removed or replaced during the run",
                remedy=f"leave the file alone while it is written, and run again: {INDEX_COMMAND}",
                path=str(self._path),
            )

    def _connection(self) -> apsw.Connection:
        spare, self._spare = self._spare, None
        return spare or open_reader(self._path)

    @contextlib.contextmanager
    def _lent(self, db: apsw.Connection) -> Iterator[None]:
        """Ends the reading of a connection and keeps it for the next, unless something failed."""
        try:
            yield
            if db.in_transaction:
                db.execute("COMMIT")
        except BaseException:
            db.close()
            raise
        if self._spare is None:
            self._spare = db
        else:
            db.close()

    @contextlib.contextmanager
    def _writing(self, timeout: float) -> Iterator[apsw.Connection]:
        """Holds the index's lock with a connection that has the current schema and vectors."""
        # Before the lock: its file would be left beside a device or a document.
        refuse_place(self._path)
        if out_of_files():
            raise too_many_files(self._path)
        with (
            lock.write_lock(self._path, timeout),
            translated(self._path),
            contextlib.closing(open_writer(self._path)) as db,
        ):
            load_vectors(db)
            schema.migrate(db)
            yield db


def _identity(path: Path) -> tuple[int, int] | None:
    """(device, inode) of a file; None when there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


@contextlib.contextmanager
def _transaction(db: apsw.Connection, path: Path, deadline: float) -> Iterator[None]:
    """A write transaction, waited for until the deadline. Whoever else writes without the index's
    lock (a cache, another tool) is soon done."""
    with contextlib.ExitStack() as stack:
        db.set_busy_timeout(_POLL_MS)
        while True:
            try:
                # Short waits inside SQLite, so that Ctrl-C is heard between them.
                stack.enter_context(schema.transaction(db))
                break
            except apsw.BusyError:
                if time.monotonic() >= deadline:
                    raise lock.busy(path) from None
        yield


def _abandon(
    db: apsw.Connection, job_id: int, error: BaseException, writer: SqliteWriter | None
) -> None:
    """Records the end of an undone run. Vectors it computed are kept, so that the next one starts
    from them."""
    with contextlib.suppress(apsw.Error), schema.transaction(db):
        jobs.close(db, job_id, "failed" if isinstance(error, Exception) else "interrupted")
        for fingerprint, vectors in (writer.new_vectors if writer else {}).items():
            vector_cache.keep(db, fingerprint, vectors)


def _give_back(db: apsw.Connection) -> None:
    """Returns free pages to the file system when there are many; not worth an error."""
    with contextlib.suppress(apsw.Error):
        if db.pragma("freelist_count") > _FREE_SHARE * db.pragma("page_count"):
            # It frees one page for each step.
            for _ in db.execute("PRAGMA incremental_vacuum"):
                pass
