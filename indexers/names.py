"""What a question may call a document by: the names the router looks up."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from docs_agent.core.layers import D3
from docs_agent.core.records import (
    KnownName,
    NameKind,
    Record,
    sound_key,
    title_word_key,
    topic_key,
)
from docs_agent.core.text import name_key, sound_keys, stems, stop_stems
from docs_agent.indexers.document import Section
from docs_agent.indexers.layers.context import DocumentContext
from docs_agent.indexers.layers.inline import key_and_value, plain
from docs_agent.indexers.layers.values import text_of, texts_of
from docs_agent.templates.lookup import contract_field, section_role

_ENDPOINT = re.compile(
    r"(?:\b(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS|TRACE)\s+)?(/[^\s`\"'<>|,;)]*)", re.IGNORECASE
)
_HEADING = re.compile(r"(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS|TRACE) /")
"""A heading that is an endpoint documents it, whatever the page."""
_MAX_NAME: Final = 200
_HEADING_WORDS: Final = range(2, 6)
"""Words of a heading that names something; a single one is a word like any other."""
_MAX_HEADINGS: Final = 30
"""Of one document; one with more is a list, whose headings are found by search."""
_MAX_TITLE_WORDS: Final = 6
"""Words with a subject of a title that one of them may stand for."""
_SOUNDING: Final = ("alias", "title", "document_id", "entity", "domain", "subdomain")
_STATED: Final = frozenset({"summary", "contract"})
_NAMED_ORIGINS: Final = ("frontmatter", "heading")
_TOPICS: Final = (
    ("architecture", ("architecture_overview", "architecture"), ("архитектура", "architecture")),
    ("integration", ("integration", "integrations"), ("интеграции", "integration")),
)
"""What a document may be the page on: the topic, its document types, and the words of which one
stands in the title of such a page when nothing states its type."""
_ENTITY_TYPES: Final = ("domain_entity", "entity")
"""Types of the page of one entity; the folder says so when nothing states the type."""


def known_names(context: DocumentContext, records: tuple[Record, ...]) -> tuple[KnownName, ...]:
    """Names of one document, each once; `records` are what the extractors took from it."""
    path = context.doc.path
    names = [KnownName("endpoint", endpoint_key(e), e, path) for e in _endpoints(context)]
    named: list[tuple[NameKind, str]] = [("title", context.doc.title)]
    named += [("alias", alias) for alias in texts_of(context.value("aliases"))]
    if context.document_id != path:
        named.append(("document_id", context.document_id))
    named += [
        ("entity", str(r.metadata["entity_name"]))
        for r in records
        if r.layer == D3 and r.metadata["origin"] in _NAMED_ORIGINS
    ]
    named += [("domain", context.domain), ("subdomain", context.subdomain)]
    named += [("heading", heading) for heading in _headings(context)]
    named = [(kind, value) for kind, value in named if value and len(value) <= _MAX_NAME]
    names += [KnownName(kind, name_key(value), value, path) for kind, value in named]
    names += [derived for name in names for derived in derived_names(name)]
    names += [
        KnownName("topic", topic_key(t), context.doc.title or path, path) for t in _topics(context)
    ]
    return tuple(dict.fromkeys(n for n in names if n.key))


def _headings(context: DocumentContext) -> tuple[str, ...]:
    """Headings of level 2 that name something: a few words, none of the document model."""
    found = [
        section.title
        for section in context.doc.sections
        if section.level == 2
        and "/" not in section.title
        and len(section.title.split()) in _HEADING_WORDS
        and not section_role(section.title)
    ]
    return tuple(found) if len(found) <= _MAX_HEADINGS else ()


def derived_names(name: KnownName) -> Iterator[KnownName]:
    """Further keys of one name: by its sound, and of a title by each word that has a subject."""
    if name.kind in _SOUNDING:
        for sound in sound_keys(name.value):
            yield KnownName("sound", sound_key(sound), name.value, name.path)
    if name.kind == "title":
        words = [stem for stem in dict.fromkeys(stems(name.value)) if stem not in stop_stems()]
        for stem in words if len(words) <= _MAX_TITLE_WORDS else ():
            yield KnownName("title_word", title_word_key(stem), name.value, name.path)


def _topics(context: DocumentContext) -> Iterator[str]:
    """Topics of which this document is the page: by its type, else by folder or name and title."""
    title = name_key(context.doc.title).split()
    for topic, types, words in _TOPICS:
        if context.doc_type:
            if context.doc_type.lower().replace("-", "_") in types:
                yield topic
        elif context.doc_kind == topic and any(name_key(word) in title for word in words):
            yield topic
    said = context.doc_type.lower().replace("-", "_") if context.doc_type else context.doc_kind
    if said in _ENTITY_TYPES:
        yield "entity"


def endpoint_key(endpoint: str) -> str:
    """Bare path in lower case: no method, query or trailing slash. `GET /Items/?q=1` → `/items`."""
    match = _ENDPOINT.search(endpoint)
    if match is None:
        return ""
    path = match.group(2).partition("?")[0].partition("#")[0].rstrip(".").lower()
    return path.rstrip("/") or "/"


def _endpoints(context: DocumentContext) -> Iterator[str]:
    yield from _written(context.value("endpoint"))
    for section in context.doc.sections:
        if _HEADING.match(section.title):
            yield from _spelled(section.title)
    is_api = context.doc_type == "api_method"
    if not is_api and (context.doc_type or context.doc_kind != "api"):
        return
    for index, section in enumerate(context.doc.sections):
        if context.lineage[index] & _STATED:
            yield from _stated(section)


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
    for method, path in _ENDPOINT.findall(text[:2000]):
        yield f"{method.upper()} {path}" if method else path
