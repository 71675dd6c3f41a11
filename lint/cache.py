"""What was learnt of files in earlier runs, by their content.

One JSON file beside the index. Its key holds everything besides the content that a result depends
on; a file that is damaged, of another key, or not ours is as good as none.
"""

from __future__ import annotations

import gc
import json
import os
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final

from docs_agent import __version__
from docs_agent.core.lint_config import LintConfig
from docs_agent.lint.one import Looked, Task
from docs_agent.lint.registry import RULES
from docs_agent.lint.stored import from_json, to_json

CACHE_NAME: Final = "lint-cache.json"
FORMAT: Final = 1
"""Counted up when a rule or the parser changes within one version."""
_MAX_BYTES: Final = 400_000_000


def run_key(config: LintConfig, model: object, max_bytes: int) -> str:
    """Of what results depend on besides files."""
    codes = tuple(rule.code for rule in RULES)
    said = repr((__version__, FORMAT, codes, config, model, max_bytes))
    return blake2b(said.encode("utf-8", "replace"), digest_size=16).hexdigest()


def task_key(task: Task) -> str:
    """Of one file."""
    digest = blake2b(task.data, digest_size=16)
    digest.update(f"\0{task.path}\0{task.docs_root}\0{task.documents}".encode("utf-8", "replace"))
    return digest.hexdigest()


class Cache:
    """Results by file. Without a path nothing is kept."""

    def __init__(self, path: Path | None, key: str) -> None:
        self._path = path
        self._key = key
        self._old: dict[str, Any] = _read(path, key) if path else {}
        self._new: dict[str, Any] = {}
        self._is_changed = False

    def get(self, key: str) -> Looked | None:
        """The result kept under a key."""
        value = self._old.get(key)
        if value is None:
            return None
        try:
            looked = from_json(value)
        except (TypeError, ValueError, IndexError, KeyError, AttributeError):
            return None
        self._new[key] = value
        return looked

    def put(self, key: str, looked: Looked) -> None:
        """Keep a result."""
        if self._path:
            self._new[key] = to_json(looked)
            self._is_changed = True

    def save(self) -> None:
        """Write what this run used; a cache that cannot be written is done without."""
        if not self._path or (not self._is_changed and len(self._new) == len(self._old)):
            return
        text = json.dumps(
            {"key": self._key, "files": self._new}, ensure_ascii=True, separators=(",", ":")
        )
        temporary = self._path.with_name(f"{self._path.name}.{os.getpid()}")
        with suppress(OSError):
            try:
                temporary.write_text(text, encoding="ascii")
                os.replace(temporary, self._path)
            finally:
                temporary.unlink(missing_ok=True)


def _read(path: Path, key: str) -> dict[str, Any]:
    try:
        if path.stat().st_size > _MAX_BYTES:
            return {}
        was_on = gc.isenabled()
        gc.disable()  # millions of lists are made, none of them garbage
        try:
            value = json.loads(path.read_bytes())
        finally:
            if was_on:
                gc.enable()
    except (OSError, ValueError, RecursionError):
        return {}
    if not isinstance(value, dict) or value.get("key") != key:
        return {}
    files = value.get("files")
    return files if isinstance(files, dict) else {}
