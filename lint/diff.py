"""A mended file as a unified diff that `git apply` takes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import unified_diff
from typing import Final

from docs_agent.core.visible import visible

_CONTEXT: Final = 3
_NO_END: Final = "\n\\ No newline at end of file\n"
_QUOTED: Final = {"\t": "\\t", "\n": "\\n", "\r": "\\r", '"': '\\"', "\\": "\\\\"}


def diff(path: str, before: bytes, after: bytes) -> bytes:
    """The change of one file; empty when there is none.

    path: POSIX, relative to the folder that `git apply` is run in. Line ends and bytes that are
    no UTF-8 are kept.
    """
    if before == after:
        return b""
    old, new = _quoted(f"a/{path}"), _quoted(f"b/{path}")
    # The first two lines are worded by difflib as plain patches are; git has its own rules.
    hunks = list(unified_diff(_lines(before), _lines(after), n=_CONTEXT))[2:]
    head = f"diff --git {old} {new}\n--- {_ended(old)}\n+++ {_ended(new)}\n"
    body = "".join(line if line.endswith("\n") else line + _NO_END for line in hunks)
    return (head + body).encode("utf-8", "surrogateescape")


def visible_diff(patch: bytes) -> tuple[str, ...]:
    """The lines of a diff for a terminal, where it can no longer be applied.

    A carriage return at the end of a line is shown only if removed and added lines do not end
    alike: then it may be all that changed.
    """
    lines = patch.decode("utf-8", "surrogateescape").split("\n")[:-1]
    ends = {line.endswith("\r") for line in _changed(lines)}
    shown = lines if len(ends) > 1 else [line.removesuffix("\r") for line in lines]
    return tuple(visible(line) for line in shown)


def _lines(data: bytes) -> list[str]:
    """Lines as git counts them: only a line feed ends one."""
    return re.findall(r"[^\n]*\n|[^\n]+", data.decode("utf-8", "surrogateescape"))


def _changed(lines: Sequence[str]) -> Iterator[str]:
    in_hunk = False
    for line in lines:
        in_hunk = (in_hunk or line.startswith("@@")) and not line.startswith("diff --git ")
        if in_hunk and line.startswith(("-", "+")):
            yield line


def _quoted(path: str) -> str:
    """A path as git writes it in a patch: in quotes when it holds what would end it."""
    if not re.search(r'[\x00-\x1f\x7f"\\]', path):
        return path
    shown = "".join(_QUOTED.get(c, f"\\{ord(c):03o}" if ord(c) < 0x20 else c) for c in path)
    return f'"{shown}"'.replace("\x7f", "\\177")


def _ended(path: str) -> str:
    """A name with a blank in it ends with a tab, so that nothing behind it counts."""
    return f"{path}\t" if " " in path and not path.startswith('"') else path
