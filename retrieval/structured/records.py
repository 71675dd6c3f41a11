"""Reading records for a list, and saying honestly what the list stands on.

A document is evidence here because records of it are in the answer: `records` of its score
breakdown counts them, `target_doc_boost` says that the question named it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from docs_agent.core.evidence import (
    DETERMINISTIC,
    INSUFFICIENT_EVIDENCE,
    Evidence,
    EvidenceSet,
    GateDecision,
)
from docs_agent.core.layers import D1
from docs_agent.core.rows import Row
from docs_agent.core.store.protocol import Reader, RowFilter
from docs_agent.retrieval.answers.draft import Part, Place
from docs_agent.retrieval.answers.quote import plain, shortened
from docs_agent.retrieval.evidence import MAX_RANKED
from docs_agent.retrieval.evidence_scores import TARGET
from docs_agent.retrieval.structured.inquiry import Findings, Inquiry
from docs_agent.templates.lookup import key_names

EVERYTHING: Final = 1_000_000
"""Rows of a layer that are read at most."""
RECORD: Final = 100
"""Points of a document for each of its records in the answer."""
RECORD_MATCH: Final = "record_match"
"""Match reason of a document whose records are the answer."""
TITLE: Final = 70
"""Characters of a title in a list."""
TEXT: Final = 160
"""Characters of any other text in a list."""
NEAREST: Final = 3
"""Documents that a refusal names."""
MAX_LIMIT: Final = 1000
"""The greatest `--limit`, which a list names when it was cut."""


class Line(NamedTuple):
    """One line of a list with the place it stands on."""

    text: str
    place: Place


def cards_of(reader: Reader, paths: Collection[str] | None = None) -> dict[str, Row]:
    """D1 rows by path, in the order of paths; of all documents when no paths are given."""
    if paths is not None and not paths:
        return {}
    where = RowFilter(layers=(D1,), paths=tuple(paths or ()))
    return {row.path: row for row in reader.rows_of(where, EVERYTHING)}


def value_of(card: Row | None, meaning: str) -> Any:
    """A value of the frontmatter under any of its spellings; None when it is absent or empty."""
    if card is None:
        return None
    return next((v for key in key_names(meaning) if (v := card.metadata.get(key))), None)


def text_of(card: Row | None, meaning: str) -> str:
    """The same as one text; empty when it is absent or no scalar."""
    value = value_of(card, meaning)
    return str(value) if isinstance(value, str | int | float) else ""


def texts_of(card: Row | None, meaning: str) -> tuple[str, ...]:
    """The same as texts, one for each item of a list."""
    value = value_of(card, meaning)
    items = value if isinstance(value, list | tuple) else [] if value is None else [value]
    return tuple(str(item) for item in items if isinstance(item, str | int | float))


def title_of(card: Row | None, path: str) -> str:
    """Title of a document, plain and short; the file's name when it has none."""
    return said(card.title if card is not None else "", TITLE) or path.rpartition("/")[2]


def said(text: object, limit: int = TEXT) -> str:
    """Text of a document on one line: no markup that could be taken for ours, no control
    characters, not longer than `limit`."""
    printable = "".join(c if c.isprintable() else " " for c in str(text)[: 4 * limit])
    return shortened(plain(printable), limit)


def place_of(row: Row, title: str, section: str = "") -> Place:
    """The lines of a row."""
    return Place(row.path, row.span_start, row.span_end, title, said(section))


def listed(inquiry: Inquiry, lines: Sequence[Line], total: int | None = None) -> list[Part]:
    """The first lines as a Markdown list; what was left out is counted, and how to see it.

    total: how many lines there are, when `lines` are only the first of them.
    """
    parts = [Part(f"- {line.text}", line.place) for line in lines[: inquiry.limit]]
    count = len(lines) if total is None else total
    if count > len(parts):
        parts.append(Part(left_out(inquiry, count - len(parts), count)))
    return parts


def left_out(inquiry: Inquiry, left: int, total: int) -> str:
    """The note below a list that was cut."""
    if inquiry.limit >= MAX_LIMIT:
        return inquiry.words.say("more_hidden", count=left)
    return inquiry.words.say("more", count=left, total=min(total, MAX_LIMIT))


def evidence(
    inquiry: Inquiry,
    rows: Iterable[Row],
    cards: Mapping[str, Row],
    relaxations: Sequence[str] = (),
) -> EvidenceSet:
    """The documents whose records are in the answer; named ones first, then those with the most
    records, then in the order of the answer."""
    own: dict[str, list[Row]] = {}
    for row in rows:
        own.setdefault(row.path, []).append(row)
    hints = frozenset(inquiry.anchors.target_doc_hints)
    points = {path: _points(len(found), path in hints) for path, found in own.items()}
    order = sorted(own, key=lambda path: -sum(points[path].values()))
    items = tuple(
        Evidence(
            path=path,
            title=title_of(cards.get(path), path),
            document_id=text_of(cards.get(path), "id") or path,
            score=sum(points[path].values()),
            confidence=1.0,
            match_reason="exact_path" if path in hints else RECORD_MATCH,
            is_primary=path == order[0],
            score_breakdown=points[path],
            rows=tuple(own[path]),
        )
        for path in order
    )
    return EvidenceSet(items, tuple(order[:MAX_RANKED]), relaxations=tuple(relaxations))


def _points(records: int, hinted: bool) -> dict[str, int]:
    points = {"records": RECORD * records}
    return {"target_doc_boost": TARGET, **points} if hinted else points


def answered(
    found: EvidenceSet, parts: Iterable[Part], reason: str, mode: str = DETERMINISTIC
) -> Findings:
    """An answer that passed the gate."""
    paths = tuple(item.path for item in found.evidence[:MAX_RANKED])
    return Findings(found, GateDecision(True, mode, reason, "", paths), tuple(parts))


def refused(reason: str, message: str, nearest: Iterable[str] = ()) -> Findings:
    """The honest no: what was not found, and the documents that come nearest."""
    paths = tuple(dict.fromkeys(nearest))[:NEAREST]
    gate = GateDecision(False, INSUFFICIENT_EVIDENCE, reason, message, paths)
    return Findings(EvidenceSet((), paths), gate)


def names(values: Sequence[str], limit: int, more: str) -> str:
    """The first names joined by commas; `more` (with `{count}` filled by say) tells of the rest."""
    shown = ", ".join(said(v, TITLE) for v in values[:limit])
    return f"{shown} {more}" if len(values) > limit else shown
