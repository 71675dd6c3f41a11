"""The project's files, looked at once each, with the letter case they really have."""

from __future__ import annotations

import os
import posixpath
from functools import cached_property
from pathlib import Path


class Tree:
    """Answers whether paths exist below a root; case counts on every file system."""

    def __init__(self, root: Path) -> None:
        self._root = str(root)
        self._folders: dict[str, dict[str, bool]] = {}
        self._folded: dict[str, dict[str, str]] = {}

    def exists(self, path: str) -> bool:
        """Whether a path relative to the root exists in exactly this letter case. A path that
        leaves the root does not exist."""
        return self._kind(path) is not None

    def is_file(self, path: str) -> bool:
        """Whether it is a file."""
        return self._kind(path) is False

    def is_folder(self, path: str) -> bool:
        """Whether it is a folder."""
        return self._kind(path) is True

    def in_other_case(self, path: str) -> str:
        """The path as it exists in another letter case; empty when there is none, or several."""
        found = ""
        for part in posixpath.normpath(path).split("/"):
            if part == ".":
                continue
            names = self.names(found or ".")
            if part in names:
                found = _join(found, part)
                continue
            alike = self._folded_names(found or ".").get(part.casefold(), "")
            if not alike:
                return ""
            found = _join(found, alike)
        return found if found != posixpath.normpath(path) else ""

    @cached_property
    def root(self) -> Path:
        """The project root."""
        return Path(self._root)

    def _kind(self, path: str) -> bool | None:
        """True for a folder, False for a file, None for nothing."""
        path = posixpath.normpath(path)
        if path == ".":
            return True
        if path.startswith(("../", "/")) or path == ".." or "\0" in path:
            return None
        folder, _, name = path.rpartition("/")
        if folder and self._kind(folder) is not True:
            return None
        return self.names(folder or ".").get(name)

    def _folded_names(self, folder: str) -> dict[str, str]:
        """Names in a folder by their form without case; empty where several share one."""
        if folder not in self._folded:
            folded: dict[str, str] = {}
            for name in self.names(folder):
                form = name.casefold()
                folded[form] = "" if form in folded else name
            self._folded[folder] = folded
        return self._folded[folder]

    def names(self, folder: str) -> dict[str, bool]:
        """Names in a folder, True for folders; links count as what they lead to."""
        if folder not in self._folders:
            names: dict[str, bool] = {}
            try:
                with os.scandir(os.path.join(self._root, folder)) as entries:
                    for entry in entries:
                        names[entry.name] = entry.is_dir()
            except (OSError, ValueError):
                pass
            self._folders[folder] = names
        return self._folders[folder]


def _join(folder: str, name: str) -> str:
    return f"{folder}/{name}" if folder else name
