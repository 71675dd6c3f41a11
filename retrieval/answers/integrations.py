"""The integrations of a document, one line each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from docs_agent.core.layers import D6
from docs_agent.core.rows import Row
from docs_agent.core.store.protocol import Reader, RowFilter
from docs_agent.core.text import stems
from docs_agent.retrieval.answers.draft import Part, Place
from docs_agent.retrieval.answers.quote import plain, shortened
from docs_agent.retrieval.answers.terms import Terms
from docs_agent.retrieval.answers.wording import Wording
from docs_agent.router.integration_terms import direction_of

MAX_INTEGRATIONS: Final = 10
_ARROWS: Final = {"in": "←", "both": "↔"}


def integrations(
    reader: Reader, path: str, title: str, terms: Terms, words: Wording
) -> tuple[Part, ...]:
    """The integrations that the question asks for; all of them when it names none."""
    rows = reader.rows_of(RowFilter(layers=(D6,), paths=(path,)), 200)
    named = [row for row in rows if terms.hit(set(stems(f"{row.title} {_text(row, 'target')}")))]
    chosen: Sequence[Row] = named or rows
    parts = [
        Part(f"  - {_line(row)}", Place(row.path, row.span_start, row.span_end, title, row.title))
        for row in chosen[:MAX_INTEGRATIONS]
    ]
    if len(chosen) > MAX_INTEGRATIONS:
        left = len(chosen) - MAX_INTEGRATIONS
        parts.append(Part("  " + words.more_items.format(count=left)))
    return tuple(parts)


def _line(row: Row) -> str:
    target = _text(row, "target")
    name = row.title if row.title == target or not target else f"{row.title} {_arrow(row)} {target}"
    kind = ", ".join(filter(None, (_text(row, "direction"), _text(row, "interaction"))))
    told = "; ".join(filter(None, (_text(row, "purpose"), _text(row, "via"))))
    return shortened(plain(f"{name}{f' ({kind})' if kind else ''}{f': {told}' if told else ''}"))


def _arrow(row: Row) -> str:
    return _ARROWS.get(direction_of(_text(row, "direction")), "→")


def _text(row: Row, key: str) -> str:
    return str(row.metadata.get(key) or "")
