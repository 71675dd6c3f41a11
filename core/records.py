"""What indexing takes from a file: records, names and warnings. All frozen, all printable."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

Metadata = Mapping[str, Any]
"""JSON-able attributes of a record: str, int, float, bool, None, list, dict with str keys."""

StemRow = tuple[str, str, str, str]
"""Stems of title, section, path and body, each joined by spaces."""

NameKind = Literal[
    "endpoint",
    "alias",
    "title",
    "document_id",
    "entity",
    "domain",
    "subdomain",
    "topic",
    "heading",
    "title_word",
    "sound",
]


class LexicalText(NamedTuple):
    """The four texts that BM25 weighs apart. Raw words; the store stems them."""

    title: str = ""
    """Title of the document (D1) or of the record."""
    section: str = ""
    """Section path, headings joined by ` › `."""
    path: str = ""
    """File path relative to the root, with `/`."""
    body: str = ""
    """Everything else that the record should be found by. A D1 record puts the whole page here."""


@dataclass(frozen=True, slots=True)
class Record:
    """One row of one layer, before it is stored. Common columns path, repo_id and commit_sha are
    the store's."""

    record_id: str
    """Stable id: the same file content at the same path gives the same id on every machine."""
    layer: str
    """One of `core.layers`."""
    title: str
    """Short heading of the record, plain text."""
    content: str
    """Text handed on as evidence; Markdown of the original lines for D0, the summary for D1."""
    span_start: int
    """First line in the original file, 1-based, frontmatter and BOM counted."""
    span_end: int
    """Last line in the original file, inclusive, never less than span_start."""
    lang: str = ""
    """`ru`, `en`, or empty when the text has no letters of either."""
    metadata: Metadata = field(default_factory=dict)
    """The layer's own attributes, as the RAG seed lists them."""
    lexical: LexicalText = field(default_factory=LexicalText)
    """What full-text search sees."""
    embed_text: str = ""
    """Plain text for the embedder; empty = the record gets no vector."""
    stems: StemRow | None = None
    """Stems of `lexical` when they are worked out already; `lexical` does not count then."""


class KnownName(NamedTuple):
    """Something a question may call a document by; the router looks these up instead of knowing
    names."""

    kind: NameKind
    key: str
    """`core.text.name_key(value)`; for endpoints the bare path, lower case (`/items/{id}`); for a
    topic `topic_key` of what the document is the page on, for a title_word `title_word_key` of its
    stem, for a sound `sound_key` of one of `core.text.sound_keys(value)`."""
    value: str
    """The name as written. Endpoints keep their method when they have one: `GET /health`. For a
    topic or title_word the title of the document; for a sound the name that sounds so."""
    path: str
    """The document it belongs to; for domain and subdomain any one document that carries it."""


def topic_key(topic: str) -> str:
    """The key of a topic (`architecture`): one that no name of the project can have."""
    return f":{topic}"


def title_word_key(stem: str) -> str:
    """The key of a word of a title: no name of the project is looked up under it by accident."""
    return f"+{stem}"


def sound_key(sound: str) -> str:
    """The key of a name by its sound."""
    return f"~{sound}"


class IndexWarning(NamedTuple):
    """A fault in a document that did not stop it from being indexed, or a file left out."""

    path: str
    """File, relative to the root."""
    line: int
    """1-based; 0 when it concerns the whole file."""
    code: str
    """Stable, kebab-case: `frontmatter-mangled`, `encoding-guessed`, …"""
    message: str
    """What is wrong and what to do, one sentence each."""


class FileRecords(NamedTuple):
    """All that one file gives."""

    path: str
    """Relative to the root, with `/`."""
    content_hash: str
    """Hex SHA-256 of the file's bytes."""
    records: tuple[Record, ...]
    names: tuple[KnownName, ...] = ()
    warnings: tuple[IndexWarning, ...] = ()
