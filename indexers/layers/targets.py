"""Where a relation or link points: document, code or something outside; and to which path."""

from __future__ import annotations

import posixpath
import re
from typing import Final

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_DOCUMENTS: Final = (".md", ".markdown", ".mdx", ".mdown", ".rst", ".txt")
_CODE: Final = [
    ".py",
    ".pyi",
    ".js",
    ".jsx",
    ".ts",
    ".tsx",
    ".go",
    ".rs",
    ".java",
    ".kt",
    ".cs",
    ".c",
    ".h",
    ".cc",
    ".cpp",
    ".hpp",
    ".rb",
    ".php",
    ".swift",
    ".scala",
    ".sh",
    ".sql",
    ".proto",
    ".graphql",
    ".ipynb",
]
_DATA: Final = (".yaml", ".yml", ".json", ".toml")


def is_external(target: str) -> bool:
    """True for a URL, a mail address, or a protocol-relative address."""
    return target.startswith("//") or _SCHEME.match(target) is not None


def kind_by_name(path: str) -> str:
    """`document`, `code`, or `` for pictures and other files; no extension means a document."""
    extension = posixpath.splitext(path)[1].lower()
    if extension in _CODE:
        return "code"
    if extension in _DOCUMENTS or extension in _DATA or not extension[1:].isalnum():
        return "document"
    return ""


def looks_like_path(target: str) -> bool:
    """True when an id cannot be meant: a known file extension, or a leading `./`, `../`, `/`."""
    if any(c.isspace() for c in target) or is_external(target):
        return False
    bare = target.partition("#")[0].partition("::")[0]
    extension = posixpath.splitext(bare)[1].lower()
    known = extension in _CODE or extension in _DOCUMENTS or extension in _DATA
    return known or target.startswith(("./", "../", "/"))


def resolve(target: str, document: str, docs_root: str) -> str | None:
    """Project path of a link target as written in `document`; None when it leaves the project.

    A leading `/` means the docs root, as on a documentation site.
    """
    bare = target.partition("#")[0].partition("?")[0]
    if bare.startswith("/"):
        joined = posixpath.join(docs_root, bare.lstrip("/"))
    else:
        joined = posixpath.join(posixpath.dirname(document), bare)
    path = posixpath.normpath(joined)
    return None if path == ".." or path.startswith(("../", "/")) else path
