"""The integrations of a component, of an entity or of the whole, direction and kind respected."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from docs_agent.core.layers import D2, D3, D6
from docs_agent.core.rows import Row
from docs_agent.core.store.protocol import LexicalWeights, RowFilter
from docs_agent.core.text import name_key, stems, tokens
from docs_agent.retrieval.answers.cards import is_overview
from docs_agent.retrieval.answers.draft import Part
from docs_agent.retrieval.structured.directory import Directory
from docs_agent.retrieval.structured.inquiry import Findings, Inquiry
from docs_agent.retrieval.structured.integration_records import (
    EXTERNAL,
    IN,
    OUT,
    Integration,
    Named,
    all_integrations,
    line_of,
    of_subject,
)
from docs_agent.retrieval.structured.records import (
    EVERYTHING,
    answered,
    cards_of,
    evidence,
    listed,
    names,
    refused,
    said,
    text_of,
    texts_of,
    title_of,
)
from docs_agent.retrieval.structured.subject import is_common, subject_terms
from docs_agent.router.integration_terms import (
    WAY,
    asked_direction,
    asked_kinds,
    names_direction,
)

MAX_FACTS: Final = 100
MAX_NAMED: Final = 6
"""Documents with integrations that a refusal names."""
_ASKING: Final = """
inbound outbound incoming outgoing входящий исходящий send sends receive receives data данные
отправлять отправляет получать получает принимать принимает передавать передает куда откуда where
call calls вызывать вызывает read reads write writes читает пишет depend depends зависит
connect connected подключен взаимодействует взаимодействие interact interacts exchange обмен
"""
"""Words that ask for a direction or for integrations at all."""
_DEFINING: Final = ("domain_entity", "entity", "glossary_item")


def component_integrations(inquiry: Inquiry) -> Findings:
    """Those of the document or component that the question names; without one those of all."""
    cards = cards_of(inquiry.reader)
    anchors = inquiry.anchors
    hints = [p for p in anchors.target_doc_hints if p in cards and not _is_whole(cards[p])]
    if hints:
        return _answer(inquiry, _document_subject(hints[:1], cards), cards)
    terms = subject_terms(inquiry.route, _ASKING)
    if anchors.target_doc_hints:
        # The project under its own name is the whole of it.
        whole = {name_key(name) for name in anchors.matched_aliases}
        terms = tuple(term for term in terms if name_key(term) not in whole)
    called = (*anchors.entity_names, *((" ".join(terms),) if terms else ()))
    titled = _titled(inquiry, called, cards)
    if titled:
        return _answer(inquiry, _document_subject(titled[:1], cards), cards)
    if called and not (anchors.process_domain or anchors.process_subdomain):
        return _answer(inquiry, Named(frozenset(), called), cards)
    return _answer(inquiry, None, cards)


def _titled(inquiry: Inquiry, called: Sequence[str], cards: Mapping[str, Row]) -> list[str]:
    """Documents that go by what is asked about, or by one word of the question: words that say a
    kind of exchange ("storage") are no terms of the route, and may be a name all the same."""
    directory = Directory(inquiry.reader, cards)
    single = [t.text for t in tokens(inquiry.route.user_query)] if not called else []
    names = [*called, *(word for word in single if not is_common(word))]
    paths = [path for name in names if (path := directory.path(name))]
    return [path for path in paths if not _is_whole(cards[path])]


def entity_integrations(inquiry: Inquiry) -> Findings:
    """Those of the documents that define the entity, and those whose target it is."""
    cards = cards_of(inquiry.reader)
    called = inquiry.anchors.entity_names or inquiry.anchors.matched_aliases
    called = called or subject_terms(inquiry.route, _ASKING)
    if not called:
        return component_integrations(inquiry)
    keys = {name_key(name) for name in called}
    known = inquiry.reader.knowledge.names(keys)
    listing = {n.path for n in known if n.kind in ("entity", "alias", "title") and n.path in cards}
    where = RowFilter(layers=(D3,), paths=tuple(listing))
    rows = inquiry.reader.rows_of(where, EVERYTHING) if listing else ()
    spelled = {str(row.metadata.get("entity_name", "")) for row in rows}
    exact = tuple(sorted(name for name in spelled if name_key(name) in keys))
    defining = frozenset(p for p in listing if _defines(cards[p], keys))
    return _answer(inquiry, Named(defining, (*exact, *called)), cards)


def _answer(inquiry: Inquiry, subject: Named | None, cards: Mapping[str, Row]) -> Findings:
    words = inquiry.words
    directory = Directory(inquiry.reader, cards)
    relaxed: tuple[str, ...] = ()
    if subject is None:
        rows, relaxed = _of_whole(inquiry)
        found: Sequence[Integration] = [Integration(row) for row in rows]
    else:
        found = of_subject(all_integrations(inquiry.reader), subject, cards, directory)
    if not found:
        return _none(inquiry, subject, cards)
    text = _asked_text(inquiry, subject)
    chosen = _asked(text, found, cards, directory)
    label = _label(inquiry, subject, cards)
    count = words.counted("integrations", len(chosen))
    if not chosen:
        message = words.say(
            "not_such",
            subject=label or words.say("whole"),
            asked=_asked_words(inquiry, text),
            count=words.counted("integrations", len(found)),
        )
        return refused("no_such_integration", message, [item.row.path for item in found])
    if label:
        head = words.say("integrations_of", subject=label, count=count)
    else:
        head = words.say("integrations_all", count=count)
    lines = [line_of(item, cards, directory, words) for item in chosen[: inquiry.limit]]
    parts = [Part(head), *listed(inquiry, lines, len(chosen))]
    shown = [item.row for item in chosen[: inquiry.limit]]
    return answered(evidence(inquiry, shown, cards, relaxed), parts, "records_found")


def _of_whole(inquiry: Inquiry) -> tuple[tuple[Row, ...], tuple[str, ...]]:
    """All integrations, those of the domain when the question names one that has any."""
    anchors = inquiry.anchors
    domain, subdomain = anchors.process_domain or "", anchors.process_subdomain or ""
    if domain or subdomain:
        where = RowFilter(layers=(D6,), domain=domain, subdomain=subdomain)
        rows = all_integrations(inquiry.reader, where)
        return rows, ()
    return all_integrations(inquiry.reader), ()


def _asked_text(inquiry: Inquiry, subject: Named | None) -> str:
    """The question without the words that name its subject: "storage" may be a kind and a name."""
    names = subject.names if subject is not None else ()
    naming = frozenset(stem for name in names for stem in stems(name))
    words = (token.text for token in tokens(inquiry.route.user_query))
    return " ".join(word for word in words if not naming.issuperset(stems(word)))


def _asked(
    text: str, found: Sequence[Integration], cards: Mapping[str, Row], directory: Directory
) -> list[Integration]:
    """Those of the direction and of the kinds that the question asks for."""
    way, named, kinds = asked_direction(text), names_direction(text), asked_kinds(text)
    chosen = [item for item in found if item.goes(way, named)]
    if not kinds:
        return chosen
    return [
        item
        for item in chosen
        if item.has_kind([kind for kind in kinds if kind != EXTERNAL])
        or (EXTERNAL in kinds and item.is_external(cards, directory))
    ]


def _asked_words(inquiry: Inquiry, text: str) -> str:
    way = {IN: "asked_in", OUT: "asked_out"}.get(asked_direction(text))
    told = [inquiry.words.say(way)] if way else []
    told += [
        kind.partition(WAY)[2] or inquiry.words.say(f"kind_{kind}") for kind in asked_kinds(text)
    ]
    return ", ".join(told)


def _none(inquiry: Inquiry, subject: Named | None, cards: Mapping[str, Row]) -> Findings:
    words = inquiry.words
    rows = all_integrations(inquiry.reader)
    if not rows:
        return refused("no_records", words.say("no_integrations"), sorted(_paths(subject)))
    paths = list(dict.fromkeys(row.path for row in rows))
    if subject is not None and subject.paths:
        path = min(subject.paths)
        title = words.quote(title_of(cards[path], path))
        return refused("no_integrations", words.say("document_lists_none", title=title), [path])
    described = _described(inquiry, subject.names[0]) if subject is not None else []
    if described:
        # A component without a page of its own, in a table of components.
        told = "; ".join(
            f"{said(row.metadata.get('predicate', ''))}: {said(row.metadata.get('object', ''))}"
            for row in described
        )
        place = f"{described[0].path}:{described[0].span_start}"
        message = words.say("component_lists_none", place=place, facts=told)
        return refused("no_integrations", message, [described[0].path])
    label = _label(inquiry, subject, cards) or words.say("whole")
    titles = [title_of(cards.get(path), path) for path in paths]
    more = words.say("and_more", count=len(titles) - MAX_NAMED)
    message = words.say("no_integrations_of", subject=label)
    message += "\n" + words.say("integrated", names=names(titles, MAX_NAMED, more))
    return refused("subject_unknown", message)


def _described(inquiry: Inquiry, name: str) -> list[Row]:
    """What a document states of a component in a table, its first row that does."""
    hits = inquiry.reader.lexical(
        D2, stems(name), RowFilter(layers=(D2,)), LexicalWeights(), MAX_FACTS
    )
    rows = inquiry.reader.rows([hit.row_id for hit in hits])
    key = name_key(name)
    found = [row for row in rows if name_key(str(row.metadata.get("subject_id", ""))) == key]
    found.sort(key=lambda row: (row.path, row.span_start, row.row_id))
    return [r for r in found if (r.path, r.span_start) == (found[0].path, found[0].span_start)]


def _label(inquiry: Inquiry, subject: Named | None, cards: Mapping[str, Row]) -> str:
    if subject is None:
        anchors = inquiry.anchors
        named = anchors.process_subdomain or anchors.process_domain or ""
        return inquiry.words.quote(named) if named else ""
    if len(subject.paths) == 1:
        path = min(subject.paths)
        return title_of(cards[path], path)
    return said(subject.names[0]) if subject.paths else inquiry.words.quote(subject.names[0])


def _paths(subject: Named | None) -> frozenset[str]:
    return subject.paths if subject is not None else frozenset()


def _document_subject(paths: Sequence[str], cards: Mapping[str, Row]) -> Named:
    called = tuple(
        name for path in paths for name in (cards[path].title, *texts_of(cards[path], "aliases"))
    )
    return Named(frozenset(paths), called)


def _is_whole(card: Row) -> bool:
    return is_overview(card)


def _defines(card: Row, keys: set[str]) -> bool:
    own = {name_key(name) for name in (card.title, *texts_of(card, "aliases"))}
    entity = {name_key(name) for name in texts_of(card, "entities")}
    return (
        text_of(card, "type") in _DEFINING
        and bool(keys & (own | entity))
        and (bool(keys & own) or len(entity) == 1)
    )
