"""Code that a document names and that does not exist

What it does: reports paths in `related_code` that are not in the project, taken from
`lint.code_root`. A symbol or line after the path (`file.py::Class`, `file.py#L10`, `file.py:10`)
does not count. Addresses, other repositories (`repo:path`) and paths that leave the project are
left alone.

Why: the code was moved or removed, and what the document says of it is in doubt.

Example: `related_code: [src/orders/create.py]` after the module was split.

Fix: correct the path, and read whether the document still holds.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from fnmatch import fnmatchcase

from docs_agent.lint.finding import ERROR
from docs_agent.lint.graph import Graph
from docs_agent.lint.rule import Hit, Rule

_ELSEWHERE = re.compile(r"[a-z][a-z0-9+.-]*://|[\w.-]+:(?=[^\d:])|/|~|<", re.IGNORECASE)
_AFTER = re.compile(r"::.*|#.*|:\d+(?:[-:]\d+)*$", re.DOTALL)


def check(graph: Graph) -> Iterator[tuple[str, Hit]]:
    """Report each path that leads nowhere."""
    for page in graph.pages:
        for ref in page.refs:
            spec = graph.model.key(ref.key)
            if spec is None or spec.references != "code" or _ELSEWHERE.match(ref.value):
                continue
            path = posixpath.normpath(posixpath.join(graph.config.code_root, _path(ref.value)))
            if not path.startswith("..") and not _exists(graph, path):
                yield page.path, Hit(ref.span, f"the code `{path[:80]}` does not exist")


def _path(value: str) -> str:
    return _AFTER.sub("", value).strip()


def _exists(graph: Graph, path: str) -> bool:
    """Whether a path, or anything that a pattern in its last part names, is there."""
    if graph.tree.exists(path):
        return True
    folder, _, name = path.rpartition("/")
    if not any(mark in name for mark in "*?["):
        return False
    return any(fnmatchcase(there, name) for there in graph.tree.names(folder or "."))


RULE = Rule(
    "DOC406", "missing-code", "A document names code that does not exist", ERROR, graph=check
)
