"""The relation graph of a session, read as far as it is asked for.

Sources of edges: D5 records. A graph of ten thousand documents is never loaded to show one of
them: each step reads the edges of the documents it has reached, and nothing else.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final, Protocol

from docs_agent.core.layers import D1, D5
from docs_agent.core.rows import Row
from docs_agent.core.store.protocol import Reader, RowFilter
from docs_agent.retrieval.relations.values import Edge, Neighbour, Node
from docs_agent.templates.lookup import name_form

PARENT_KINDS: Final = frozenset({"parent", "parents", "part of", "child of"})
"""Kinds, in the form of `name_form`, whose target is a parent of the source."""
CHILD_KINDS: Final = frozenset({"children", "child", "parent of"})
"""Kinds whose target is a child of the source."""
_PATHS_AT_ONCE: Final = 500
_ALL: Final = 2**62
_TYPE_KEYS: Final = ("type", "doc_type")


class EdgeSource(Protocol):
    """Where a graph reads from."""

    def nodes(self, paths: Collection[str]) -> Mapping[str, Node]:
        """Documents by path; paths that are no documents are absent."""
        ...

    def stated(self, paths: Collection[str]) -> Iterable[Edge]:
        """Edges that these documents state, ordered by source and line."""
        ...

    def leading(self, paths: Collection[str]) -> Iterable[Edge]:
        """Edges that lead to these documents, ordered by source and line."""
        ...


def graph_of(reader: Reader) -> Graph:
    """The relation graph of a session; nothing is read until it is asked for.

    Usable as long as the reader is open.
    """
    return Graph(_IndexedEdges(reader))


class Graph:
    """Documents and their relations. What was read once is kept."""

    def __init__(self, source: EdgeSource) -> None:
        self._source = source
        self._nodes: dict[str, Node | None] = {}
        self._outgoing: dict[str, tuple[Edge, ...]] = {}
        self._incoming: dict[str, tuple[Edge, ...]] = {}

    def node(self, path: str) -> Node | None:
        """The document at a path, or None."""
        return self.nodes((path,)).get(path)

    def nodes(self, paths: Collection[str]) -> Mapping[str, Node]:
        """The documents at these paths, in their order; others are left out."""
        unread = [path for path in dict.fromkeys(paths) if path not in self._nodes]
        if unread:
            found = self._source.nodes(unread)
            self._nodes.update((path, found.get(path)) for path in unread)
        kept = ((path, self._nodes[path]) for path in dict.fromkeys(paths))
        return {path: node for path, node in kept if node is not None}

    def outgoing(self, path: str) -> tuple[Edge, ...]:
        """Edges the document states, by line, those that lead nowhere included."""
        self._read((path,))
        return self._outgoing[path]

    def incoming(self, path: str) -> tuple[Edge, ...]:
        """Edges that lead to the document, by source and line, its own links to itself included."""
        self._read((path,))
        return self._incoming[path]

    def parents(self, path: str) -> tuple[Node, ...]:
        """Documents named as parent by this one, then those that name it as their child."""
        return self._related(path, PARENT_KINDS, CHILD_KINDS)

    def children(self, path: str) -> tuple[Node, ...]:
        """Documents named as children by this one, then those that name it as their parent."""
        return self._related(path, CHILD_KINDS, PARENT_KINDS)

    def neighbours(self, path: str, depth: int = 1) -> tuple[Neighbour, ...]:
        """All documents at most `depth` edges away, nearest first, then by path; each once, the
        start never. Empty for an unknown path and for a depth below 1."""
        found: list[Neighbour] = []
        seen = {path}
        frontier: list[str] = [path]
        for distance in range(1, depth + 1):
            reached = self._step(frontier, seen)
            nodes = self.nodes(sorted(reached))
            seen |= reached.keys()
            found.extend(
                Neighbour(node, distance, tuple(sorted(reached[at], key=place_of)))
                for at, node in nodes.items()
            )
            frontier = list(nodes)
            if not frontier:
                break
        return tuple(found)

    def _step(self, frontier: Sequence[str], seen: Collection[str]) -> dict[str, set[Edge]]:
        """Documents one edge away from the frontier and not seen, with the edges to them."""
        self._read(frontier)
        reached: dict[str, set[Edge]] = {}
        for path in frontier:
            ends = [(edge.target, edge) for edge in self._outgoing[path] if edge.target]
            ends += [(edge.source, edge) for edge in self._incoming[path]]
            for other, edge in ends:
                if other not in seen:
                    reached.setdefault(other, set()).add(edge)
        return reached

    def _related(self, path: str, out: frozenset[str], back: frozenset[str]) -> tuple[Node, ...]:
        stated = [e.target for e in self.outgoing(path) if name_form(e.kind) in out and e.target]
        named = [e.source for e in self.incoming(path) if name_form(e.kind) in back]
        others = (other for other in dict.fromkeys((*stated, *named)) if other != path)
        return tuple(self.nodes(tuple(others)).values())

    def _read(self, paths: Collection[str]) -> None:
        unread = [path for path in dict.fromkeys(paths) if path not in self._outgoing]
        if not unread:
            return
        stated: dict[str, list[Edge]] = {path: [] for path in unread}
        leading: dict[str, list[Edge]] = {path: [] for path in unread}
        for edge in self._source.stated(unread):
            stated[edge.source].append(edge)
        for edge in self._source.leading(unread):
            leading[edge.target].append(edge)
        self._outgoing |= {path: tuple(edges) for path, edges in stated.items()}
        self._incoming |= {path: tuple(edges) for path, edges in leading.items()}


class _IndexedEdges:
    """Edges of an index, read in batches."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader

    def nodes(self, paths: Collection[str]) -> Mapping[str, Node]:
        return {row.path: node_of(row) for row in self._rows(D1, paths)}

    def stated(self, paths: Collection[str]) -> Iterable[Edge]:
        return map(edge_of, self._rows(D5, paths))

    def leading(self, paths: Collection[str]) -> Iterable[Edge]:
        return map(edge_of, self._reader.relations_to(tuple(paths)))

    def _rows(self, layer: str, paths: Collection[str]) -> Iterable[Row]:
        wanted = tuple(paths)
        for start in range(0, len(wanted), _PATHS_AT_ONCE):
            some = wanted[start : start + _PATHS_AT_ONCE]
            yield from self._reader.rows_of(RowFilter(layers=(layer,), paths=some), _ALL)


def node_of(row: Row) -> Node:
    """The document of a D1 row."""
    types = (_text(row, key) for key in _TYPE_KEYS)
    doc_type = next(filter(None, types), "")
    return Node(row.path, row.title, _text(row, "document_id"), doc_type)


def edge_of(row: Row) -> Edge:
    """The edge of a D5 row."""
    return Edge(
        source=row.path,
        kind=_text(row, "relation_type"),
        target=_text(row, "target_document"),
        written=_text(row, "target_id"),
        target_kind=_text(row, "target_kind"),
        target_path=_text(row, "target_path"),
        resolved=row.metadata.get("resolved") is True,
        start_line=row.span_start,
        end_line=row.span_end,
        anchor=_text(row, "anchor"),
        fragment=_text(row, "fragment"),
    )


def _text(row: Row, key: str) -> str:
    value = row.metadata.get(key)
    return value if isinstance(value, str) else ""


def place_of(edge: Edge) -> tuple[str, int, int, str, str]:
    """What edges are ordered by."""
    return edge.source, edge.start_line, edge.end_line, edge.kind, edge.written
