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
    """Relative to the root, with `/`; `.` for the root and for folders above it."""
    patterns: tuple[str, ...]
    """As written, comments and empty lines removed."""
    above: str = ""
    """Way from the folder down to the root, with `/` at its end; for folders above the root."""

    @cached_property
    def _spec(self) -> GitIgnoreSpec:
        from pathspec import GitIgnoreSpec

        return GitIgnoreSpec.from_lines(self.patterns)

    def verdict(self, path: str) -> bool | None:
        """True ignored, False taken back by `!`, None not mentioned. `path` is below the folder,
        relative to the root; that of a folder ends with `/`."""
        inside = path if self.folder == "." else path[len(self.folder) + 1 :]
        return self._spec.check_file(self.above + inside).include


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
        name = GITIGNORE if folder == "." else f"{folder}/{GITIGNORE}"
        patterns = _read_patterns(os.path.join(root, name), name, self.warnings)
        return self._with(Rules(folder, patterns)) if patterns else self

    def below(self, folder: str, root: str) -> Ignore:
        """The rules with those of `folder`, an absolute path of a folder above the root, first."""
        full = os.path.join(folder, GITIGNORE)
        patterns = _read_patterns(full, full, self.warnings)
        way = root[len(folder) :].strip(os.sep).replace(os.sep, "/") + "/"
        return self._with(Rules(".", patterns, way)) if patterns else self

    def _with(self, rules: Rules) -> Ignore:
        return Ignore((*self.rules, rules), self.exclude, self.include, self.warnings)

    def without_rules_against(self, folder: str) -> Ignore:
        """The rules minus files that ignore `folder` itself: a folder that was named counts."""
        kept = tuple(r for r in self.rules if r.verdict(f"{folder}/") is not True)
        return Ignore(kept, self.exclude, self.include, self.warnings)

    def ignores(self, path: str, *, is_folder: bool) -> bool:
        """Whether the walk passes by this entry. `path` is relative to the root."""
        suffix = "/" if is_folder else ""
        if self.exclude is not None:
            verdict = self.exclude.verdict(path + suffix)
            if verdict is not None:
                return verdict
        for rules in reversed(self.rules):
            verdict = rules.verdict(path + suffix)
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
        above.append(folder)
    for outer in reversed(above):
        start = start.below(outer, root)
    return start


def _read_patterns(full: str, name: str, warnings: list[IndexWarning]) -> tuple[str, ...]:
    """The usable patterns of a rule file; `name` is how warnings call it."""
    if not os.path.lexists(full):
        return ()
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
        return ()
    if len(data) > _MAX_BYTES:
        warnings.append(
            IndexWarning(
                name, 0, "ignore-file-too-large",
                f"Ignore rules of more than {_MAX_BYTES} bytes do not count. Shorten the file.",
            )
        )  # fmt: skip
        return ()
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
    return tuple(patterns)


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
