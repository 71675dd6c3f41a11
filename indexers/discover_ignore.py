"""Ignore rules: `.gitignore` files of the project and the patterns of the configuration.

Rules come with the repository, so they are hostile until shown otherwise: a file that is too long
or not readable and a pattern that can never match do not count, each with a warning.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

from docs_agent.core.errors import ConfigError
from docs_agent.core.records import IndexWarning
from docs_agent.indexers.files import read_file
from docs_agent.indexers.ignore_pattern import Pattern, compile_pattern

GITIGNORE: Final = ".gitignore"
_MAX_BYTES = 131_072


@dataclass(frozen=True, slots=True)
class Rules:
    """Patterns that count below one folder."""

    folder: str
    """Relative to the root, with `/`; `.` for the root and for folders above it."""
    patterns: tuple[Pattern, ...]
    """The last one that matches decides."""
    above: str = ""
    """Way from the folder down to the root, with `/` at its end; for folders above the root."""

    def verdict(self, path: str, *, is_folder: bool) -> bool | None:
        """True ignored, False taken back by `!`, None not mentioned. `path` is below the folder,
        relative to the root. The folders it lies in are not asked."""
        inside = self.above + (path if self.folder == "." else path[len(self.folder) + 1 :])
        for pattern in reversed(self.patterns):
            if pattern.matches(inside, is_folder=is_folder):
                return not pattern.takes_back
        return None

    def names(self, path: str, *, is_folder: bool) -> bool:
        """Whether the entry or a folder it lies in is mentioned and not taken back."""
        folders = (path[:at] for at, char in enumerate(path) if char == "/")
        return any(self.verdict(folder, is_folder=True) for folder in folders) or bool(
            self.verdict(path, is_folder=is_folder)
        )


@dataclass(frozen=True, slots=True)
class Ignore:
    """All rules that count at one place of the walk, outermost first."""

    rules: tuple[Rules, ...] = ()
    exclude: Rules | None = None
    """`docs.exclude`: nothing takes back what it names."""
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

    def ignores(self, path: str, *, is_folder: bool) -> bool:
        """Whether the walk passes by this entry; of the folders it lies in only `docs.exclude` is
        asked. `path` is relative to the root."""
        if self.exclude is not None and self.exclude.names(path, is_folder=is_folder):
            return True
        for rules in reversed(self.rules):
            verdict = rules.verdict(path, is_folder=is_folder)
            if verdict is not None:
                return verdict
        return False

    def includes(self, path: str) -> bool:
        """Whether `docs.include` lets this file in."""
        return self.include is None or self.include.names(path, is_folder=False)


def project_ignore(root: str, include: Sequence[str], exclude: Sequence[str]) -> Ignore:
    """The rules at the root: configuration, and `.gitignore` of the folders above up to the
    repository's top. Raises ConfigError for a pattern of the configuration that cannot be used."""
    start = Ignore(
        (), configured_rules("docs.exclude", exclude), configured_rules("docs.include", include)
    )
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


def _read_patterns(full: str, name: str, warnings: list[IndexWarning]) -> tuple[Pattern, ...]:
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
        pattern = compile_pattern(text)
        if pattern is None:
            warnings.append(
                IndexWarning(
                    name, line, "ignore-rule-invalid",
                    "The pattern can never match anything. Correct or remove it.",
                )
            )  # fmt: skip
        else:
            patterns.append(pattern)
    return tuple(patterns)


def configured_rules(key: str, lines: Iterable[str]) -> Rules | None:
    patterns = []
    for line in lines:
        pattern = compile_pattern(line)
        if pattern is None:
            raise ConfigError(
                f"`{key}`: the pattern `{line}` can never match anything",
                remedy="write it as a line of .gitignore",
            )
        patterns.append(pattern)
    return Rules(".", tuple(patterns)) if patterns else None
