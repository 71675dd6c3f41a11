"""Where an entity is defined, and every document that lists, mentions or links to it."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Final

from docs_agent.core.layers import D0, D3
from docs_agent.core.rows import Row
from docs_agent.core.store.protocol import LexicalWeights, RowFilter
from docs_agent.core.text import name_key, stems, tokens
from docs_agent.retrieval.answers.draft import Part, Place
from docs_agent.retrieval.answers.passages import section_of
from docs_agent.retrieval.structured.inquiry import Findings, Inquiry
from docs_agent.retrieval.structured.nearest import by_likeness
from docs_agent.retrieval.structured.records import (
    EVERYTHING,
    Line,
    answered,
    cards_of,
    evidence,
    listed,
    names,
    place_of,
    refused,
    said,
    text_of,
    texts_of,
    title_of,
)
from docs_agent.retrieval.structured.subject import subject_terms

DEFINING_TYPES: Final = ("domain_entity", "entity", "glossary_item")
"""Types of documents that say what an entity is."""
USING_TYPES: Final = ("api_method", "ui_page")
"""Types of documents that are named after what they handle."""
MAX_MENTIONS: Final = 500
"""Sections that are looked through for a name."""
MAX_KNOWN: Final = 8
_NAMED: Final = ("frontmatter", "heading")


@dataclass(slots=True)
class _Use:
    """What one document has to do with the entity."""

    path: str
    defines: bool = False
    listing: Row | None = None
    mentions: list[tuple[Row, Place]] = field(default_factory=list)
    links: list[Row] = field(default_factory=list)

    @property
    def rows(self) -> list[Row]:
        listing = [self.listing] if self.listing is not None else []
        return [*listing, *(row for row, _ in self.mentions), *self.links]

    @property
    def order(self) -> tuple[int, int, str]:
        """Definitions first, then documents that list it, then by how often they speak of it."""
        return (0 if self.defines else 1 if self.listing else 2, -len(self.mentions), self.path)


def entity_lookup(inquiry: Inquiry) -> Findings:
    """One line a document with what it has to do with the entity; the definition in front."""
    cards = cards_of(inquiry.reader)
    called = _called(inquiry, cards)
    words = inquiry.words
    if not called:
        return _not_named(inquiry)
    uses = _uses(inquiry, called, cards)
    if not uses:
        message = words.say("no_entity", name=words.quote(called[0]))
        return _refused(inquiry, "subject_unknown", message)
    ordered = sorted(uses.values(), key=lambda use: use.order)
    shown = ordered[: inquiry.limit]
    lines = [_line(inquiry, use, cards) for use in shown]
    defined = sum(use.defines for use in shown)
    count = words.counted("documents", len(ordered))
    parts = [Part(words.say("entity", name=said(called[0]), count=count))]
    if defined:
        parts.append(Part(words.say("defined"), opens=True))
        parts.extend(listed(inquiry, lines[:defined]))
    if len(ordered) > defined:
        parts.append(Part(words.say("used"), opens=True))
        parts.extend(listed(inquiry, lines[defined:], len(ordered) - defined))
    rows = [row for use in shown for row in use.rows]
    return answered(evidence(inquiry, rows, cards), parts, "records_found")


def _called(inquiry: Inquiry, cards: Mapping[str, Row]) -> tuple[str, ...]:
    """Names of the entity, the one to show first; a document that defines it gives its own."""
    anchors = inquiry.anchors
    if anchors.entity_names:
        return (_spelled(anchors.entity_names[0], inquiry.route.user_query),)
    aliases = {name_key(alias) for alias in anchors.matched_aliases}
    for path in anchors.target_doc_hints:
        card = cards.get(path)
        own = (card.title, *texts_of(card, "aliases")) if card is not None else ()
        if text_of(card, "type") in DEFINING_TYPES and aliases & {name_key(n) for n in own}:
            entities = texts_of(card, "entities")
            exact = [e for e in entities if name_key(e) in {name_key(n) for n in own}]
            return tuple(dict.fromkeys((*(exact or entities[:1]), *anchors.matched_aliases)))
    if anchors.matched_aliases:
        return anchors.matched_aliases[:1]
    terms = subject_terms(inquiry.route)
    return (_as_written(terms[0], inquiry.route.user_query),) if terms else ()


def _spelled(entity: str, question: str) -> str:
    """The entity as the question writes it: names that differ in a digit share a key."""
    key = name_key(entity)
    own = [token.text for token in tokens(question)]
    return entity if entity in own else next((t for t in own if name_key(t) == key), entity)


def _as_written(term: str, question: str) -> str:
    """A term in the letters of the question: terms are lower case."""
    start = question.lower().find(term)
    return question[start : start + len(term)] if start >= 0 else term


def _uses(inquiry: Inquiry, called: Collection[str], cards: Mapping[str, Row]) -> dict[str, _Use]:
    uses: dict[str, _Use] = {}

    def use(path: str) -> _Use:
        return uses.setdefault(path, _Use(path))

    keys = {name_key(name) for name in called}
    for row in _entity_rows(inquiry, called, cards):
        own = use(row.path)
        own.listing = own.listing or row
        own.defines = own.defines or _defines(cards[row.path], called, keys)
    for name in called:
        for row, place in _mentions(inquiry, name, cards):
            use(row.path).mentions.append((row, place))
    defining = [path for path, own in uses.items() if own.defines]
    for row in _links_to(inquiry, defining, cards):
        if row.path in cards and row.path not in defining:
            use(row.path).links.append(row)
    return uses


def _entity_rows(inquiry: Inquiry, called: Collection[str], cards: Mapping[str, Row]) -> list[Row]:
    """Records of the entity: those spelled as it is called where there are any."""
    keys = {name_key(name) for name in called}
    known = inquiry.reader.knowledge.names(keys)
    paths = {n.path for n in known if n.kind == "entity" and n.path in cards}
    if not paths:
        return []
    rows = inquiry.reader.rows_of(RowFilter(layers=(D3,), paths=tuple(paths)), EVERYTHING)
    found = [
        row
        for row in rows
        if name_key(str(row.metadata.get("entity_name", ""))) in keys
        and row.metadata.get("origin") in _NAMED
    ]
    spelled = {_letters(name) for name in called}
    exact = [r for r in found if _letters(str(r.metadata.get("entity_name", ""))) in spelled]
    return exact or found


def _letters(name: str) -> str:
    return "".join(char for char in name.lower() if char.isalnum())


def _defines(card: Row, called: Collection[str], keys: Collection[str]) -> bool:
    """True for a document that goes by the name of the entity, or that is of a type that defines
    and lists this entity alone."""
    kind = text_of(card, "type")
    own = {name_key(name) for name in (card.title, *texts_of(card, "aliases"))}
    if kind not in USING_TYPES:
        # An id or a file name is a name only when it is spelled like one: `orders` is not Order.
        identity = text_of(card, "id").rpartition(".")[2]
        file = card.path.rpartition("/")[2].rpartition(".")[0]
        spelled = {_letters(name) for name in called}
        if not spelled.isdisjoint((_letters(identity), _letters(file))):
            return True
    if not own.isdisjoint(keys):
        return True
    entities = {name_key(name) for name in texts_of(card, "entities")}
    return kind in DEFINING_TYPES and entities == entities & set(keys) != set()


def _mentions(inquiry: Inquiry, name: str, cards: Mapping[str, Row]) -> list[tuple[Row, Place]]:
    """Sections whose text has the name as a whole word, not as the end of an id, with the line
    where it stands first."""
    terms = list(dict.fromkeys(stems(name)))[:1]
    where = RowFilter(layers=(D0,))
    hits = inquiry.reader.lexical(D0, terms, where, LexicalWeights(), MAX_MENTIONS)
    word = re.compile(rf"(?<![\w.]){re.escape(name)}(?!\w)", re.IGNORECASE)
    found = []
    for row in inquiry.reader.rows([hit.row_id for hit in hits]):
        match = word.search(row.content)
        if match and row.path in cards:
            line = _line_at(row, row.content.count("\n", 0, match.start()))
            title = title_of(cards[row.path], row.path)
            found.append((row, Place(row.path, line, line, title, said(section_of(row)))))
    return sorted(found, key=lambda pair: (pair[0].path, pair[0].span_start))


def _line_at(row: Row, offset: int) -> int:
    """Line of the file for a line of the content."""
    numbers = row.metadata.get("line_numbers")
    if isinstance(numbers, list) and offset < len(numbers):
        return int(numbers[offset])
    return min(row.span_start + offset, row.span_end)


def _links_to(
    inquiry: Inquiry, defining: Collection[str], cards: Mapping[str, Row]
) -> tuple[Row, ...]:
    """Relations that lead to the documents that define the entity."""
    return inquiry.reader.relations_to(tuple(defining)) if defining else ()


def _line(inquiry: Inquiry, use: _Use, cards: Mapping[str, Row]) -> Line:
    words = inquiry.words
    title = title_of(cards[use.path], use.path)
    told: list[str] = []
    if use.listing is not None and use.listing.metadata.get("origin") == "frontmatter":
        told.append(words.say("lists"))
    headings = [place.section.rpartition(" › ")[2] for _, place in use.mentions]
    distinct = list(dict.fromkeys(h for h in headings if h and h != title))
    if distinct:
        section = words.quote(distinct[0])
        if len(distinct) > 1:
            section += " " + words.say("and_more", count=len(distinct) - 1)
        told.append(words.say("in_section", section=section))
    elif use.mentions:
        told.append(words.say("in_text"))
    if not told and use.links:
        kind = said(use.links[0].metadata.get("relation_type", ""))
        told.append(words.say("linked", kind=kind))
    first = next((p for _, p in use.mentions if not p.section.endswith(title)), None)
    place = first or (use.mentions[0][1] if use.mentions else place_of(use.rows[0], title))
    if use.defines and use.listing is not None:
        place = place_of(cards[use.path], title)
    return Line(f"{title}, {use.path}{': ' if told else ''}{', '.join(told)}", place)


def _not_named(inquiry: Inquiry) -> Findings:
    known = inquiry.reader.known_names("entity")
    example = said(known[0].value) if known else "…"
    message = inquiry.words.say("no_entity_named", example=example)
    return _refused(inquiry, "subject_not_named", message)


def _refused(inquiry: Inquiry, reason: str, message: str) -> Findings:
    """The no with the entities there are, those most like the question first."""
    words = inquiry.words
    wanted = " ".join(inquiry.anchors.entity_names or subject_terms(inquiry.route))
    unsorted = dict.fromkeys(n.value for n in inquiry.reader.known_names("entity"))
    known = by_likeness(wanted, unsorted, str)
    if known:
        more = words.say("and_more", count=len(unsorted) - MAX_KNOWN)
        message += "\n" + words.say("known_entities", names=names(known, MAX_KNOWN, more))
    return refused(reason, message)
