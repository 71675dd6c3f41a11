"""Finding documents: a ranked list with the reason of each."""

from __future__ import annotations

from typing import Final

from docs_agent.core.evidence import Evidence
from docs_agent.core.layers import D0
from docs_agent.core.rows import Row
from docs_agent.core.text import name_key, stems
from docs_agent.retrieval.answers.cards import Card, card_of
from docs_agent.retrieval.answers.draft import Part, Place
from docs_agent.retrieval.answers.passages import TITLE_WEIGHT, section_of
from docs_agent.retrieval.answers.quote import plain, shortened
from docs_agent.retrieval.answers.request import Request

_TITLE_SAYS: Final = 0.5
"""Share of the question that a title must say to be the reason."""
_TITLE: Final = 60
"""Characters of a title in the list."""


def find_files(request: Request) -> tuple[Part, ...]:
    """One line a document: `path  title  reason`, columns aligned."""
    cards = [(e, card_of(e, request.quotes)) for e in request.found.evidence]
    lines = [
        (e.path, shortened(plain(card.title), _TITLE), *_reason(request, e, card))
        for e, card in cards
    ]
    paths = max((len(path) for path, *_ in lines), default=0)
    titles = max((len(title) for _, title, *_ in lines), default=0)
    return tuple(
        Part(f"{n}. {path:<{paths}}  {title:<{titles}}  {reason}", place, marked=False)
        for n, (path, title, reason, place) in enumerate(lines, 1)
    )


def _reason(request: Request, evidence: Evidence, card: Card) -> tuple[str, Place]:
    words = request.words
    whole = Place(evidence.path, *_span(card), card.title, "")
    anchors = request.route.anchors
    if any(name in evidence.path for name in anchors.file_names):
        return words.reason_named, whole
    if _has_endpoint(card, anchors.endpoint_paths):
        return words.reason_endpoint.format(endpoint=plain(card.endpoint)), whole
    alias = _alias(card, anchors.matched_aliases)
    if evidence.match_reason == "alias_match" and alias:
        return words.reason_alias.format(alias=words.quoted.format(text=plain(alias))), whole
    if request.terms.covered(set(stems(card.title))) >= _TITLE_SAYS:
        return words.reason_title, whole
    row = _best_row(request, evidence)
    if row is not None:
        return _mention(request, row, card)
    return (
        words.reason_path if evidence.match_reason == "exact_path" else words.reason_text
    ), whole


def _mention(request: Request, row: Row, card: Card) -> tuple[str, Place]:
    words = request.words
    section = section_of(row)
    heading = shortened(plain(section.rpartition(" › ")[2]), _TITLE)
    place = Place(row.path, row.span_start, row.span_end, card.title, section)
    said = bool(request.terms.hit(set(stems(f"{section} {row.content}"))))
    if not heading or heading == card.title:
        return words.reason_text, place
    template = words.reason_mentions if said else words.reason_close
    return template.format(section=words.quoted.format(text=heading)), place


def _best_row(request: Request, evidence: Evidence) -> Row | None:
    """The section that speaks most of the question among the rows of retrieval."""
    rows = [row for row in evidence.rows if row.layer == D0]
    if not rows:
        return None
    figures = [
        request.terms.covered(set(stems(f"{section_of(r)} {r.content}")))
        + TITLE_WEIGHT * request.terms.covered(set(stems(section_of(r).rpartition(" › ")[2])))
        for r in rows
    ]
    return rows[figures.index(max(figures))]


def _has_endpoint(card: Card, paths: tuple[str, ...]) -> bool:
    own = card.endpoint.lower().split()
    return any(path.lower() in own for path in paths)


def _alias(card: Card, matched: tuple[str, ...]) -> str:
    own = card.row.metadata.get("aliases") if card.row is not None else None
    names = [str(a) for a in own] if isinstance(own, list) else [str(own)] if own else []
    keys = {name_key(name) for name in names}
    return next((alias for alias in matched if name_key(alias) in keys), "")


def _span(card: Card) -> tuple[int, int]:
    return (card.row.span_start, card.row.span_end) if card.row is not None else (1, 1)
