"""Replacing a file so that a reader finds the old or the new content, never a part."""

from __future__ import annotations

import os
import secrets
import stat
from contextlib import suppress
from pathlib import Path

from docs_agent.core.errors import OutputError
from docs_agent.core.project import relative_posix

_NEW_FILE = 0o666
"""Permission bits of a new file, before the umask."""


def replace_file(path: Path, data: bytes, root: Path | None = None) -> None:
    """Give the file the content `data`, or leave it as it was. A file that is not there is made.

    The permission bits stay. A link is followed and stays a link; with `root`, nothing is
    written outside it. Raises PathRefusedError when path or target lie outside `root`, OutputError
    when the file is not a regular one, is read-only, or cannot be written; `path` of the error is
    the path as given.
    """
    if root is not None:
        relative_posix(path, root)
    try:
        target = Path(os.path.realpath(path, strict=path.is_symlink()))
        _replace(target, data, _mode(target))
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise OutputError(
            f"the file cannot be written: {reason}",
            remedy="make the file and its folder writable, or free space on the disk",
            path=str(path),
        ) from error


def _mode(target: Path) -> int | None:
    """Permission bits of the file; None when there is none yet."""
    try:
        info = target.stat()
    except FileNotFoundError:
        return None
    if not stat.S_ISREG(info.st_mode):
        raise ValueError("it is not a regular file")
    if not os.access(target, os.W_OK):
        # Replacing needs no right to the file itself, but whoever took it away meant something.
        raise PermissionError(None, "it is read-only")
    return stat.S_IMODE(info.st_mode)


def _replace(target: Path, data: bytes, mode: int | None) -> None:
    # In the same folder: a rename is atomic only within one file system.
    temporary = target.with_name(f".docs-agent-{secrets.token_hex(8)}.tmp")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    # Until it has its content, a file with narrow rights is not readable by more people.
    descriptor = os.open(temporary, flags, _NEW_FILE if mode is None else mode & _NEW_FILE)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if mode is not None:
            os.chmod(temporary, mode)
        os.replace(temporary, target)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary)
        raise
