"""Whether one file is still what was indexed.

Apart from the search for files, which takes longer to load than this takes to run.
"""

from __future__ import annotations

import os
from hashlib import sha256
from pathlib import Path
from typing import Literal

from docs_agent.core.store.protocol import FileState
from docs_agent.indexers.files import read_file


def state_of_file(
    root: Path, state: FileState, max_bytes: int
) -> Literal["unchanged", "changed", "gone"]:
    """What has become of an indexed file: by size and time first, by content where these differ."""
    path = os.path.join(os.path.realpath(root), state.path)
    try:
        found = os.stat(path)
    except (OSError, ValueError):
        return "gone"
    if (found.st_size, found.st_mtime_ns) == (state.size, state.mtime_ns):
        return "unchanged"
    return "changed" if differs(path, state, max_bytes) else "unchanged"


def differs(path: str, state: FileState, max_bytes: int) -> bool:
    """Whether the content at `path` is not what was indexed, or cannot be read any more."""
    try:
        return sha256(read_file(path, max_bytes)).hexdigest() != state.content_hash
    except OSError:
        return True
