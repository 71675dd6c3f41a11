"""A question about the whole: what the documentation is about and what it consists of."""

from __future__ import annotations

from functools import lru_cache
from itertools import chain
from typing import Final

from docs_agent.core.layers import D1
from docs_agent.core.rows import Row
from docs_agent.core.store.protocol import RowFilter
from docs_agent.core.text import stems
from docs_agent.retrieval.answers.cards import Card, card_at, card_of, is_overview, lead, purpose
from docs_agent.retrieval.answers.docs_summary import details
from docs_agent.retrieval.answers.draft import Part, Place
from docs_agent.retrieval.answers.passages import passages
from docs_agent.retrieval.answers.quote import plain, shortened
from docs_agent.retrieval.answers.request import Request
from docs_agent.router.markers import vocabulary
from docs_agent.router.normalizer import normalize_query
from docs_agent.router.question import read_question

LISTED: Final = 8
_OVERVIEW_GROUPS: Final = ("general", "generic")
_ROWS: Final = 400
_LINE: Final = 160
"""Characters of one document's line."""
_ANSWERED: Final = 0.5
"""Share of the question's weight that the evidence must hold to be more than an overview."""


def general_summary(request: Request) -> tuple[Part, ...]:
    """The statements that answer when the question asks for something; else the overview. A mere
    greeting gets what can be asked, and what the documentation is about."""
    evidence = request.found.evidence
    if not evidence:
        return ()
    first = card_of(evidence[0], request.quotes)
    if _is_greeting(request.question):
        about = lead(first)
        return (Part(request.words.ask_me), *((about.opened(),) if about else ()))
    asked = request.terms.without(first.naming_stems() | _overview_words())
    said = {s for e in evidence for row in e.rows for s in stems(row.content)}
    own = passages(request.quotes, first.path, first.title)
    said |= {s for p in own for s in (*stems(p.title), *chain(*(st.found for st in p.statements)))}
    if asked.items and asked.covered(said) >= _ANSWERED:
        line = lead(first) if first.modelled else None
        told = purpose(first)
        opened = [told.text] if line is not None and told is not None else []
        answer = details(request, first, opened)
        if line is None or not answer:
            return answer
        return (line, answer[0].opened(), *answer[1:])
    return _overview(request, first)


def _is_greeting(question: str) -> bool:
    """Whether there is nothing but a greeting or thanks."""
    words = vocabulary()
    asked = read_question(normalize_query(question))
    said = {i for m in words.find(asked) if m.group == "greeting" for i in m.positions}
    empty = ("question", "intent", "filler")
    left = (word for i, word in enumerate(asked.words) if i not in said)
    return bool(said) and all(words.has(word, *empty) for word in left)


@lru_cache(maxsize=1)
def _overview_words() -> frozenset[str]:
    """Stems of the words that questions about the whole are made of: they ask for nothing else."""
    lines = vocabulary().lines
    return frozenset(s for group in _OVERVIEW_GROUPS for line in lines[group] for s in stems(line))


def _overview(request: Request, first: Card) -> tuple[Part, ...]:
    opening = lead(first)
    rows = request.reader.rows_of(RowFilter(layers=(D1,)), _ROWS)
    others = _spread([r for r in rows if r.path != first.path and not _is_log(r)])
    lines = [_line(card_at(row, request.quotes), row, request) for row in others[:LISTED]]
    known = request.reader.knowledge.document_count()
    left = max(known, len(rows)) - len(lines) - 1
    parts = [*((opening,) if opening else ())]
    if lines:
        parts += [Part(f"{request.words.documents}:", opens=True), *lines]
    if lines and left > 0:
        parts.append(Part("  " + request.words.more_documents.format(count=left)))
    return tuple(parts)


def _spread(rows: list[Row]) -> list[Row]:
    """Overviews first, then one document of every folder in turn."""
    turn: dict[str, int] = {}
    keyed: list[tuple[int, int, int, Row]] = []
    for position, row in enumerate(rows):
        folder = row.path.rpartition("/")[0]
        seen = turn.get(folder, 0)
        turn[folder] = seen + 1
        keyed.append((0 if is_overview(row) else 1, seen, position, row))
    return [row for *_, row in sorted(keyed, key=lambda item: item[:3])]


def _is_log(row: Row) -> bool:
    """True for a list of what has changed: it describes no part of the whole."""
    return row.metadata.get("doc_kind") == "changelog"


def _line(card: Card, row: Row, request: Request) -> Part:
    """Title and purpose. The title alone where the first text that could be quoted does not open
    the document: it belongs to one of the sections."""
    told = purpose(card)
    title = plain(card.title)
    own = () if card.modelled else passages(request.quotes, card.path, card.title)
    first = next((s.unit.start for p in own for s in p.statements), 0)
    opens = told is not None and (told.place is None or told.place.start <= first)
    if told is None or not (card.modelled or opens):
        start = own[0].row.span_start if own else row.span_start
        place = Place(card.path, start, start, card.title, "")
        return Part(f"  - {shortened(title, _LINE)}", place)
    return Part(f"  - {shortened(f'{title}: {told.text}', _LINE)}", told.place)
