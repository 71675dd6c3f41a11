"""Where a project begins, where its index lies, and which paths belong to it."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final

from docs_agent.core.config import Config
from docs_agent.core.config_file import CONFIG_NAME, read_pyproject
from docs_agent.core.errors import ConfigError, PathRefusedError, UsageError

STATE_DIR: Final = ".docs-agent"
DB_NAME: Final = "index.db"
DB_VARIABLE: Final = "DOCS_AGENT_DB"


def find_root(start: Path) -> Path:
    """The project root for work begun in `start`: the nearest folder, `start` itself first, with
    docs-agent.toml, .docs-agent/, a pyproject.toml with [tool.docs-agent], or .git.

    `start` itself when there is none. Always absolute and free of links, so that one project has
    one root however it was reached. Raises UsageError when `start` is no folder.
    """
    here = _real(start)
    if not here.is_dir():
        raise UsageError(f"`{start}` is not a folder", remedy="name the project folder with --root")
    return next((folder for folder in _upwards(here) if _is_root(folder)), here)


def relative_posix(path: Path | str, root: Path) -> str:
    """`path` relative to `root`, with `/`; `.` for the root itself. A relative `path` is taken
    from `root`. The path need not exist.

    Links inside the root keep their own name. Raises PathRefusedError when the path, or what it
    links to, lies outside.
    """
    base = _real(root)
    joined = Path(root) / path
    real = _real(joined)
    if not real.is_relative_to(base):
        raise PathRefusedError(
            f"`{path}` is outside the project root",
            remedy=f"name a path below {base}, or another project with --root",
        )
    # `..` after a link does not lead back to where it is written; only the real path is safe then.
    if ".." not in joined.parts:
        for top in (Path(os.path.abspath(root)), base):
            written = Path(os.path.abspath(joined))
            if written.is_relative_to(top):
                return written.relative_to(top).as_posix()
    return real.relative_to(base).as_posix()


def db_path(
    root: Path,
    explicit: str | None = None,
    env: Mapping[str, str] | None = None,
    config: Config | None = None,
    *,
    reading: bool = False,
) -> Path:
    """The index file: `explicit` (the --db option), else DOCS_AGENT_DB in `env`, else `index.db`
    of the configuration, else `.docs-agent/index.db`.

    Option and variable are taken from the current folder, the rest from `root`. When `reading`,
    a default that does not exist is looked for in the folders above, nearest first, and only if
    none of them has one the default is returned.
    Raises UsageError for a path that cannot be one, PathRefusedError when the configuration leads
    out of the root through a link.
    """
    chosen = explicit or (env or {}).get(DB_VARIABLE, "")
    if chosen:
        return Path(os.path.abspath(_valid(chosen)))
    if config is not None and config.index.db:
        relative_posix(config.index.db, root)
        return root / config.index.db
    default = root / STATE_DIR / DB_NAME
    if reading:
        for folder in _upwards(root):
            candidate = folder / STATE_DIR / DB_NAME
            if candidate.is_file():
                return candidate
    return default


def keep_out_of_git(db: Path) -> None:
    """Makes the state folder of a default index ignore itself, so that nobody commits the index.

    Does nothing for an index elsewhere, or when the folder cannot be written: opening it will say.
    """
    if db.parent.name == STATE_DIR:
        with suppress(OSError):
            db.parent.mkdir(exist_ok=True)
            with open(db.parent / ".gitignore", "x", encoding="utf-8") as file:
                file.write("*\n")


def _is_root(folder: Path) -> bool:
    if (folder / CONFIG_NAME).is_file() or (folder / ".git").exists():
        return True
    if (folder / STATE_DIR).is_dir():
        return True
    try:
        return read_pyproject(folder) is not None
    except ConfigError:
        # A broken pyproject.toml above belongs to somebody else until it is this project's root,
        # and then load_config tells what is wrong with it.
        return False


def _upwards(folder: Path) -> Iterator[Path]:
    yield folder
    yield from folder.parents


def _real(path: Path) -> Path:
    try:
        return Path(os.path.realpath(_valid(path)))
    except OSError as error:
        # A link that may not be read, as those of other people's processes.
        raise UsageError(
            f"`{path}` cannot be followed ({error.strerror})", remedy="correct the path"
        ) from error


def _valid(path: Path | str) -> Path | str:
    if "\0" in str(path):
        raise UsageError("a path holds a NUL character", remedy="correct the path")
    return path
