"""A mended file as a unified diff that `git apply` takes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from docs_agent.core.visible import visible
from docs_agent.lint.line_matching import matching_lines

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
    head = f"diff --git {old} {new}\n--- {_ended(old)}\n+++ {_ended(new)}\n"
    lines = _told(_lines(before), _lines(after))
    body = "".join(line if line.endswith("\n") else line + _NO_END for line in lines)
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


class _Change(NamedTuple):
    """Lines `a` to `b` of the old version become lines `c` to `d` of the new one."""

    a: int
    b: int
    c: int
    d: int


def _told(old: Sequence[str], new: Sequence[str]) -> Iterator[str]:
    """The lines of the hunks."""
    for hunk in _hunks(old, new):
        a, c = hunk[0].a, hunk[0].c
        lead = min(a, _CONTEXT)
        tail = min(len(old) - hunk[-1].b, _CONTEXT)
        begin, end = a - lead, hunk[-1].b + tail
        new_range = _range(c - lead, hunk[-1].d + tail)
        yield f"@@ -{_range(begin, end)} +{new_range} @@\n"
        for change in hunk:
            yield from (f" {line}" for line in old[begin : change.a])
            yield from (f"-{line}" for line in old[change.a : change.b])
            yield from (f"+{line}" for line in new[change.c : change.d])
            begin = change.b
        yield from (f" {line}" for line in old[begin:end])


def _hunks(old: Sequence[str], new: Sequence[str]) -> Iterator[list[_Change]]:
    """Changes, together where their contexts meet."""
    hunk: list[_Change] = []
    edges = [(-1, -1), *matching_lines(old, new), (len(old), len(new))]
    for (i, j), (k, m) in pairwise(edges):
        change = _Change(i + 1, k, j + 1, m)
        if change.a == change.b and change.c == change.d:
            continue
        if hunk and change.a - hunk[-1].b > 2 * _CONTEXT:
            yield hunk
            hunk = []
        hunk.append(change)
    if hunk:
        yield hunk


def _range(begin: int, end: int) -> str:
    """Of 0-based lines; an empty one names the line before it."""
    count = end - begin
    return f"{begin + 1 if count else begin},{count}"


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
