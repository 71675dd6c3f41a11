"""What a link in a document points to."""

from __future__ import annotations

import posixpath
import re
from typing import Final, NamedTuple
from urllib.parse import unquote

_SCHEME: Final = re.compile(r"[a-z][a-z0-9+.-]*:|//", re.IGNORECASE)
_TEMPLATE: Final = ("{{", "{%", "<%", "${", "@site/", "@/")
"""Marks of targets that a site generator works out: what they become is not ours to know."""

_PLACEHOLDER: Final = re.compile(r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+")
"""A name in capitals, without dot or slash, stands for an address that a build puts there."""


class Target(NamedTuple):
    """A link's target, taken apart."""

    path: str
    """As written, percent-decoded, without query; empty for the page itself."""
    fragment: str
    """Percent-decoded, without `#`; empty when there is none."""


def is_local(target: str) -> bool:
    """Whether a link points to something that lies beside the documents."""
    if not target or target.isspace():
        return True
    if _SCHEME.match(target) or any(mark in target for mark in _TEMPLATE):
        return False
    return not _PLACEHOLDER.fullmatch(target)


def target_of(target: str) -> Target:
    """Take a local target apart. An empty path with a fragment is a place in the page itself."""
    path, _, fragment = target.partition("#")
    return Target(unquote(path.partition("?")[0]), unquote(fragment))


def candidates(target: str, page: str, docs_root: str) -> tuple[str, ...]:
    """Where a path may lead, relative to the project root, likeliest first; without those that
    leave the root.

    target: path of a link, decoded. Beside the page's own folder it is looked for where sites with
    an address per folder (`page/`) serve the page, when it has no extension; from wherever the
    site's root may be when it begins with `/`.
    """
    if target.startswith("/"):
        bases = site_roots(page, docs_root)
        target = target.lstrip("/")
    else:
        folder = posixpath.dirname(page)
        stem = posixpath.splitext(page)[0]
        is_address = not posixpath.splitext(target.rstrip("/"))[1]
        bases = (folder, stem) if is_address else (folder,)
    found: list[str] = []
    for base in bases:
        path = posixpath.normpath(posixpath.join(base, target)) if target else base
        if path == ".." or path.startswith("../"):
            continue
        found += _names(path)
    return tuple(dict.fromkeys(found))


def site_roots(page: str, docs_root: str) -> tuple[str, ...]:
    """Folders that a path with `/` at its beginning may start from, likeliest first: the folders
    above the page, the project root, and where site generators keep files that they only copy."""
    found = [docs_root]
    folder = posixpath.dirname(page)
    while folder:
        found.append(folder)
        folder = posixpath.dirname(folder)
    return tuple(dict.fromkeys((*found, ".", "static", "public")))


def leaves_root(target: str, page: str) -> bool:
    """Whether a relative path points outside of the project root."""
    if target.startswith("/"):
        return False
    path = posixpath.normpath(posixpath.join(posixpath.dirname(page), target))
    return path == ".." or path.startswith("../")


def _names(path: str) -> tuple[str, ...]:
    """The file itself, and the documents an address without extension stands for."""
    if posixpath.splitext(path)[1] in (".md", ".mdx", ".markdown"):
        return (path,)
    bare = path.removesuffix(".html")
    names = (path, f"{bare}.md", f"{bare}.mdx", f"{path}/index.md", f"{path}/README.md")
    return tuple(posixpath.normpath(name) for name in names)
