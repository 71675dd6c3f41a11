"""The documents of a domain or sub-domain, by type."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from docs_agent.core.rows import Row
from docs_agent.core.text import name_key, stems
from docs_agent.retrieval.answers.draft import Part
from docs_agent.retrieval.structured.inquiry import Findings, Inquiry
from docs_agent.retrieval.structured.nearest import by_likeness
from docs_agent.retrieval.structured.records import (
    Line,
    answered,
    cards_of,
    evidence,
    left_out,
    names,
    place_of,
    refused,
    said,
    text_of,
    title_of,
)
from docs_agent.retrieval.structured.subject import share, subject_terms

MAX_DOMAINS: Final = 10
"""Known domains that a refusal names."""
_KINDS: Final = ("subdomain", "domain")


def documents_by_domain(inquiry: Inquiry) -> Findings:
    """Lines `title, path, status` under the type of the document; a count in front."""
    cards = cards_of(inquiry.reader)
    asked = _asked(inquiry, cards)
    if not asked:
        return _unknown(inquiry, cards)
    rows = [
        card
        for card in cards.values()
        if all(name_key(text_of(card, kind)) == name_key(name) for kind, name in asked.items())
    ]
    if not rows:
        return _unknown(inquiry, cards)
    words = inquiry.words
    rows.sort(key=lambda card: (not text_of(card, "type"), text_of(card, "type"), card.path))
    shown = rows[: inquiry.limit]
    template = "documents_of" if "domain" in asked else "documents_of_subdomain"
    name = " / ".join(said(asked[kind]) for kind in reversed(_KINDS) if kind in asked)
    head = words.say(template, domain=name, count=words.counted("documents", len(rows)))
    parts = [Part(head)]
    group: str | None = None
    for card in shown:
        kind = said(text_of(card, "type")) or words.say("no_type")
        if kind != group:
            parts.append(Part(f"{kind}:", opens=True))
            group = kind
        line = _line(card)
        parts.append(Part(f"- {line.text}", line.place))
    if len(rows) > len(shown):
        parts.append(Part(left_out(inquiry, len(rows) - len(shown), len(rows)), opens=True))
    return answered(evidence(inquiry, shown, cards), parts, "records_found")


def _line(card: Row) -> Line:
    title = title_of(card, card.path)
    status = said(card.metadata.get("status") or "")
    text = f"{title}, {card.path}{f', {status}' if status else ''}"
    return Line(text, place_of(card, title))


def _asked(inquiry: Inquiry, cards: Mapping[str, Row]) -> dict[str, str]:
    """The domain and sub-domain of the question; by its terms where the router found none."""
    anchors = inquiry.anchors
    named = {"subdomain": anchors.process_subdomain, "domain": anchors.process_domain}
    asked = {kind: name for kind, name in named.items() if name}
    if asked:
        return asked
    terms = subject_terms(inquiry.route)
    for kind in reversed(_KINDS):
        for name in _known(cards, kind):
            if terms and share(terms, frozenset(stems(name))) == 1:
                return {kind: name}
    return {}


def _known(cards: Mapping[str, Row], kind: str) -> list[str]:
    found = {text_of(card, kind): None for card in cards.values()}
    return sorted(name for name in found if name)


def _unknown(inquiry: Inquiry, cards: Mapping[str, Row]) -> Findings:
    words = inquiry.words
    known = _known(cards, "domain")
    if not known:
        return refused("no_records", words.say("no_domains"))
    anchors = inquiry.anchors
    wanted = anchors.process_domain or anchors.process_subdomain
    wanted = wanted or " ".join(subject_terms(inquiry.route))
    if wanted:
        message = words.say("no_domain", domain=words.quote(wanted))
    else:
        message = words.say("no_domain_named")
    nearest = by_likeness(wanted, known, str)
    more = words.say("and_more", count=len(known) - MAX_DOMAINS)
    message += "\n" + words.say("known_domains", names=names(nearest, MAX_DOMAINS, more))
    return refused("domain_unknown" if wanted else "domain_not_named", message)
