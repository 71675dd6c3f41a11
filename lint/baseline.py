"""The baseline: findings that were there before and are not reported again.

A JSON file with one finding per line, so that a change of it reads well in a diff.
"""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NoReturn

from docs_agent.core.errors import ConfigError
from docs_agent.core.files import replace_file
from docs_agent.core.visible import json_text
from docs_agent.lint.finding import Finding
from docs_agent.lint.fingerprint import message_without_places

VERSION: Final = 1
"""Of the file format. A fingerprint made in another way needs a new one."""
_MAX_BYTES: Final = 200_000_000
_KEYS: Final = ("path", "code", "fingerprint", "message")
_ANEW: Final = "write it anew with --write-baseline"


@dataclass(frozen=True, slots=True, order=True)
class Entry:
    """A finding of the baseline. Only the fingerprint decides; the rest is for people."""

    path: str
    code: str
    message: str
    fingerprint: str


@dataclass(frozen=True, slots=True)
class Applied:
    """Findings and baseline compared.

    new: findings that the baseline does not have.
    hidden: count of those it has.
    stale: entries about files that were looked at, and that are no longer found.
    """

    new: tuple[Finding, ...]
    hidden: int
    stale: tuple[Entry, ...]


def read_baseline(path: Path) -> tuple[Entry, ...]:
    """The entries of a baseline file, sorted. Raises ConfigError."""
    try:
        value = json.loads(_data(path).decode("utf-8-sig"))
    except UnicodeDecodeError:
        _refuse(path, "the baseline is not UTF-8")
    except json.JSONDecodeError as error:
        _refuse(path, f"the baseline is not JSON: {error.msg}", error.lineno)
    except (RecursionError, ValueError):
        # Nested without end, or a number of thousands of digits.
        _refuse(path, "the baseline is not one that this tool wrote")
    version = value.get("version") if isinstance(value, dict) else None
    if type(version) is not int:
        _refuse(path, "the baseline has no `version`")
    if version != VERSION:
        _refuse(path, f"the baseline has version {version}; this tool reads version {VERSION}")
    findings = value.get("findings")
    if not isinstance(findings, list):
        _refuse(path, "`findings` of the baseline is not a list")
    return tuple(sorted({_entry(item, number, path) for number, item in enumerate(findings, 1)}))


def write_baseline(path: Path, findings: Iterable[Finding]) -> None:
    """Write the findings, which have fingerprints, as the new baseline. Raises OutputError."""
    entries = sorted(
        Entry(item.path, item.code, message_without_places(item.message), item.fingerprint)
        for item in findings
    )
    lines = ",\n".join(
        json_text({key: getattr(entry, key) for key in _KEYS}, indent=None) for entry in entries
    )
    body = f"\n{lines}\n" if lines else ""
    replace_file(path, f'{{"version": {VERSION}, "findings": [{body}]}}\n'.encode())


def apply(
    findings: Iterable[Finding], baseline: Iterable[Entry], looked_at: Collection[str]
) -> Applied:
    """Part the findings, which have fingerprints, into new and known ones.

    looked_at: paths of the files that were checked; name a file that is gone as well, and its
    entries count as stale.
    """
    entries = tuple(baseline)
    known = {entry.fingerprint for entry in entries}
    paths = frozenset(looked_at)
    new = []
    met = set()
    for finding in findings:
        if finding.fingerprint in known:
            met.add(finding.fingerprint)
        else:
            new.append(finding)
    stale = (entry for entry in entries if entry.path in paths and entry.fingerprint not in met)
    return Applied(tuple(new), len(met), tuple(sorted(stale)))


def _data(path: Path) -> bytes:
    try:
        info = os.stat(path)
        # A pipe would block and a device never end.
        if not stat.S_ISREG(info.st_mode):
            _refuse(path, "the baseline is not a regular file")
        if info.st_size > _MAX_BYTES:
            _refuse(path, f"the baseline is larger than {_MAX_BYTES:,} bytes")
        return path.read_bytes()
    except FileNotFoundError:
        _refuse(path, "there is no such baseline file")
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        _refuse(path, f"the baseline cannot be read: {reason}")


def _entry(item: Any, number: int, path: Path) -> Entry:
    if not isinstance(item, dict):
        _refuse(path, f"finding {number} of the baseline is not an object")
    for key in _KEYS:
        if not isinstance(item.get(key), str):
            _refuse(path, f"finding {number} of the baseline has no `{key}`")
    return Entry(item["path"], item["code"], item["message"], item["fingerprint"])


def _refuse(path: Path, message: str, line: int = 0) -> NoReturn:
    raise ConfigError(message, remedy=_ANEW, path=str(path), line=line) from None
