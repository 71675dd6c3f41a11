"""The surroundings of a document, as JSON and as lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from docs_agent.cli.lines import Line, columns, plain
from docs_agent.cli.render.references import edge_json, heading, more, node_json, place
from docs_agent.core.visible import readable
from docs_agent.retrieval.relations.around import (
    ENDS,
    ROLES,
    End,
    Role,
    Surroundings,
    end_of,
    role_of,
)
from docs_agent.retrieval.relations.values import Edge, Neighbour

_ROLE_NAMES: Final[dict[Role, str]] = {
    "parent": "Parents",
    "child": "Children",
    "related": "Related",
    "link_in": "Links in",
    "link_out": "Links out",
}
_END_NAMES: Final[dict[End, str]] = {
    "code": "Code",
    "file": "Files",
    "external": "External",
    "unresolved": "Unresolved",
}
_SHOWN: Final = 50
"""Documents or edges of a group."""
_SHOWN_EDGES: Final = 5
"""Edges of a document."""
_HOW: Final = "--json lists them all"


def related_json(ref: str, around: Surroundings) -> dict[str, Any]:
    """Everything, without bounds."""
    return {
        "ref": ref,
        "found": True,
        "document": node_json(around.start),
        "depth": around.depth,
        "neighbours": [
            {
                **node_json(n.node),
                "distance": n.distance,
                "role": role_of(n),
                "direction": n.direction,
                "kinds": list(n.kinds),
                "edges": [edge_json(edge) for edge in n.edges],
            }
            for n in around.neighbours
        ],
        "edges": [edge_json(edge) for edge in around.edges],
    }


def related_lines(around: Surroundings) -> list[Line]:
    """Documents by what they are to the start, then by distance; then all that is no document."""
    start = around.start
    lines: list[Line] = [((readable(start.title), "bold"),), plain(start.path)]
    for role in ROLES[:-1]:
        group = [n for n in around.neighbours if role_of(n) == role]
        lines.extend(_documents(_ROLE_NAMES[role], group))
    for distance in range(2, around.depth + 1):
        group = [n for n in around.neighbours if n.distance == distance]
        lines.extend(_documents(f"{distance} steps away", group))
    for end in ENDS:
        lines.extend(_ends(end, [edge for edge in around.edges if end_of(edge) == end]))
    if len(lines) == 2:
        lines.append(plain("No relation leads from or to this document."))
    return lines


def _documents(name: str, group: Sequence[Neighbour]) -> Iterator[Line]:
    if not group:
        return
    yield from heading(f"{name} ({len(group)})")
    for neighbour in group[:_SHOWN]:
        yield ((f"  {neighbour.node.path}", "cyan"), (f"  {_one_line(neighbour.node.title)}", ""))
        rows = [_edge_row(edge, neighbour) for edge in neighbour.edges[:_SHOWN_EDGES]]
        yield from (((text, "dim"),) for text in columns(rows, indent="    "))
        if len(neighbour.edges) > _SHOWN_EDGES:
            yield more(len(neighbour.edges) - _SHOWN_EDGES, _HOW, "    ")
    if len(group) > _SHOWN:
        yield more(len(group) - _SHOWN, _HOW)


def _edge_row(edge: Edge, neighbour: Neighbour) -> tuple[str, ...]:
    """`→` leads away from the start, `←` towards it."""
    arrow = "←" if edge.source == neighbour.node.path else "→"
    row = (f"{arrow} {edge.kind}", place(edge.start_line, edge.end_line, edge.source))
    # Further away it matters which of the nearer documents is meant.
    if neighbour.distance > 1 and arrow == "←":
        return (*row, edge.target)
    return row


def _ends(end: End, edges: Sequence[Edge]) -> Iterator[Line]:
    if not edges:
        return
    yield from heading(f"{_END_NAMES[end]} ({len(edges)})")
    rows = [(e.written, e.kind, place(e.start_line, e.end_line, e.source)) for e in edges[:_SHOWN]]
    style = "red" if end == "unresolved" else ""
    yield from (((text, style),) for text in columns(rows, indent="  "))
    if len(edges) > _SHOWN:
        yield more(len(edges) - _SHOWN, _HOW)


def _one_line(text: str) -> str:
    return " ".join(readable(text).split())
