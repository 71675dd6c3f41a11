"""The write lock of an index: one run at a time, and a second one can say who holds it.

SQLite's own lock knows no names, so a run also locks `<index>.lock` and writes there who it is.
The operating system drops the lock when its process dies, however it dies; what a dead run left
in the file is never believed, because the words are read only while somebody holds the lock.
"""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from docs_agent.core.errors import IndexBusyError, StoreError
from docs_agent.core.store import schema
from docs_agent.core.store.connection import out_of_files, too_many_files

_POLL_SECONDS: Final = 0.05
_HOLDER_BYTES: Final = 500
_PLAIN: Final = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
"""The lock file is emptied when taken: a link, which comes with a repository, may not name it. A
pipe must not block."""

if sys.platform == "win32":
    import msvcrt

    # Far behind the text, because a locked region cannot be read by others here.
    _REGION: Final = 1 << 20

    def _try_lock(handle: int, *, shared: bool) -> bool:
        os.lseek(handle, _REGION, os.SEEK_SET)
        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def _try_lock(handle: int, *, shared: bool) -> bool:
        try:
            fcntl.flock(handle, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
        except OSError:
            return False
        return True


def lock_path(index: Path) -> Path:
    """The lock file beside an index."""
    return index.with_name(index.name + ".lock")


@contextlib.contextmanager
def write_lock(index: Path, timeout: float) -> Iterator[None]:
    """Holds the lock for the length of the context.

    timeout: seconds to wait for another holder, 0 = do not wait.
    Raises IndexBusyError that names the holder, StoreError when the lock file cannot be made.
    """
    try:
        handle = os.open(lock_path(index), os.O_RDWR | os.O_CREAT | _PLAIN, 0o666)
    except OSError as error:
        if out_of_files():
            raise too_many_files(index) from error
        raise StoreError(
            f"the index {index} cannot be written: {error.strerror or error}",
            remedy="check that its folder exists and can be written",
            path=str(index),
        ) from error
    try:
        deadline = time.monotonic() + timeout
        while not _try_lock(handle, shared=False):
            if time.monotonic() >= deadline:
                raise busy(index, _holder(handle))
            time.sleep(_POLL_SECONDS)
        _write(handle, _ourselves())
        yield
        _write(handle, "")
    finally:
        os.close(handle)


def busy(index: Path, holder: str = "") -> IndexBusyError:
    """The error for an index that somebody else writes."""
    return IndexBusyError(
        f"the index {index} is being written by {holder or 'another process'}",
        remedy="wait for it to finish, or stop it, and run the command again",
        path=str(index),
    )


def is_locked(index: Path) -> bool:
    """True while some run holds the lock."""
    try:
        handle = os.open(lock_path(index), os.O_RDONLY | _PLAIN)
    except OSError:
        return False
    try:
        return not _try_lock(handle, shared=True)
    finally:
        os.close(handle)


def _ourselves() -> str:
    from socket import gethostname

    return f"process {os.getpid()} on {gethostname()} since {schema.now()}"


def _holder(handle: int) -> str:
    os.lseek(handle, 0, os.SEEK_SET)
    text = os.read(handle, _HOLDER_BYTES).decode("utf-8", "replace")
    return "".join(c for c in text if c.isprintable())


def _write(handle: int, text: str) -> None:
    # The words are a courtesy; a full disk is told when the index itself cannot grow.
    with contextlib.suppress(OSError):
        os.lseek(handle, 0, os.SEEK_SET)
        os.ftruncate(handle, 0)
        os.write(handle, text.encode())
