"""The walk over folders: what is a document, what is passed by, what cannot be looked into."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from docs_agent.core.records import IndexWarning
from docs_agent.indexers.discover_ignore import GITIGNORE, Ignore
from docs_agent.indexers.files import deepest

SUFFIXES: Final = (".md", ".markdown", ".mdx")
_TOOL_FOLDERS: Final = ("node_modules", "__pycache__")
_VIRTUAL_ENVIRONMENT: Final = "pyvenv.cfg"
"""Python puts this file into every virtual environment, whatever its name."""


@dataclass(frozen=True, slots=True)
class FoundFile:
    """A document on disk."""

    path: str
    """Relative to the root, with `/`."""
    docs_root: str
    """The docs root it belongs to, relative to the root; `.` for the root itself."""
    size: int
    """Bytes."""
    mtime_ns: int
    """Modification time."""


@dataclass(frozen=True, slots=True)
class Discovery:
    """What a run looks at and what it speaks for."""

    files: tuple[FoundFile, ...]
    """Ordered by path."""
    docs_roots: tuple[str, ...]
    """The session's docs roots after this run."""
    covered: tuple[str, ...]
    """Files and folders this run speaks for: what is known of them and not found may be gone."""
    doubtful: tuple[str, ...]
    """Files and folders that could not be looked into; nothing in them may be taken as gone."""
    warnings: tuple[IndexWarning, ...] = ()
    """Ordered by path."""
    failed: tuple[IndexWarning, ...] = ()
    """Those of the warnings that stand for a file or folder which could not be looked into."""
    beside: tuple[str, ...] = ()
    """Documents in the root folder itself that belong to no docs root; only looked for when nobody
    has chosen the docs roots yet."""


def is_document(name: str) -> bool:
    """Whether a file of this name is a document."""
    return name.lower().endswith(SUFFIXES)


class Walk:
    """Collects documents. One use: some `top` and `file` calls, then `result`."""

    def __init__(self, root: str, docs_roots: tuple[str, ...], ignore: Ignore) -> None:
        """`root` is absolute and free of links; `ignore` holds the rules from above it."""
        self._root = root
        self._docs_roots = docs_roots
        self._ignore = {".": ignore.entered(root, ".")}
        self._files: dict[str, FoundFile] = {}
        self._real_files: set[str] = set()
        self._real_folders: set[str] = set()
        self._links: list[tuple[str, str, Ignore]] = []
        self._doubtful: list[str] = []
        self._failed: list[IndexWarning] = []
        self._warnings = ignore.warnings

    def warn(self, path: str, code: str, message: str) -> None:
        shown = path.encode("utf-8", "backslashreplace").decode("utf-8")
        self._warnings.append(IndexWarning(shown, 0, code, message))

    def doubt(self, path: str, code: str, message: str) -> None:
        """Warns, and keeps the run from taking anything below `path` as gone."""
        self.warn(path, code, message)
        self._failed.append(self._warnings[-1])
        self._doubtful.append(path)

    def top(self, folder: str) -> None:
        """Takes every document below `folder`, which exists."""
        ignore = self._rules(folder.rpartition("/")[0] or ".")
        full = os.path.join(self._root, folder)
        try:
            real = os.path.realpath(full)
        except OSError as exc:
            self._closed(folder, exc)
            return
        self._folders([(folder, real, ignore)])

    def file(self, path: str) -> bool:
        """Takes one document by name, if the rules allow; what is wrong with it gets a warning.
        False when rules leave it out."""
        folder, _, name = path.rpartition("/")
        ignore = self._rules(folder or ".")
        if self._is_passed_by(path) or not self._wanted(path, ignore):
            return False
        full = os.path.join(self._root, path)
        if not _is_utf8(path):
            self._unnameable(path)
        elif os.path.islink(full):
            self._links.append((path, full, ignore))
        else:
            try:
                self._take(path, os.path.join(os.path.realpath(os.path.dirname(full)), name))
            except OSError as exc:
                self._unreadable(path, exc.strerror)
        return True

    def beside(self) -> tuple[str, ...]:
        """Documents that lie in the root folder itself; the folders in it are not looked into."""
        with os.scandir(self._root) as scan:
            names = sorted(entry.name for entry in scan if entry.is_file(follow_symlinks=False))
        return tuple(
            name
            for name in names
            if is_document(name)
            and not _is_tool_name(name)
            and _is_utf8(name)
            and self._wanted(name, self._ignore["."])
        )

    def result(self, covered: tuple[str, ...], beside: tuple[str, ...] = ()) -> Discovery:
        """What was found. Links come last, so that nothing is taken under a second name."""
        while self._links:
            links, self._links = sorted(self._links, key=lambda link: link[0]), []
            for path, full, ignore in links:
                self._link(path, full, ignore)
        return Discovery(
            files=tuple(self._files[path] for path in sorted(self._files)),
            docs_roots=self._docs_roots,
            covered=covered,
            doubtful=tuple(sorted(set(self._doubtful))),
            warnings=tuple(sorted(self._warnings, key=_place)),
            failed=tuple(sorted(self._failed, key=_place)),
            beside=beside,
        )

    def _is_passed_by(self, path: str) -> bool:
        """Whether a walk from the docs root would not come to the folder of this file."""
        start = deepest(path, self._docs_roots)
        at = "" if start == "." else start
        *folders, name = path.removeprefix(f"{start}/").split("/")
        for folder in folders:
            above, at = at or ".", f"{at}/{folder}".lstrip("/")
            if _is_tool_name(folder) or self._rules(above).ignores(at, is_folder=True):
                return True
        return _is_tool_name(name)

    def _rules(self, folder: str) -> Ignore:
        """The rules inside `folder`, those of the folders above included."""
        if folder not in self._ignore:
            above = self._rules(folder.rpartition("/")[0] or ".")
            self._ignore[folder] = above.entered(self._root, folder)
        return self._ignore[folder]

    def _folders(self, stack: list[tuple[str, str, Ignore]]) -> None:
        # A stack, not recursion: nothing but the file system limits how deep folders go.
        while stack:
            folder, real, ignore = stack.pop()
            if real in self._real_folders:
                continue
            self._real_folders.add(real)
            stack.extend(self._folder(folder, real, ignore))

    def _folder(self, folder: str, real: str, ignore: Ignore) -> Iterator[tuple[str, str, Ignore]]:
        try:
            with os.scandir(os.path.join(self._root, folder)) as scan:
                entries = sorted(scan, key=lambda entry: entry.name)
        except OSError as exc:
            self._closed(folder, exc)
            return
        names = {entry.name for entry in entries}
        if _VIRTUAL_ENVIRONMENT in names and folder not in self._docs_roots:
            return
        if folder == ".":
            ignore = self._ignore["."]
        elif GITIGNORE in names:
            ignore = ignore.entered(self._root, folder)
        for entry in entries:
            if _is_tool_name(entry.name):
                continue
            path = entry.name if folder == "." else f"{folder}/{entry.name}"
            try:
                is_link, is_folder = entry.is_symlink(), entry.is_dir(follow_symlinks=False)
            except OSError as exc:
                # Some file systems tell the kind of an entry only when asked, and may refuse.
                self._unreadable(path, exc.strerror)
                continue
            if is_link:
                self._links.append((path, os.path.join(real, entry.name), ignore))
            elif is_folder:
                if ignore.ignores(path, is_folder=True):
                    continue
                if _is_utf8(path):
                    yield path, os.path.join(real, entry.name), ignore
                else:
                    self._unnameable(path)
            elif is_document(path) and self._wanted(path, ignore):
                if _is_utf8(path):
                    self._take(path, os.path.join(real, entry.name))
                else:
                    self._unnameable(path)

    def _wanted(self, path: str, ignore: Ignore) -> bool:
        return ignore.includes(path) and not ignore.ignores(path, is_folder=False)

    def _take(self, path: str, real: str) -> None:
        """Takes a document whose real path is `real`; not if that one is there already."""
        if real in self._real_files:
            return
        try:
            info = os.stat(real, follow_symlinks=False)
        except OSError as exc:
            if not isinstance(exc, FileNotFoundError):
                self._unreadable(path, exc.strerror)
            return
        if not stat.S_ISREG(info.st_mode):
            self._unreadable(path, "not a regular file")
            return
        self._real_files.add(real)
        docs_root = deepest(path, self._docs_roots) or "."
        self._files[path] = FoundFile(path, docs_root, info.st_size, info.st_mtime_ns)

    def _link(self, path: str, full: str, ignore: Ignore) -> None:
        try:
            real = os.path.realpath(full)
        except OSError as exc:
            # Whether it names a folder or a file nobody can tell: whatever is known below it stays.
            if not ignore.ignores(path, is_folder=not is_document(path)):
                self._unreadable(path, exc.strerror)
            return
        is_folder = os.path.isdir(real)
        if not is_folder and not is_document(path):
            return
        if not is_folder and not self._wanted(path, ignore):
            return
        if is_folder and ignore.ignores(path, is_folder=True):
            return
        if not _is_utf8(path):
            self._unnameable(path)
        elif not _is_below(real, self._root):
            self.doubt(
                path,
                "symlink-outside-root",
                "The link leads out of the project and is not followed. "
                "Copy the documents into the project.",
            )
        elif is_folder:
            if _is_below(os.path.dirname(full), real):
                self.warn(
                    path,
                    "symlink-loop",
                    "The link leads to a folder it lies in and is not followed. Remove it.",
                )
                return
            self._folders([(path, real, ignore)])
        elif os.path.lexists(real) and not os.path.islink(real):
            self._take(path, real)
        else:
            self._unreadable(path, "the link leads nowhere")

    def _closed(self, folder: str, exc: OSError) -> None:
        self.doubt(
            folder,
            "unreadable",
            f"The folder cannot be read ({exc.strerror}); what the index holds of it is kept. "
            "Check its permissions.",
        )

    def _unreadable(self, path: str, reason: str | None) -> None:
        self.doubt(
            path,
            "unreadable",
            f"The file cannot be read ({reason}); what the index holds of it is kept. "
            "Make it a readable file, or remove it.",
        )

    def _unnameable(self, path: str) -> None:
        self.doubt(
            path,
            "name-not-utf8",
            "The name is not UTF-8 and cannot be stored, so it is not indexed. Rename it.",
        )


def _is_tool_name(name: str) -> bool:
    return name.startswith(".") or name in _TOOL_FOLDERS


def _place(warning: IndexWarning) -> tuple[str, int, str]:
    return warning.path, warning.line, warning.code


def _is_utf8(path: str) -> bool:
    try:
        path.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _is_below(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder.rstrip(os.sep) + os.sep)
