"""Which folders are docs roots, and what becomes of those that are not there.

A folder that does not exist is either a slip of the pen or a loss, and neither may cost an index:
a run never speaks for it, and a session never takes it up.
"""

from __future__ import annotations

import os
from collections.abc import Collection
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Final

from docs_agent.core.config import Config, key_line
from docs_agent.core.errors import InputError
from docs_agent.core.project import relative_posix
from docs_agent.indexers.files import deepest, under

DEFAULT_ROOT: Final = "docs"
_SHOWN_FOLDERS: Final = 5
_ALIKE: Final = 0.5


@dataclass(frozen=True, slots=True)
class Roots:
    """The docs roots of a run."""

    present: tuple[str, ...]
    """Folders to look at, relative to the root; never empty unless some are missing."""
    missing: tuple[str, ...] = ()
    """Do not exist; what the index holds of them is kept."""
    forgotten: tuple[str, ...] = ()
    """Remembered, do not exist, and no longer part of the session."""
    held: tuple[str, ...] = ()
    """Remembered roots that the run does not speak for, but whose documents it keeps."""
    is_default: bool = False
    """Neither configured nor remembered: `docs/`, or the root itself without it."""

    @property
    def covered(self) -> tuple[str, ...]:
        """What a run without PATHS speaks for: everything, unless a root was named wrongly."""
        return self.present if self.held else (".",)


def find_roots(
    root: Path,
    config: Config,
    remembered: Collection[str] = (),
    known: Collection[str] = (),
    *,
    forget: bool = False,
) -> Roots:
    """The docs roots of the configuration, else those the session remembers, else the default.

    known: paths of the documents that the session holds. forget: remembered roots that do not
    exist are given up with all that is known of them, as long as another root is left.
    Raises InputError when not one of the configured roots exists.
    """
    if config.docs.roots:
        return _configured(root, config, remembered, known)
    there = tuple(top for top in remembered if _is_folder(root, top))
    gone = tuple(top for top in remembered if top not in there)
    if not there and _is_folder(root, DEFAULT_ROOT):
        there = (DEFAULT_ROOT,)
    lost = gone if forget and there else tuple(t for t in gone if not _holds(t, known, there))
    missing = tuple(top for top in gone if top not in lost)
    if there or missing:
        return Roots(there, missing, lost, is_default=not remembered)
    return Roots((".",), (), lost, is_default=True)


def missing_message(root: Path, top: str, config: Config) -> str:
    """What is said of a configured or remembered docs root that does not exist."""
    remedy = (
        f"Restore the folder, or correct docs.roots: {nearest_folders(root, top)}"
        if top in config.docs.roots
        else "Restore the folder, or forget it with docs-agent index --full."
    )
    return f"This docs root does not exist; what the index holds of it is kept. {remedy}"


def nearest_folders(root: Path, path: str) -> str:
    """The folder that was likely meant, or the first ones there are beside it, in words."""
    above, _, name = path.rpartition("/")
    while above and not _is_folder(root, above):
        above, _, name = above.rpartition("/")
    try:
        with os.scandir(root / above) as scan:
            names = sorted(e.name for e in scan if e.is_dir() and not e.name.startswith("."))
    except OSError:
        names = []
    prefix = f"{above}/" if above else ""
    close = get_close_matches(name, names, n=1, cutoff=_ALIKE)
    if close:
        return f"did you mean `{prefix}{close[0]}`?"
    if not names:
        return f"there are no folders in {above or 'the project root'}"
    more = ", …" if len(names) > _SHOWN_FOLDERS else ""
    shown = ", ".join(f"`{prefix}{name}`" for name in names[:_SHOWN_FOLDERS])
    return f"the folders there are {shown}{more}"


def _configured(
    root: Path, config: Config, remembered: Collection[str], known: Collection[str]
) -> Roots:
    present = tuple(top for top in config.docs.roots if _is_folder(root, top))
    missing = tuple(top for top in config.docs.roots if top not in present)
    if not present:
        raise InputError(
            f"`docs.roots`: the folder `{missing[0]}` does not exist",
            remedy=f"correct docs.roots: {nearest_folders(root, missing[0])}",
            path=config.path or missing[0],
            line=key_line(root, "docs", "roots") if config.path else 0,
        )
    # One of the names is wrong, so what it was meant for is unknown: nothing outside goes.
    held = tuple(top for top in remembered if top not in present and _holds(top, known, present))
    return Roots(present, missing, (), held if missing else ())


def _holds(top: str, known: Collection[str], besides: tuple[str, ...]) -> bool:
    """Whether a known document lies below `top` and in none of the roots `besides` below it."""
    return any(under(path, top) and deepest(path, (top, *besides)) == top for path in known)


def _is_folder(root: Path, top: str) -> bool:
    if not os.path.isdir(os.path.join(root, top)):
        return False
    relative_posix(top, root)
    return True
