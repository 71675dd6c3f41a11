"""The concrete things a question names, put together (seed 003, `anchors.py`)."""

from __future__ import annotations

from docs_agent.core.knowledge import Knowledge
from docs_agent.core.routes import RouteAnchors
from docs_agent.router.endpoints import Endpoints
from docs_agent.router.file_names import documents_of, find_file_names
from docs_agent.router.names import Names
from docs_agent.router.question import Question

MAX_HINTS = 5
"""Documents; a question that names more is about none of them in particular."""


def build_anchors(
    question: Question, endpoints: Endpoints, names: Names, knowledge: Knowledge
) -> RouteAnchors:
    """Anchors of a question. Hints: files named, then documents of endpoints, then of names."""
    file_names = find_file_names(question, endpoints.paths)
    hints = (
        *documents_of(file_names, knowledge),
        *(name.path for name in endpoints.known),
        *(name.path for name in names.documents),
        *(name.path for name in names.pages),
    )
    return RouteAnchors(
        entity_names=names.entities,
        file_names=file_names,
        endpoint_paths=endpoints.paths,
        target_doc_hints=tuple(dict.fromkeys(hints))[:MAX_HINTS],
        matched_aliases=tuple(dict.fromkeys(name.value for name in names.documents)),
        process_domain=names.domain,
        process_subdomain=names.subdomain,
    )
