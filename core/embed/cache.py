"""Unpacked model files on disk, mapped into memory instead of unpacked by each process.

An entry is a folder of two files: the numbers of all arrays one after the other, and a manifest
that says where each lies, with the size and checksum of the whole. It is made under a temporary
name and renamed, so that it is either whole or absent whatever two processes do at once. Nothing
in it is ever executed (no pickles).
"""

from __future__ import annotations

import json
import math
import mmap
import os
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Arrays = Mapping[str, NDArray[np.generic]]

_MANIFEST = "manifest.json"
_NUMBERS = "numbers.bin"
_LAYOUT = 1
_ALIGN = 64
"""Bytes; arrays start where vector instructions like them to."""
_STALE = 3600
"""Seconds; making an entry takes about two."""
_TYPES = ("<f4", "<f8", "|u1", "<i4", "<i8")


def models_dir() -> Path:
    """Folder of the user's unpacked models; it may not exist yet."""
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or "~/AppData/Local"
    elif sys.platform == "darwin":
        base = "~/Library/Caches"
    else:
        base = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    # Not Path.expanduser, which raises for a home nobody knows.
    return Path(os.path.expanduser(base)) / "docs-agent" / "models"


class _Place(NamedTuple):
    """Where one array lies."""

    name: str
    type: str
    """As numpy writes it, one of _TYPES."""
    shape: tuple[int, ...]
    start: int
    """Bytes from the start of the file."""


class _Manifest(NamedTuple):
    """What an entry holds."""

    size: int
    """Bytes of the numbers."""
    digest: str
    """BLAKE2b-128 of the numbers, hex."""
    places: tuple[_Place, ...]
    scalars: dict[str, float]


def save(entry: Path, arrays: Arrays, scalars: Mapping[str, float]) -> bool:
    """Write an entry; False when the folder cannot be written. A whole entry that another process
    has made meanwhile is left alone.
    """
    # Slow imports, and a cache that is there never needs them.
    import shutil
    import tempfile

    work = None
    try:
        entry.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        _sweep(entry)
        work = Path(tempfile.mkdtemp(prefix=f".{entry.name}-", dir=entry.parent))
        places = _write_numbers(work / _NUMBERS, arrays)
        manifest = {
            "layout": _LAYOUT,
            "size": (work / _NUMBERS).stat().st_size,
            "digest": _digest(work / _NUMBERS),
            "arrays": [[p.name, p.type, p.shape, p.start] for p in places],
            "scalars": dict(scalars),
        }
        body = json.dumps(manifest)
        (work / _MANIFEST).write_text(f"{_seal(body)}\n{body}", encoding="utf-8")
        return _move(work, entry)
    except (OSError, ValueError):
        # A path too long, not encodable, unwritable, a full disk: a copy is never needed.
        return False
    finally:
        if work is not None:
            shutil.rmtree(work, ignore_errors=True)


def load(entry: Path) -> tuple[dict[str, Any], dict[str, float]] | None:
    """Arrays mapped read-only, and scalars; None when the entry is absent or not whole.

    The size is compared, the content is not (`verify` does): a file that changed in place is the
    disk's fault and costs too much to look for at each question.
    """
    import numpy as np

    manifest = _manifest(entry)
    if manifest is None:
        return None
    try:
        with (entry / _NUMBERS).open("rb") as file:
            data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        if len(data) != manifest.size:
            return None
        arrays = {
            p.name: np.frombuffer(data, p.type, math.prod(p.shape), p.start).reshape(p.shape)
            for p in manifest.places
        }
    except (OSError, ValueError, OverflowError):
        return None
    return arrays, manifest.scalars


def verify(entry: Path) -> bool:
    """Whether the entry is there with the right checksum; reads all of it."""
    manifest = _manifest(entry)
    try:
        return manifest is not None and _digest(entry / _NUMBERS) == manifest.digest
    except (OSError, ValueError):
        return False


def untouched(entry: Path) -> bool:
    """Whether the entry is there and nobody has written to its numbers since it was made: its size
    and times are compared, the content is not read."""
    manifest = _manifest(entry)
    try:
        numbers = (entry / _NUMBERS).stat()
        # The manifest is written last.
        made = (entry / _MANIFEST).stat().st_mtime_ns
    except (OSError, ValueError):
        return False
    return manifest is not None and numbers.st_size == manifest.size and numbers.st_mtime_ns <= made


def discard(entry: Path) -> None:
    """Remove an entry that is not whole; nothing happens when it cannot be removed."""
    import shutil

    with suppress(ValueError):
        shutil.rmtree(entry, ignore_errors=True)


def writable(folder: Path) -> bool:
    """Whether an entry could be made in the folder, or in the nearest parent that exists."""
    try:
        os.stat(folder / _MANIFEST)
    except (FileNotFoundError, NotADirectoryError):
        pass
    except (OSError, ValueError):
        # A name that is too long, or a folder that may not be looked into.
        return False
    while not os.path.lexists(folder) and folder != folder.parent:
        folder = folder.parent
    return os.path.isdir(folder) and os.access(folder, os.W_OK | os.X_OK)


def _sweep(entry: Path) -> None:
    """Remove what killed processes have left half made."""
    for left in entry.parent.glob(f".{entry.name}-*"):
        if time.time() - left.stat().st_mtime > _STALE:
            discard(left)


def _move(work: Path, entry: Path) -> bool:
    try:
        work.rename(entry)
    except OSError:
        # Taken: by another process a moment ago, or by an entry that was found damaged.
        if verify(entry):
            return True
        discard(entry)
        try:
            work.rename(entry)
        except OSError:
            return verify(entry)
    return True


def _write_numbers(path: Path, arrays: Arrays) -> list[_Place]:
    import numpy as np

    places: list[_Place] = []
    with path.open("wb") as file:
        for name, array in arrays.items():
            file.write(b"\0" * (-file.tell() % _ALIGN))
            places.append(_Place(name, array.dtype.str, array.shape, file.tell()))
            file.write(np.ascontiguousarray(array).data.cast("B"))
    return places


def _manifest(entry: Path) -> _Manifest | None:
    """The manifest, None when there is none that can be believed."""
    try:
        seal, _, body = (entry / _MANIFEST).read_text(encoding="utf-8").partition("\n")
        if seal != _seal(body):
            return None
        content = json.loads(body)
        if content["layout"] != _LAYOUT:
            return None
        scalars = {str(name): value for name, value in content["scalars"].items()}
        places = tuple(
            _Place(str(name), str(kind), tuple(map(int, shape)), int(start))
            for name, kind, shape, start in content["arrays"]
        )
        manifest = _Manifest(int(content["size"]), str(content["digest"]), places, scalars)
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None
    believable = all(p.type in _TYPES and min(p.shape, default=1) > 0 for p in places)
    believable &= all(isinstance(value, int | float) for value in scalars.values())
    return manifest if believable else None


def _seal(body: str) -> str:
    return blake2b(body.encode("utf-8"), digest_size=16).hexdigest()


def _digest(path: Path) -> str:
    digest = blake2b(digest_size=16)
    with path.open("rb") as file:
        while block := file.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()
