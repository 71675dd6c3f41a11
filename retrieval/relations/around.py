"""What lies around a document, sorted by what it is to it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from docs_agent.retrieval.relations.graph import CHILD_KINDS, PARENT_KINDS, Graph, place_of
from docs_agent.retrieval.relations.values import Edge, Neighbour, Node
from docs_agent.templates.lookup import name_form

LINK_KIND: Final = "links_to"
"""Kind of a Markdown link in the text."""

Role = Literal["parent", "child", "related", "link_in", "link_out", "further"]
ROLES: Final[tuple[Role, ...]] = ("parent", "child", "related", "link_in", "link_out", "further")
"""What a document is to the start; the first that fits counts. `further`: more than a step away."""
End = Literal["code", "file", "external", "unresolved"]
ENDS: Final[tuple[End, ...]] = ("code", "file", "external", "unresolved")
"""What an edge leads to when it is no document. `file`: it exists in the project; `external`: a URL,
a table, a system; `unresolved`: it should exist and does not."""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """Documents and other things near a document."""

    start: Node
    depth: int
    """Edges from the start to the farthest document."""
    neighbours: tuple[Neighbour, ...]
    """Nearest first, then by path."""
    edges: tuple[Edge, ...]
    """Every edge stated by or leading to a document less than `depth` away, each once, by source
    and line."""


def surroundings(graph: Graph, start: Node, depth: int) -> Surroundings:
    """All that is at most `depth` edges away from `start`."""
    neighbours = graph.neighbours(start.path, depth)
    inner = (start.path, *(n.node.path for n in neighbours if n.distance < depth))
    edges = {edge for path in inner for edge in (*graph.outgoing(path), *graph.incoming(path))}
    return Surroundings(start, depth, neighbours, tuple(sorted(edges, key=place_of)))


def role_of(neighbour: Neighbour) -> Role:
    """What a neighbour is to the start."""
    if neighbour.distance > 1:
        return "further"
    roles = {_role(edge, neighbour.node.path) for edge in neighbour.edges}
    return next(role for role in ROLES if role in roles)


def end_of(edge: Edge) -> End | None:
    """What an edge leads to; None for a document."""
    if edge.target:
        return None
    if edge.target_kind == "external_object":
        return "external"
    if not edge.resolved:
        return "unresolved"
    return "code" if edge.target_kind == "code" else "file"


def _role(edge: Edge, path: str) -> Role:
    stated_there = edge.source == path
    if edge.kind == LINK_KIND:
        return "link_in" if stated_there else "link_out"
    form = name_form(edge.kind)
    if form in PARENT_KINDS:
        return "child" if stated_there else "parent"
    if form in CHILD_KINDS:
        return "parent" if stated_there else "child"
    return "related"
