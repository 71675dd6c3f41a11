"""How a person may write one reference: with an anchor or lines behind it, with other slashes."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

_LINES = re.compile(r":\d+(?:[-:]\d+)?$")
_ENDPOINT = re.compile(
    r"(?:(get|post|put|patch|delete|head|options|trace)\s+)?(/\S*)", re.IGNORECASE
)
_PARAMETER = re.compile(r"\{[^{}]*\}")
_ABSOLUTE = re.compile(r"/|[A-Za-z]:/")
PAGE_ENDS: Final = (
    "",
    ".md",
    ".markdown",
    ".mdx",
    "/index.md",
    "/index.mdx",
    "/README.md",
    "/readme.md",
)
"""What may be left out behind the path of a page, nearest first."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """An HTTP path with the method it was written with."""

    method: str
    """Upper case; empty when none was written."""
    path: str
    """Lower case, no query, no trailing slash."""


def spellings(reference: str) -> tuple[str, ...]:
    """The reference as it is, then without lines, then without its anchor as well."""
    whole = " ".join(reference.split())
    bare = _LINES.sub("", whole)
    return tuple(s for s in dict.fromkeys((whole, bare, bare.partition("#")[0].strip())) if s)


def paths(spelled: str, root: str, here: str) -> Iterator[str]:
    """Project paths that a spelling may stand for; none of them leaves the project.

    root: absolute project root. here: folder, relative to it, that relative paths begin in; a path
    as the tool prints it, from the root, comes first unless it begins with `./` or `../`.
    """
    written = spelled.replace("\\", "/")
    top = root.replace("\\", "/").rstrip("/")
    if _ABSOLUTE.match(written):
        if written.startswith(f"{top}/"):
            yield from _inside(written.removeprefix(f"{top}/"))
        return
    from_here = posixpath.join(here, written)
    starts = (from_here, written) if written.startswith(".") else (written, from_here)
    for start in dict.fromkeys(starts):
        yield from _inside(start)


def _inside(path: str) -> Iterator[str]:
    normal = posixpath.normpath(path)
    if normal != ".." and not normal.startswith(("../", "/")):
        yield normal


def endpoint(spelled: str) -> Endpoint | None:
    """`get /Health/?x=1` is GET and `/health`; None for what is no HTTP path."""
    match = _ENDPOINT.fullmatch(spelled)
    if match is None:
        return None
    path = match.group(2).partition("?")[0].partition("#")[0].lower()
    return Endpoint((match.group(1) or "").upper(), path.rstrip("/") or "/")


def same_shape(path: str, template: str) -> bool:
    """Whether two HTTP paths are one but for the names of their parameters, or the first is the
    second with values: `/items/{id}` and `/items/42` for `/items/{item_id}`."""
    left, right = path.split("/"), _PARAMETER.sub("{}", template).split("/")
    return len(left) == len(right) and all(
        own == other or (own != "" and other == "{}")
        for own, other in zip(left, right, strict=True)
    )
