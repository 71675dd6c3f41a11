"""Documents, what connects them, and what became of a reference."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Node:
    """A document of the session."""

    path: str
    """Relative to the project root, with `/`."""
    title: str
    document_id: str
    """Frontmatter id; empty when the document states none."""
    doc_type: str
    """Frontmatter type; empty when the document states none."""


@dataclass(frozen=True, slots=True)
class Edge:
    """One relation as its document states it."""

    source: str
    """Path of the document that states it."""
    kind: str
    """As written: `parent`, `related_docs`, `links_to` (a Markdown link), `related_code`, …"""
    target: str
    """Path of the document it leads to; empty when it leads to none."""
    written: str
    """The target as written: an id, a title, a path, a URL."""
    target_kind: str
    """`document`, `code` or `external_object`."""
    target_path: str
    """Project path that was written, whether there is anything or not; empty for a name."""
    resolved: bool
    """Whether the target exists: a document, or a file or folder below the root."""
    start_line: int
    """First line of the statement in `source`, 1-based."""
    end_line: int
    """Last line, inclusive."""
    anchor: str
    """Place in the source: anchor of a section, or `frontmatter.KEY`."""
    fragment: str
    """Section of the target that is meant; empty for the whole."""


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A document some steps away from another one."""

    node: Node
    distance: int
    """Least number of edges, 1 or more, whichever way they point."""
    edges: tuple[Edge, ...]
    """All edges between it and the documents one step nearer, in order of source and line."""

    @property
    def kinds(self) -> tuple[str, ...]:
        """Kinds of the edges, each once, in their order."""
        return tuple(dict.fromkeys(edge.kind for edge in self.edges))

    @property
    def direction(self) -> Literal["in", "out", "both"]:
        """`in`: this document states the edges; `out`: the nearer ones do."""
        stated = {edge.source == self.node.path for edge in self.edges}
        if len(stated) > 1:
            return "both"
        return "in" if True in stated else "out"


@dataclass(frozen=True, slots=True)
class Candidate:
    """A document that a reference may mean."""

    node: Node
    name: str
    """The name it was found by: id, title, alias, endpoint or path."""


@dataclass(frozen=True, slots=True)
class Resolved:
    """The one document that a reference means."""

    node: Node
    matched: str
    """How it was found: `path`, `id`, `title`, `alias`, `endpoint` or `path_end`."""


@dataclass(frozen=True, slots=True)
class Unresolved:
    """A reference that means no document, or more than one."""

    reason: Literal["unknown", "ambiguous"]
    candidates: tuple[Candidate, ...]
    """All documents it may mean when ambiguous; the nearest ones, best first, when unknown."""
