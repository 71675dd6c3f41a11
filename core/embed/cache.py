"""Unpacked model files on disk, mapped into memory instead of unpacked by each process.

An entry is a folder of plain .npy files and a manifest that names each with its size and
checksum. It is made under a temporary name and renamed, so that it is either whole or absent
whatever two processes do at once. Nothing in it is ever executed (no pickles).
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import tempfile
from collections.abc import Mapping
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Arrays = Mapping[str, NDArray[np.generic]]

_MANIFEST = "manifest.json"
_LAYOUT = 1


def models_dir() -> Path:
    """Folder of the user's unpacked models; it may not exist yet."""
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or "~/AppData/Local"
    elif sys.platform == "darwin":
        base = "~/Library/Caches"
    else:
        base = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    return Path(base).expanduser() / "docs-agent" / "models"


def save(entry: Path, arrays: Arrays, scalars: Mapping[str, float]) -> bool:
    """Write an entry; False when the folder cannot be written. A whole entry that another process
    has made meanwhile is left alone.
    """
    import numpy as np

    try:
        entry.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        work = Path(tempfile.mkdtemp(prefix=f".{entry.name}-", dir=entry.parent))
    except OSError:
        return False
    try:
        files = {}
        for number, (name, array) in enumerate(arrays.items()):
            path = work / f"{number}.npy"
            np.save(path, array, allow_pickle=False)
            files[name] = {"file": path.name, "size": path.stat().st_size, "sum": _sum(path)}
        manifest = {"layout": _LAYOUT, "files": files, "scalars": dict(scalars)}
        (work / _MANIFEST).write_text(json.dumps(manifest), encoding="utf-8")
        return _move(work, entry)
    except OSError:
        return False
    finally:
        shutil.rmtree(work, ignore_errors=True)


def load(entry: Path) -> tuple[dict[str, Any], dict[str, float]] | None:
    """Arrays mapped read-only, and scalars; None when the entry is absent or not whole.

    Sizes are compared, contents are not (`verify` does): a damaged file of the right size is the
    disk's fault and costs too much to look for at each question.
    """
    import numpy as np

    files, scalars = _manifest(entry) or ({}, {})
    if not files:
        return None
    arrays = {}
    try:
        for name, fact in files.items():
            path = entry / fact["file"]
            if path.stat().st_size != fact["size"]:
                return None
            arrays[name] = np.load(path, mmap_mode="r", allow_pickle=False)
    except (OSError, ValueError, EOFError):
        return None
    return arrays, scalars


def verify(entry: Path) -> bool:
    """Whether every file of the entry is there with its checksum; reads all of it."""
    files, _ = _manifest(entry) or ({}, {})
    try:
        return bool(files) and all(_sum(entry / f["file"]) == f["sum"] for f in files.values())
    except OSError:
        return False


def discard(entry: Path) -> None:
    """Remove an entry that is not whole; nothing happens when it cannot be removed."""
    shutil.rmtree(entry, ignore_errors=True)


def writable(folder: Path) -> bool:
    """Whether an entry could be made in the folder, or in the nearest parent that exists."""
    while not folder.exists() and folder != folder.parent:
        folder = folder.parent
    return folder.is_dir() and os.access(folder, os.W_OK | os.X_OK)


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


def _manifest(entry: Path) -> tuple[dict[str, dict[str, Any]], dict[str, float]] | None:
    try:
        content = json.loads((entry / _MANIFEST).read_text(encoding="utf-8"))
        files, scalars = content["files"], content["scalars"]
        whole = content["layout"] == _LAYOUT and all(
            # A name with a separator could lead out of the entry.
            isinstance(fact["file"], str)
            and Path(fact["file"]).name == fact["file"]
            and isinstance(fact["size"], int)
            and isinstance(fact["sum"], str)
            for fact in files.values()
        )
        whole = whole and all(isinstance(value, int | float) for value in scalars.values())
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None
    return (files, scalars) if whole else None


def _sum(path: Path) -> str:
    digest = blake2b(digest_size=16)
    with path.open("rb") as file:
        while block := file.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()
