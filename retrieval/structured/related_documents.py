"""What a document is related to: parent, children, what it links to and what links to it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from docs_agent.core.layers import D1
from docs_agent.core.rows import Row
from docs_agent.core.store.protocol import RowFilter
from docs_agent.core.text import stems
from docs_agent.retrieval.answers.draft import Part, Place
from docs_agent.retrieval.relations import Edge, Graph, Node, graph_of
from docs_agent.retrieval.structured.inquiry import Findings, Inquiry
from docs_agent.retrieval.structured.records import (
    Line,
    answered,
    cards_of,
    evidence,
    left_out,
    refused,
    said,
    text_of,
    title_of,
)

Groups = Mapping[str, Mapping[str, list[Edge]]]
"""Related documents and the edges between, by group."""
GROUPS: Final = ("parent", "children", "outgoing", "incoming")
"""In the order of the answer; a document stands in the first group that it belongs to."""
_ASKED: Final = (
    ("parent", "parent parents родитель родительский выше above"),
    ("children", "child children дочерний потомок ниже подчиненный"),
    ("incoming", "incoming backlinks входящий"),
    ("outgoing", "outgoing исходящий"),
)
"""Words by which a question asks for one group."""
_PHRASES: Final = (
    ("incoming", ("links to", "link to", "refers to", "refer to", "ссылается на", "ссылаются на")),
)


def related_documents(inquiry: Inquiry) -> Findings:
    """Lines `title, path (kinds)` under their group, each with the line of the relation."""
    hints = inquiry.anchors.target_doc_hints
    cards = cards_of(inquiry.reader, hints[:1])
    if not cards:
        return _not_named(inquiry)
    path = hints[0]
    graph = graph_of(inquiry.reader)
    visible = _visible(graph, path, inquiry)
    groups = _groups(graph, path, visible)
    total = sum(map(len, groups.values()))
    words = inquiry.words
    title = title_of(cards[path], path)
    if not total:
        return refused("no_relations", words.say("no_relations", title=words.quote(title)), [path])
    asked = _asked_group(inquiry.route.user_query)
    if asked:
        groups = {asked: groups[asked]} if asked in GROUPS[:2] else _one_way(groups, asked, path)
    count = sum(map(len, groups.values()))
    if not count:
        message = words.say(
            "no_relations_kind",
            title=words.quote(title),
            kind=words.say(f"none_{asked}"),
            count=words.counted("relations", total),
        )
        return refused("no_such_relation", message, [path])
    told = words.counted("documents", count)
    parts = [Part(words.say("related", title=title, path=path, count=told))]
    shown: list[str] = []
    for name, members in groups.items():
        chosen = list(members.items())[: inquiry.limit - len(shown)]
        if chosen:
            parts.append(Part(f"{words.say(name)}:", opens=True))
            lines = [_line(visible[other], edges, graph) for other, edges in chosen]
            parts.extend(Part(f"- {line.text}", line.place) for line in lines)
            shown.extend(other for other, _ in chosen)
    if count > len(shown):
        parts.append(Part(left_out(inquiry, count - len(shown), count), opens=True))
    others = cards_of(inquiry.reader, [path, *shown])
    rows = [others[p] for p in (path, *shown) if p in others]
    return answered(evidence(inquiry, rows, others), parts, "target_doc_found")


def _one_way(groups: Groups, asked: str, path: str) -> Groups:
    """Whatever links the way that is asked for, parents and children too."""
    outgoing = asked == "outgoing"
    every = [pair for members in groups.values() for pair in members.items()]
    linked = {
        other: kept
        for other, edges in every
        if (kept := [e for e in edges if (e.source == path) is outgoing])
    }
    return {asked: linked}


def _groups(graph: Graph, path: str, visible: Mapping[str, Node]) -> Groups:
    """The related documents by group, each once with all edges between the two."""
    ends = [(e.target, e) for e in graph.outgoing(path)]
    ends += [(e.source, e) for e in graph.incoming(path)]
    edges: dict[str, list[Edge]] = {}
    for other, edge in ends:
        if other in visible:
            edges.setdefault(other, []).append(edge)
    parents = {node.path for node in graph.parents(path)}
    children = {node.path for node in graph.children(path)}
    members: dict[str, dict[str, list[Edge]]] = {name: {} for name in GROUPS}
    for other, own in edges.items():
        if other in parents:
            group = "parent"
        elif other in children:
            group = "children"
        else:
            group = "outgoing" if any(e.source == path for e in own) else "incoming"
        members[group][other] = own
    return members


def _visible(graph: Graph, path: str, inquiry: Inquiry) -> Mapping[str, Node]:
    """The neighbours that the reader shows: those outside of the asked folders do not exist."""
    paths = [n.node.path for n in graph.neighbours(path)]
    kept = {row.path for row in inquiry.reader.rows_of(RowFilter(layers=(D1,), paths=tuple(paths)))}
    return {p: node for p, node in graph.nodes(paths).items() if p in kept} if paths else {}


def _line(node: Node, edges: list[Edge], graph: Graph) -> Line:
    kinds = ", ".join(dict.fromkeys(said(edge.kind) for edge in edges))
    first = edges[0]
    source = graph.node(first.source)
    title = said(source.title if source is not None else first.source)
    place = Place(first.source, first.start_line, first.end_line, title, "")
    return Line(f"{said(node.title) or node.path}, {node.path} ({kinds})", place)


def _asked_group(question: str) -> str:
    """The one group that the question asks for, else empty."""
    text = " ".join(question.lower().split())
    for group, phrases in _PHRASES:
        if any(phrase in text for phrase in phrases):
            return group
    own = frozenset(stems(question))
    found = [group for group, known in _words() if not own.isdisjoint(known)]
    return found[0] if len(found) == 1 else ""


@lru_cache(maxsize=1)
def _words() -> tuple[tuple[str, frozenset[str]], ...]:
    return tuple((group, frozenset(stems(words))) for group, words in _ASKED)


def _not_named(inquiry: Inquiry) -> Findings:
    first: list[Row] = list(inquiry.reader.rows_of(RowFilter(layers=(D1,)), 1))
    example = said(text_of(first[0], "id") or first[0].path) if first else "…"
    message = inquiry.words.say("no_document_named", example=example)
    return refused("document_not_named", message)
