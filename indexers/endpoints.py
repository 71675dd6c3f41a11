"""The endpoints of a document: those its frontmatter or its contract states, and those it defines.

A heading defines an endpoint on any page but a history of changes. A table or a list does so where
the API is the page's own: not below the integrations, the steps or the errors of something else.
`templates.endpoint_forms` tells a definition from a mention.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final, Literal, NamedTuple

from docs_agent.indexers.document import Section
from docs_agent.indexers.layers.context import DocumentContext
from docs_agent.indexers.layers.inline import key_and_value, plain
from docs_agent.indexers.layers.values import text_of
from docs_agent.templates import endpoint_forms as forms
from docs_agent.templates.lookup import contract_field

_ENDPOINT = re.compile(
    r"(?:\b(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS|TRACE)\s+)?"
    r"(/(?:[^\s`\"'<>|,;]|<[\w:.-]{1,60}>)*)",
    re.IGNORECASE,
)
MAX_DEFINITIONS: Final = 500
"""Of one document."""
_MAX_ABOVE: Final = 200
_STATED: Final = frozenset({"summary", "contract"})
_FOREIGN_KINDS: Final = ("changelog", "integration")
"""Pages whose tables and lists speak of earlier states or of the API of somebody else."""
_FOREIGN_ROLES: Final = frozenset(
    [
        "history",
        "integrations",
        "scenario",
        "flows",
        "steps",
        "main_flow",
        "alternative_flow",
        "error_handling",
        "related_docs",
    ]
)


class Definition(NamedTuple):
    """One endpoint and the lines that define it."""

    endpoint: str
    """`GET /x`."""
    form: Literal["heading", "table", "list"]
    start: int
    """Line of the heading, the row or the item."""
    end: int
    """Last line of what is said of it: for a heading that of its last sub-section."""
    heading: str
    """The headings above it and its own, cut to what a list is narrowed by."""
    deprecated: bool = False
    """The heading, or the row or item, says so."""


def endpoint_key(endpoint: str) -> str:
    """Bare path in lower case: no method, query or trailing slash. `GET /Items/?q=1` → `/items`."""
    match = _ENDPOINT.search(endpoint)
    if match is None:
        return ""
    path = forms.trimmed_path(match.group(2)).partition("?")[0].partition("#")[0]
    return path.rstrip(".").lower().rstrip("/") or "/"


def endpoints(context: DocumentContext) -> Iterator[str]:
    """All of a document, some more than once: `GET /x`, or `/x` where no method is said."""
    yield from _written(context.value("endpoint"))
    for definition in definitions(context):
        yield definition.endpoint
    is_api = context.doc_type == "api_method"
    if not is_api and (context.doc_type or context.doc_kind != "api"):
        return
    for index, section in enumerate(context.doc.sections):
        if context.lineage[index] & _STATED:
            yield from _stated(section)


def definitions(context: DocumentContext) -> tuple[Definition, ...]:
    """Endpoints that headings, tables and lists define, in document order, each once a form."""
    found: dict[tuple[str, str], Definition] = {}
    for index, section in enumerate(context.doc.sections):
        if len(found) >= MAX_DEFINITIONS:
            break
        for definition in _of_section(context, index, section):
            found.setdefault((definition.endpoint, definition.form), definition)
    return tuple(found.values())[:MAX_DEFINITIONS]


def _of_section(context: DocumentContext, index: int, section: Section) -> Iterator[Definition]:
    if context.doc_kind == "changelog" or "history" in context.lineage[index]:
        return
    headed = forms.in_heading(section.title)
    above = context.section_path(section)[-_MAX_ABOVE:]
    if headed:
        inner = context.subtree(index)
        end = max(context.doc.sections[i].end for i in inner)
        old = forms.says_deprecated(section.title)
        for endpoint in headed:
            yield Definition(endpoint, "heading", section.start, end, above, old)
    foreign = context.doc_kind in _FOREIGN_KINDS or "integration" in context.doc_type
    if foreign or not _FOREIGN_ROLES.isdisjoint(context.lineage[index]):
        return
    announced = forms.announces_endpoints(section.path)
    for block in section.blocks:
        at = forms.columns(block.header) if block.kind == "table" else None
        for row in block.rows if at else ():
            for endpoint in forms.in_row(row.cells, at or (0, 0)):
                old = forms.says_deprecated(" ".join(row.cells))
                yield Definition(endpoint, "table", row.line, row.line, above, old)
        for item in block.items if announced and not headed else ():
            for endpoint in forms.in_item(item.text):
                old = forms.says_deprecated(item.text)
                yield Definition(endpoint, "list", item.line, item.end, above, old)


def _written(value: Any) -> Iterator[str]:
    """Frontmatter `endpoint`: a text, a list of texts or maps of method and path."""
    for item in value if isinstance(value, list | tuple) else (value,):
        if isinstance(item, dict):
            yield from _spelled(f"{text_of(item.get('method'))} {text_of(item.get('path'))}")
        else:
            yield from _spelled(text_of(item))


def _stated(section: Section) -> Iterator[str]:
    """Bullets `Endpoint: POST /x`, or `Method: POST` followed by `Path: /x`."""
    method = ""
    for item in (i for block in section.blocks for i in block.items):
        pair = key_and_value(item.text)
        field = contract_field(pair[0]) if pair else ""
        value = plain(pair[1]) if pair else ""
        if field == "method":
            method = value if value.isalpha() else ""
        elif field == "path":
            for endpoint in _spelled(value):
                yield endpoint if " " in endpoint else f"{method} {endpoint}".strip()
        elif field == "endpoint":
            yield from _spelled(value)


def _spelled(text: str) -> Iterator[str]:
    for method, written in _ENDPOINT.findall(text[:2000]):
        path = forms.trimmed_path(written)
        yield f"{method.upper()} {path}" if method else path
