"""What a question may call a document by: the names the router looks up."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

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
from docs_agent.indexers.endpoints import endpoint_key, endpoints
from docs_agent.indexers.layers.context import DocumentContext
from docs_agent.indexers.layers.values import texts_of
from docs_agent.templates.lookup import section_role

_MAX_NAME: Final = 200
_HEADING_WORDS: Final = range(2, 6)
"""Words of a heading that names something; a single one is a word like any other."""
_MAX_HEADINGS: Final = 30
"""Of one document; one with more is a list, whose headings are found by search."""
_MAX_TITLE_WORDS: Final = 6
"""Words with a subject of a title that one of them may stand for."""
_SOUNDING: Final = ("alias", "title", "document_id", "entity", "domain", "subdomain")
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
    names = [KnownName("endpoint", endpoint_key(e), e, path) for e in endpoints(context)]
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
