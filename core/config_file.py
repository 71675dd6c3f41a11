"""Reading the configuration file: which one, its text, its values, and the line of each key.

Imported at every start, so tomllib is only loaded once there is something to parse.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, NamedTuple

from docs_agent.core.errors import ConfigError

CONFIG_NAME: Final = "docs-agent.toml"
PYPROJECT_NAME: Final = "pyproject.toml"
PYPROJECT_TABLE: Final = ("tool", "docs-agent")
INDEX_SUFFIXES: Final = (".db", ".sqlite")
"""How the name of an index file ends; no source or document of a project ends so."""

MAX_CHARACTERS: Final = 1000
"""Of any text that configures: names, models, paths, patterns, phrases; keys may be longer."""
_MAX_BYTES = 1_000_000
_TOKEN = (
    r'(?s)"""(?:[^\\]|\\.)*?"""+'
    r"|'''.*?'''+"
    r'|"(?:[^"\\\n]|\\.)*"'
    r"|'[^'\n]*'"
    r"|\#[^\n]*"
    r"|[\[\]{}=,.\n]"
    r"|[^\s\[\]{}=,.\#\"']+"
)
_MAX_PARTS = 100
# A dotted key of so many parts. tomllib takes time for them that grows with their square.
_ENDLESS_KEY = rf"""(?<![\w"'-])(?:["']?[\w-]++["']?[ \t]*\.[ \t]*){{{_MAX_PARTS}}}"""
_POSITION = r" ?\(at line (\d+), column (\d+)\)"


class ConfigSource(NamedTuple):
    """A parsed configuration file."""

    name: str
    """File name relative to the root."""
    table: Mapping[str, Any]
    """The tool's own table, as TOML gives it."""
    text: str
    """The whole file."""
    prefix: tuple[str, ...]
    """Where in the file the table lies; empty for `docs-agent.toml`."""

    def line(self, key: tuple[str, ...]) -> int:
        """1-based line where `key` of the table is written; of its nearest parent when it is only
        implied; 0 when even that is not found."""
        lines = key_lines(self.text)
        full = self.prefix + key
        return next((lines[full[:n]] for n in range(len(full), 0, -1) if full[:n] in lines), 0)


def read_source(root: Path) -> ConfigSource | None:
    """The configuration file of `root`; None when there is none or it says nothing to this tool.

    Raises ConfigError.
    """
    text = _text(root / CONFIG_NAME, CONFIG_NAME)
    if text is not None:
        return ConfigSource(CONFIG_NAME, _parse(text, CONFIG_NAME), text, ())
    return read_pyproject(root)


def read_pyproject(root: Path) -> ConfigSource | None:
    """`[tool.docs-agent]` of the pyproject.toml in `root`; None without such a table.

    Raises ConfigError.
    """
    text = _text(root / PYPROJECT_NAME, PYPROJECT_NAME, needle=PYPROJECT_TABLE[-1].encode())
    if text is None:
        return None
    table: Any = _parse(text, PYPROJECT_NAME)
    for part in PYPROJECT_TABLE:
        table = table.get(part) if isinstance(table, dict) else None
    if table is None:
        return None
    source = ConfigSource(
        PYPROJECT_NAME, table if isinstance(table, dict) else {}, text, PYPROJECT_TABLE
    )
    if not isinstance(table, dict):
        raise ConfigError(
            "`tool.docs-agent` must be a table",
            remedy="write [tool.docs-agent.docs], [tool.docs-agent.index], …",
            path=PYPROJECT_NAME,
            line=source.line(()),
        )
    return source


def _text(path: Path, name: str, needle: bytes = b"") -> str | None:
    """None when there is no such file, or when it does not contain `needle`."""
    data = _data(path, name)
    if data is None or needle not in data:
        return None
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as exc:
        raise ConfigError(
            f"not UTF-8: byte {data[exc.start]:#04x} at offset {exc.start}",
            remedy="save the file as UTF-8",
            path=name,
            line=data.count(b"\n", 0, exc.start) + 1,
        ) from exc


def _data(path: Path, name: str) -> bytes | None:
    try:
        info = os.stat(path)
    except FileNotFoundError:
        # A dangling link is a mistake to tell, not a missing configuration.
        if os.path.islink(path):
            raise ConfigError(
                "the configuration is a link to a file that does not exist",
                remedy="repair or remove the link",
                path=name,
            ) from None
        return None
    except (OSError, ValueError) as exc:
        raise _unreadable(name, exc) from exc
    # A pipe would block and a device never end; a link to a regular file is as good as the file.
    if not stat.S_ISREG(info.st_mode):
        raise ConfigError(
            "the configuration is not a regular file", remedy="make it a plain file", path=name
        )
    try:
        with path.open("rb") as file:
            data = file.read(_MAX_BYTES + 1)
    except OSError as exc:
        raise _unreadable(name, exc) from exc
    if len(data) > _MAX_BYTES:
        raise ConfigError(
            f"the configuration is larger than {_MAX_BYTES:,} bytes",
            remedy="keep only settings in it",
            path=name,
        )
    return data


def _unreadable(name: str, exc: Exception) -> ConfigError:
    reason = exc.strerror if isinstance(exc, OSError) else str(exc)
    return ConfigError(
        f"the configuration cannot be read: {reason}",
        remedy="check the file and its permissions",
        path=name,
    )


def _parse(text: str, name: str) -> dict[str, Any]:
    import tomllib

    endless = re.search(_ENDLESS_KEY, text)
    if endless is not None:
        raise ConfigError(
            f"a key of {_MAX_PARTS} parts or more",
            remedy="no key of this tool has more than three",
            path=name,
            line=text.count("\n", 0, endless.start()) + 1,
        )
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as exc:
        reason = str(exc) if isinstance(exc, ValueError) else "nested too deeply"
        found = re.search(_POSITION, reason)
        line = int(found[1]) if found else text.count("\n") + 1
        where = f", column {found[2]}" if found else ""
        raise ConfigError(
            f"not valid TOML: {re.sub(_POSITION, '', reason)}{where}",
            remedy="correct the line; https://toml.io describes the format",
            path=name,
            line=line,
        ) from exc


@lru_cache(maxsize=2)
def key_lines(text: str) -> Mapping[tuple[str, ...], int]:
    """1-based line of every key and table header of a valid TOML text, by full key.

    tomllib keeps no positions. This walk knows just enough of TOML to tell keys from values; on
    text that is not valid TOML the lines may be wrong, but it never fails.
    """
    found: dict[tuple[str, ...], int] = {}
    table: tuple[str, ...] = ()
    stack: list[tuple[str, ...] | None] = []  # open braces: the table's key; open brackets: None
    key: list[str] = []
    header = value = False
    line = 1
    for match in re.finditer(_TOKEN, text):
        token = match.group()
        if token == "\n":
            line += 1
            if header:
                table = tuple(key)
                found.setdefault(table, line - 1)
            if not stack:
                key, header, value = [], False, False
            continue
        if token == "}" and stack and stack[-1] is not None:
            table, value = stack.pop() or (), True
        elif token == "," and stack and stack[-1] is not None:
            key, value = [], False
        elif value:
            if token == "{":
                stack.append(table)
                table, key, value = table + tuple(key), [], False
            elif token == "[":
                stack.append(None)
            elif token == "]" and stack:
                stack.pop()
        elif token == "[":
            header = True
        elif token == "=":
            found.setdefault(table + tuple(key), line)
            value = True
        elif token not in ("]", ".", ",", "{", "}") and not token.startswith("#"):
            key.append(_bare(token))
        line += token.count("\n")
    if header:
        found.setdefault(tuple(key), line)
    return found


def _bare(token: str) -> str:
    return token[1:-1] if len(token) > 1 and token[0] in "\"'" else token
