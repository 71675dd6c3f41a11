"""Ignore rules: `.gitignore` files of the project and the patterns of the configuration.

Rules come with the repository, so they are hostile until shown otherwise: a file that is too long
is not read, a pattern that cannot be compiled or could take exponential time is left out, each with
a warning.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Final

from docs_agent.core.errors import ConfigError
from docs_agent.core.records import IndexWarning
from docs_agent.indexers.files import read_file

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

GITIGNORE: Final = ".gitignore"
_MAX_BYTES = 131_072
_STARS = re.compile(r"\*+")
_MAX_STARS = 4
"""Wildcards in one path segment; the time to refuse a name grows with its length to this power."""
_MAX_DEEP = 3
"""`**` in one pattern, for the same reason."""


@dataclass(frozen=True)
class Rules:
    """Patterns that count below one folder."""

    folder: str
    """Relative to the root, with `/`; `.` for the root. May start with `..` for folders above."""
    patterns: tuple[str, ...]
    """As written, comments and empty lines removed."""

    @cached_property
    def _spec(self) -> GitIgnoreSpec:
        from pathspec import GitIgnoreSpec

        return GitIgnoreSpec.from_lines(self.patterns)

    def verdict(self, path: str) -> bool | None:
        """True ignored, False taken back by `!`, None not mentioned. A folder ends with `/`."""
        return self._spec.check_file(path).include


@dataclass(frozen=True, slots=True)
class Ignore:
    """All rules that count at one place of the walk, outermost first."""

    rules: tuple[Rules, ...] = ()
    exclude: Rules | None = None
    """`docs.exclude`: read last, so it has the last word."""
    include: Rules | None = None
    """`docs.include`: a file must match one."""
    warnings: list[IndexWarning] = field(default_factory=list)
    """Collects faults of rule files; shared along the walk."""

    def entered(self, root: str, folder: str) -> Ignore:
        """The rules inside `folder`, which may have a `.gitignore` of its own."""
        own = _read_rules(root, folder, self.warnings)
        if own is None:
            return self
        return Ignore((*self.rules, own), self.exclude, self.include, self.warnings)

    def without_rules_against(self, folder: str) -> Ignore:
        """The rules minus files that ignore `folder` itself: a folder that was named counts."""
        kept = tuple(
            r for r in self.rules if r.verdict(_inside(r.folder, folder) + "/") is not True
        )
        return Ignore(kept, self.exclude, self.include, self.warnings)

    def ignores(self, path: str, *, is_folder: bool) -> bool:
        """Whether the walk passes by this entry. `path` is relative to the root."""
        suffix = "/" if is_folder else ""
        if self.exclude is not None:
            verdict = self.exclude.verdict(path + suffix)
            if verdict is not None:
                return verdict
        for rules in reversed(self.rules):
            verdict = rules.verdict(_inside(rules.folder, path) + suffix)
            if verdict is not None:
                return verdict
        return False

    def includes(self, path: str) -> bool:
        """Whether `docs.include` lets this file in."""
        return self.include is None or self.include.verdict(path) is True


def project_ignore(root: str, include: Sequence[str], exclude: Sequence[str]) -> Ignore:
    """The rules at the root: configuration, and `.gitignore` of the folders above up to the
    repository's top. Raises ConfigError for a pattern of the configuration that cannot be used."""
    start = Ignore((), _configured("docs.exclude", exclude), _configured("docs.include", include))
    above: list[str] = []
    folder = root
    while not os.path.lexists(os.path.join(folder, ".git")):
        parent = os.path.dirname(folder)
        if parent == folder:
            return start  # no repository: only the project's own files count
        folder = parent
        above.append(os.path.relpath(folder, root).replace(os.sep, "/"))
    for outer in reversed(above):
        start = start.entered(root, outer)
    return start


def _read_rules(root: str, folder: str, warnings: list[IndexWarning]) -> Rules | None:
    name = GITIGNORE if folder == "." else f"{folder}/{GITIGNORE}"
    full = os.path.join(root, name)
    if not os.path.lexists(full):
        return None
    try:
        data = read_file(full, _MAX_BYTES)
    except OSError as exc:
        warnings.append(
            IndexWarning(
                name, 0, "ignore-file-unreadable",
                f"The ignore rules cannot be read ({exc.strerror}), so they do not count. "
                "Make it a readable text file.",
            )
        )  # fmt: skip
        return None
    if len(data) > _MAX_BYTES:
        warnings.append(
            IndexWarning(
                name, 0, "ignore-file-too-large",
                f"Ignore rules of more than {_MAX_BYTES} bytes do not count. Shorten the file.",
            )
        )  # fmt: skip
        return None
    patterns = []
    for line, text in enumerate(os.fsdecode(data.removeprefix(b"\xef\xbb\xbf")).splitlines(), 1):
        if not text.strip() or text.startswith("#"):
            continue
        fault = _fault(text)
        if fault:
            warnings.append(
                IndexWarning(
                    name, line, "ignore-rule-invalid",
                    f"The pattern {fault}, so it does not count. Correct or remove it.",
                )
            )  # fmt: skip
        else:
            patterns.append(text)
    return Rules(folder, tuple(patterns)) if patterns else None


def _configured(key: str, patterns: Iterable[str]) -> Rules | None:
    for pattern in patterns:
        fault = _fault(pattern)
        if fault:
            raise ConfigError(
                f"`{key}`: the pattern `{pattern}` {fault}",
                remedy="write it as a line of .gitignore",
            )
    return Rules(".", tuple(patterns)) if patterns else None


def _fault(pattern: str) -> str:
    """Why a pattern cannot be used; empty when it can."""
    segments = pattern.split("/")
    if segments.count("**") > _MAX_DEEP:
        return f"has more than {_MAX_DEEP} `**`"
    if any(len(_STARS.findall(segment)) > _MAX_STARS for segment in segments):
        return f"has more than {_MAX_STARS} wildcards in a row"
    from pathspec import GitIgnoreSpec

    try:
        GitIgnoreSpec.from_lines([pattern])
    except (ValueError, re.error):
        return "cannot be understood"
    return ""


def _inside(folder: str, path: str) -> str:
    """`path` as seen from `folder`, both relative to the root."""
    if folder == ".":
        return path
    if folder.startswith(".."):
        return os.path.relpath(path, folder).replace(os.sep, "/")
    return path[len(folder) + 1 :]
