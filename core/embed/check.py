"""Facts about the embedding, for `doctor`."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from docs_agent.core.checks import Check
from docs_agent.core.embed import cache
from docs_agent.core.embed.static import DIM
from docs_agent.core.embed.table import REMEDY, TABLE_PATH, open_table
from docs_agent.core.embed.use import KNOWN_VERSION, PACKAGE, UseEncoder, installed_version
from docs_agent.core.errors import InputError

_SHOWN_CHARS = 200
"""Characters of a path that a fact repeats."""


def table_fact(path: Path = TABLE_PATH) -> Check:
    """The static table is there and its checksum is right."""
    name = "embedding-table"
    try:
        table = open_table(path)
        table.verify()
    except InputError as error:
        return Check(name, False, error.message, error.remedy)
    if table.dim != DIM:
        return Check(name, False, f"it has {table.dim} dimensions, not {DIM}", REMEDY)
    return Check(name, True, f"{table.rows} pieces, {table.dim} dimensions, checksum right")


def package_fact() -> Check:
    """The encoder's package is installed, in the version that starts quickly."""
    name, version = "encoder-package", installed_version()
    remedy = f"pip install {PACKAGE}=={KNOWN_VERSION}"
    if not version:
        return Check(name, False, f"{PACKAGE} is not installed; answers are not re-ranked", remedy)
    if version != KNOWN_VERSION:
        return Check(name, False, f"{PACKAGE} {version} works but starts slowly", remedy)
    return Check(name, True, f"{PACKAGE} {version}")


def cache_fact(models: Path | None = None) -> Check:
    """The encoder's unpacked copy is there and whole, or can be made."""
    name, entry = "encoder-cache", UseEncoder(models).entry
    if cache.verify(entry):
        return Check(name, True, f"primed in {_shown(entry)}")
    if os.path.exists(entry):
        return Check(
            name,
            False,
            f"{_shown(entry)} is damaged",
            "delete this folder; the next index run makes it again",
        )
    if cache.writable(entry.parent):
        return Check(name, True, f"not made yet; the next index run makes {_shown(entry)}")
    return Check(
        name,
        False,
        f"{_shown(entry.parent)} cannot be written; each question starts 0.6 s slower",
        "make the folder writable or point XDG_CACHE_HOME (LOCALAPPDATA on Windows) elsewhere",
    )


def _shown(path: Path) -> str:
    """The path as one short line of text."""
    text = str(path).encode("utf-8", "backslashreplace").decode("utf-8")
    return text if len(text) <= _SHOWN_CHARS else f"{text[:_SHOWN_CHARS]}…"


CHECKS: tuple[Callable[[], Check], ...] = (table_fact, package_fact, cache_fact)


def embedding_facts() -> tuple[Check, ...]:
    """All facts; reads about 90 MB, some 0.2 s."""
    return tuple(check() for check in CHECKS)
