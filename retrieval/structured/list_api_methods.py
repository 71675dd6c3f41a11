"""Which API methods there are, all of them or those of a subject."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from docs_agent.core.layers import D1
from docs_agent.core.rows import Row
from docs_agent.core.store.protocol import LexicalWeights, RowFilter
from docs_agent.core.text import name_key, stems
from docs_agent.retrieval.answers.cards import is_overview
from docs_agent.retrieval.answers.definitions import definition_of
from docs_agent.retrieval.answers.draft import Part
from docs_agent.retrieval.structured.endpoints import Endpoint, endpoints_of, places_of
from docs_agent.retrieval.structured.inquiry import Findings, Inquiry
from docs_agent.retrieval.structured.nearest import by_likeness
from docs_agent.retrieval.structured.records import (
    NEAREST,
    Line,
    answered,
    cards_of,
    evidence,
    listed,
    refused,
    said,
    text_of,
    texts_of,
    title_of,
)
from docs_agent.retrieval.structured.subject import compound_share, share, subject_terms
from docs_agent.retrieval.structured.wording import Wording

_ENTITY_TYPES = frozenset(("domain_entity", "entity", "domain"))
_ENOUGH = 0.5
"""Share of the subject's words that an endpoint must meet."""


def list_api_methods(inquiry: Inquiry) -> Findings:
    """One line an endpoint: method, path, title, file; a count in front."""
    cards = cards_of(inquiry.reader)
    known = inquiry.reader.knowledge.endpoints()
    everything = endpoints_of(known, cards)
    words = inquiry.words
    if not everything:
        return refused("no_records", words.say("no_methods"))
    subject, chosen = _narrowed(inquiry, everything, cards)
    if not chosen:
        nearest = _nearest(inquiry, subject, everything)
        message = words.say("no_methods_for", subject=words.quote(", ".join(subject)))
        written = ", ".join(f"{said(e.written)} ({e.document})" for e in nearest)
        message = f"{message}\n{words.say('nearest', names=written)}"
        return refused("subject_unknown", message, [e.document for e in nearest])
    shown = chosen[: inquiry.limit]
    places = places_of(inquiry.reader, shown, cards)
    count = words.counted("methods", len(chosen))
    head = (
        words.say("methods_for", count=count, subject=words.quote(", ".join(subject)))
        if subject
        else words.say("methods", count=count)
    )
    lines = [Line(_text(e, cards, words), places[e][1]) for e in shown]
    parts = [Part(head), *listed(inquiry, lines, len(chosen))]
    found = evidence(inquiry, [places[e][0] for e in shown], cards)
    return answered(found, parts, "records_found")


def _nearest(
    inquiry: Inquiry, subject: Sequence[str], everything: Sequence[Endpoint]
) -> list[Endpoint]:
    """The endpoints whose documents speak of the subject, then those that are spelt like it."""
    where = RowFilter(layers=(D1,), paths=tuple({e.document for e in everything}))
    wanted = stems(" ".join(subject))
    hits = inquiry.reader.lexical(D1, wanted, where, LexicalWeights(), NEAREST) if wanted else []
    speaking = [e for hit in hits for e in everything if e.document == hit.path]
    alike = by_likeness(" ".join(subject), everything, lambda e: e.key)
    return list(dict.fromkeys((*speaking, *alike)))[:NEAREST]


def _text(endpoint: Endpoint, cards: Mapping[str, Row], words: Wording) -> str:
    card = cards[endpoint.document]
    own = definition_of(card, endpoint.written)
    mark = f" ({words.say('deprecated')})" if own is not None and own.deprecated else ""
    title = title_of(card, endpoint.document)
    return f"{said(endpoint.written)}{mark}: {title}, {endpoint.document}"


def _narrowed(
    inquiry: Inquiry, everything: Sequence[Endpoint], cards: Mapping[str, Row]
) -> tuple[tuple[str, ...], list[Endpoint]]:
    """What the list is narrowed to, in the words of the question, and what is left of it."""
    anchors = inquiry.anchors
    named = anchors.endpoint_paths
    if named:
        return named, [e for e in everything if any(_below(e.key, path) for path in named)]
    domain = anchors.process_subdomain or anchors.process_domain
    if domain:
        key = "subdomain" if anchors.process_subdomain else "domain"
        own = [
            e for e in everything if name_key(text_of(cards[e.document], key)) == name_key(domain)
        ]
        if own:
            return (domain,), own
    hints = [path for path in anchors.target_doc_hints if path in cards]
    if hints and all(is_overview(cards[path]) for path in hints):
        # The project by its own name is the whole of it.
        return (), list(everything)
    own = [e for e in everything if e.document in hints]
    terms = subject_terms(inquiry.route)
    matching = _matching(terms, everything, cards)
    if own:
        # A word of the question may be a name of one document and the subject of several.
        met = [e for e in everything if e in own or e in matching]
        return anchors.matched_aliases[:1] or terms, met if set(own) & set(matching) else own
    if not terms:
        return ((domain,), []) if domain else ((), list(everything))
    return terms, matching


def _matching(
    terms: Sequence[str], everything: Sequence[Endpoint], cards: Mapping[str, Row]
) -> list[Endpoint]:
    """The endpoints that meet most of the terms: by the names of the method, then by those of its
    entities, then by its summary; whole words decide before beginnings of words."""
    if not terms:
        return []
    entities = _entity_names(cards)
    for said_by in (_names, partial(_entities, known=entities), _summary):
        found = [frozenset(stems(" ".join(said_by(e, cards[e.document])))) for e in everything]
        for measure in (share, compound_share):
            shares = [measure(terms, own) for own in found]
            best = max(shares)
            if best >= _ENOUGH:
                return [e for e, value in zip(everything, shares, strict=True) if value == best]
    return []


def _names(endpoint: Endpoint, card: Row) -> list[str]:
    own = definition_of(card, endpoint.written)
    heading = own.heading if own is not None else ""
    texts = [
        endpoint.path,
        heading,
        card.title,
        text_of(card, "domain"),
        text_of(card, "subdomain"),
    ]
    return [*texts, *texts_of(card, "tags"), *texts_of(card, "aliases")]


def _entities(endpoint: Endpoint, card: Row, known: Mapping[str, list[str]]) -> list[str]:
    names = texts_of(card, "entities")
    return [*names, *(text for name in names for text in known.get(name_key(name), ()))]


def _summary(endpoint: Endpoint, card: Row) -> list[str]:
    return [card.content]


def _entity_names(cards: Mapping[str, Row]) -> dict[str, list[str]]:
    """What an entity is called in the documents of it alone, by the key of its name."""
    found: dict[str, list[str]] = {}
    for card in cards.values():
        own = texts_of(card, "entities")
        if len(own) == 1 and text_of(card, "type") in _ENTITY_TYPES:
            names = [card.title, *texts_of(card, "aliases"), text_of(card, "domain")]
            found.setdefault(name_key(own[0]), []).extend(names)
    return found


def _below(key: str, path: str) -> bool:
    bare = path.lower().rstrip("/")
    return key == (bare or "/") or key.startswith(f"{bare}/")
