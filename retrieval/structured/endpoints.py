"""The endpoints that the documentation describes, each once, with the document that owns it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from docs_agent.core.layers import D2
from docs_agent.core.records import KnownName
from docs_agent.core.rows import Row
from docs_agent.core.store.protocol import Reader, RowFilter
from docs_agent.retrieval.answers.definitions import definition_of
from docs_agent.retrieval.answers.draft import Place
from docs_agent.retrieval.structured.records import (
    EVERYTHING,
    place_of,
    text_of,
    title_of,
    value_of,
)
from docs_agent.templates.endpoint_forms import METHODS


class Endpoint(NamedTuple):
    """One method of one path."""

    method: str
    """Upper case; empty when no document says it."""
    path: str
    """As written."""
    key: str
    """The path in the form of `KnownName.key`."""
    document: str
    """Path of the document that owns it."""

    @property
    def written(self) -> str:
        return f"{self.method} {self.path}".strip()


def endpoints_of(known: Sequence[KnownName], cards: Mapping[str, Row]) -> tuple[Endpoint, ...]:
    """Every endpoint of the documents `cards` once, by path, then method.

    Of several documents the one whose frontmatter states the endpoint owns it, then one of the
    type of API documents, then one with a heading of its own for it, then the first by path.
    A path without a method says nothing more where
    the same path is described with one.
    """
    found: dict[tuple[str, str], tuple[int, Endpoint]] = {}
    for name in known:
        card = cards.get(name.path)
        if card is None:
            continue
        endpoint = _endpoint(name, card)
        rank = _rank(card, endpoint.written)
        key = (endpoint.key, endpoint.method)
        if key not in found or rank < found[key][0]:
            found[key] = (rank, endpoint)
    with_method = {key for key, method in found if method}
    kept = (e for _, e in found.values() if e.method or e.key not in with_method)
    return tuple(sorted(kept, key=lambda e: (e.key, e.method)))


def documents_of(
    known: Sequence[KnownName], cards: Mapping[str, Row], keys: Collection[str]
) -> tuple[str, ...]:
    """All documents that describe an endpoint among `keys`, the owner first."""
    ranks: dict[str, int] = {}
    for name in known:
        if name.key in keys and name.path in cards:
            rank = _rank(cards[name.path], name.value)
            ranks[name.path] = min(rank, ranks.get(name.path, rank))
    return tuple(sorted(ranks, key=lambda path: (ranks[path], path)))


def places_of(
    reader: Reader, endpoints: Sequence[Endpoint], cards: Mapping[str, Row]
) -> dict[Endpoint, tuple[Row, Place]]:
    """Where each endpoint is stated: the line of the frontmatter, else that of the heading, row or
    item that defines it, else that of the contract, else the summary of its document."""
    paths = tuple({e.document for e in endpoints})
    if not paths:
        return {}
    stated = _by_path(reader.rows_of(RowFilter(layers=(D2,), paths=paths), EVERYTHING))
    places: dict[Endpoint, tuple[Row, Place]] = {}
    for endpoint in endpoints:
        card = cards[endpoint.document]
        title = title_of(card, endpoint.document)
        facts = [row for row in stated.get(endpoint.document, ()) if _says(row, endpoint)]
        fact = min(facts, key=lambda row: (not _is_frontmatter(row), row.span_start), default=None)
        own = definition_of(card, endpoint.written)
        if own is not None and not (fact and _is_frontmatter(fact)):
            places[endpoint] = (card, Place(card.path, own.start, own.start, title, ""))
        else:
            places[endpoint] = (fact or card, place_of(fact or card, title))
    return places


def _endpoint(name: KnownName, card: Row) -> Endpoint:
    method, space, path = name.value.partition(" ")
    if not space:
        stated = str(card.metadata.get("method") or card.metadata.get("http_method") or "").upper()
        method, path = (stated if stated in METHODS else ""), name.value
    return Endpoint(method, path, name.key, name.path)


def _rank(card: Row, endpoint: str) -> int:
    if value_of(card, "endpoint"):
        return 0
    if text_of(card, "type") == "api_method":
        return 1
    own = definition_of(card, endpoint)
    return 2 if own is not None and own.form == "heading" else 3


def _by_path(rows: Sequence[Row]) -> dict[str, list[Row]]:
    found: dict[str, list[Row]] = {}
    for row in rows:
        found.setdefault(row.path, []).append(row)
    return found


def _says(row: Row, endpoint: Endpoint) -> bool:
    words = str(row.metadata.get("object", "")).replace("`", " ").split()
    if endpoint.path not in words:
        return False
    other = [word for word in words if word in METHODS]
    return not other or endpoint.method in other


def _is_frontmatter(row: Row) -> bool:
    return str(row.metadata.get("anchor", "")).startswith("frontmatter.")
