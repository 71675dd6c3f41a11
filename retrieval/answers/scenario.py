"""The steps of a document's scenarios, with the lines they stand on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from docs_agent.core.layers import D4
from docs_agent.core.rows import Row
from docs_agent.core.store.protocol import Reader, RowFilter
from docs_agent.core.text import normalize, stems
from docs_agent.retrieval.answers.draft import Part, Place
from docs_agent.retrieval.answers.passages import Passage
from docs_agent.retrieval.answers.quote import Unit, plain, shortened
from docs_agent.retrieval.answers.rendering import items
from docs_agent.retrieval.answers.terms import Terms
from docs_agent.retrieval.answers.wording import Wording

MAX_STEPS: Final = 8
MAX_BRANCHES: Final = 4
_MARK_LENGTH: Final = 6


def workflows(reader: Reader, path: str) -> tuple[Row, ...]:
    """Scenarios of a document in its order."""
    return reader.rows_of(RowFilter(layers=(D4,), paths=(path,)), 100)


def best_workflow(rows: Sequence[Row], terms: Terms) -> Row | None:
    """The scenario that speaks most of the question; the first one when none stands out."""
    told = [row for row in rows if row.metadata.get("main_flow")]
    if not told:
        return None
    figures = [terms.covered(set(stems(f"{row.title} {row.content}"))) for row in told]
    return told[figures.index(max(figures))]


def is_use_case(row: Row) -> bool:
    """True for a scenario of use, false for any other list of steps (a procedure, transitions)."""
    said = ("trigger", "preconditions", "alternative_flow", "error_handling", "postconditions")
    return any(row.metadata.get(field) for field in said)


def steps(
    row: Row, field: str, found: Sequence[Passage], title: str, words: Wording, limit: int
) -> tuple[Part, ...]:
    """The lines of one field of a scenario (`main_flow`, `alternative_flow`, …)."""
    texts = _lines(row.metadata.get(field))
    if not texts:
        return ()
    units = [_unit(text, position) for position, text in enumerate(texts, 1)]
    place = _place(row, [unit.text for unit in units], found, title)
    numbered = field == "main_flow"
    shown = [
        Unit(u.text, u.start, u.end, u.level, (u.number or n) if numbered and not u.level else 0)
        for n, u in enumerate(units[:limit], 1)
    ]
    parts = items(shown, place, words)
    if len(units) > limit:
        parts.append(Part("  " + words.more_items.format(count=len(units) - limit)))
    return tuple(parts)


def _lines(value: object) -> list[str]:
    if isinstance(value, list | tuple):
        return [str(line) for line in value]
    return str(value).splitlines() if value else []


def _unit(text: str, position: int) -> Unit:
    level = (len(text) - len(text.lstrip())) // 2
    bare = text.strip()
    mark, dot, rest = bare.partition(". ")
    number = int(mark) if dot and len(mark) < _MARK_LENGTH and mark.isdecimal() else 0
    bare = rest if number else bare.removeprefix("- ")
    return Unit(shortened(plain(bare)), position, position, level, number)


def _place(row: Row, texts: Sequence[str], found: Sequence[Passage], title: str) -> Place:
    """The lines of the passage that holds these texts; the whole scenario when none does."""
    wanted = {_key(text) for text in texts}
    best: tuple[int, Place] | None = None
    for passage in _inside(row, found):
        units = [s.unit for s in passage.statements if _key(s.unit.text) in wanted]
        if units and (best is None or len(units) > best[0]):
            place = passage.place(min(u.start for u in units), max(u.end for u in units))
            best = (len(units), place)
    if best is not None:
        return best[1]
    name = str(row.metadata.get("workflow_name", ""))
    return Place(row.path, row.span_start, row.span_end, title, name)


def _inside(row: Row, found: Sequence[Passage]) -> Iterator[Passage]:
    return (
        p for p in found if p.row.span_start <= row.span_end and row.span_start <= p.row.span_end
    )


def _key(text: str) -> str:
    return "".join(char for char in normalize(text) if char.isalnum())
