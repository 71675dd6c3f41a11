"""Documents as a graph: what leads where, and which document a person means."""

from docs_agent.retrieval.relations.graph import Graph, graph_of
from docs_agent.retrieval.relations.reference import resolve_reference
from docs_agent.retrieval.relations.values import (
    Candidate,
    Edge,
    Neighbour,
    Node,
    Resolved,
    Unresolved,
)

__all__ = [
    "Candidate",
    "Edge",
    "Graph",
    "Neighbour",
    "Node",
    "Resolved",
    "Unresolved",
    "graph_of",
    "resolve_reference",
]
