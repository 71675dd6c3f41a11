"""What `show` and `related` share: from the words of REF to a document, or to an honest no."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from docs_agent.cli.options import is_blank

if TYPE_CHECKING:
    from docs_agent.cli.project import Project
    from docs_agent.core.store.protocol import Reader
    from docs_agent.retrieval.relations.values import Node

Ref = Annotated[
    list[str],
    typer.Argument(
        help="Id, path, title, alias or endpoint of a document; its words are joined by spaces."
    ),
]


@dataclass(frozen=True, slots=True)
class Named:
    """A document that was named, and where to read on."""

    ref: str
    """As it was given."""
    node: Node
    reader: Reader
    root: Path
    """Folder that the paths of the session are relative to."""


@contextmanager
def named(words: list[str], project: Project, *, as_json: bool) -> Iterator[Named]:
    """The document that REF means, with the open index.

    When it means none or several, says which there are and raises typer.Exit with status 1.
    Raises UsageError for an empty REF, NoIndexError when there is no index.
    """
    from docs_agent.cli.console import print_json, print_lines
    from docs_agent.cli.project import reading
    from docs_agent.cli.render.references import unresolved_json, unresolved_lines
    from docs_agent.core.errors import UsageError
    from docs_agent.retrieval.relations.reference import resolve_reference
    from docs_agent.retrieval.relations.values import Unresolved

    ref = " ".join(words)
    if is_blank(ref):
        raise UsageError("REF is empty", remedy="name a document: docs-agent show docs/README.md")
    with reading(project) as (_, reader):
        root = _root_of(project, reader.session.root)
        aliases = project.config.router.aliases
        found = resolve_reference(ref, reader, root=str(root), here=_here(root), aliases=aliases)
        if not isinstance(found, Unresolved):
            yield Named(ref, found.node, reader, root)
            return
    if as_json:
        print_json(unresolved_json(ref, found))
    else:
        print_lines(unresolved_lines(ref, found))
    raise typer.Exit(1)


def _root_of(project: Project, indexed: str) -> Path:
    """The session's root when the project lies inside it; else the project has been moved."""
    root = Path(indexed)
    return root if project.root.is_relative_to(root) and root.is_dir() else project.root


def _here(root: Path) -> str:
    """The current folder relative to the root; empty outside it, or when it is gone."""
    try:
        here = Path(os.path.realpath(os.curdir))
    except FileNotFoundError:
        return ""
    return here.relative_to(root).as_posix() if here.is_relative_to(root) else ""
