"""Reading files of a project that may hold anything."""

from __future__ import annotations

import errno
import os
import stat

_NO_WAIT = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)


def read_file(path: str, max_bytes: int) -> bytes:
    """The content of a regular file, at most `max_bytes` + 1 bytes of it, so that a caller can tell
    a file that is too long.

    Raises OSError, also for a pipe, socket, device or folder: those may block or never end.
    """
    descriptor = os.open(path, os.O_RDONLY | _NO_WAIT)
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError(errno.EINVAL, "not a regular file", path)
        chunks = []
        left = max_bytes + 1
        while left > 0 and (chunk := os.read(descriptor, min(left, 1 << 20))):
            chunks.append(chunk)
            left -= len(chunk)
        return b"".join(chunks)
    finally:
        os.close(descriptor)


def under(path: str, folder: str) -> bool:
    """Whether `path` is `folder` or below it; both relative to the root, `.` is the root."""
    return folder == "." or path == folder or path.startswith(f"{folder}/")


def deepest(path: str, folders: tuple[str, ...]) -> str:
    """The longest of `folders` that holds `path`; empty when none does."""
    holding = [folder for folder in folders if under(path, folder)]
    return max(holding, key=lambda folder: (folder != ".", len(folder)), default="")
