"""The errors of an API document, one line each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from docs_agent.core.text import normalize
from docs_agent.retrieval.answers.draft import Part
from docs_agent.retrieval.answers.passages import Passage
from docs_agent.retrieval.answers.quote import Quotable, Unit, shortened
from docs_agent.retrieval.answers.rendering import items
from docs_agent.retrieval.answers.terms import Terms
from docs_agent.retrieval.answers.wording import Wording

MAX_ERRORS: Final = 12
_COLUMNS: Final = (
    (
        "code",
        (
            *("http_code", "http code", "http", "http status", "status code", "code", "status"),
            *("код", "http-код", "http код", "код http", "код ответа", "статус", "http статус"),
        ),
    ),
    ("id", ("error_id", "error id", "error", "ошибка", "идентификатор")),
    ("when", ("when", "condition", "description", "когда", "условие", "описание")),
    ("retry", ("retry", "повтор")),
)
"""Columns of an errors table and the ways they are written."""
_NOTHING: Final = frozenset({"", "-", "–", "—", "no", "нет", "false"})


def error_lines(
    found: Sequence[Passage], terms: Terms, words: Wording, limit: int = MAX_ERRORS
) -> tuple[Part, ...]:
    """Rows of the document's errors tables; those the question names when it names some."""
    for passage in found:
        if passage.role not in ("errors", "error_handling"):
            continue
        for block in passage.blocks:
            if block.kind == "table" and block.units:
                return _rows(passage, block, terms, words, limit)
        listed = [s for s in passage.statements if passage.blocks[s.block].kind == "list"]
        if listed:
            units = [s.unit for s in listed[:limit]]
            return tuple(items(units, passage.place(units[0].start, units[-1].end), words))
    return ()


def condition_cell(block: Quotable, unit: Unit) -> str:
    """What a row of an errors table says of when it happens; empty where no column says it."""
    cells = zip(_columns(block), unit.cells, strict=False)
    return next((cell for meaning, cell in cells if meaning == "when"), "")


def _rows(
    passage: Passage, block: Quotable, terms: Terms, words: Wording, limit: int
) -> tuple[Part, ...]:
    rows = {s.unit: s.found for s in passage.statements}
    named = [unit for unit in block.units if terms.items and terms.hit(rows[unit])]
    chosen = named or list(block.units)
    shown = chosen[:limit]
    place = passage.place(shown[0].start, shown[-1].end)
    parts = [Part(f"  - {_line(block, unit)}", place) for unit in shown]
    if len(chosen) > limit:
        parts.append(Part("  " + words.more_items.format(count=len(chosen) - limit)))
    return tuple(parts)


def _line(block: Quotable, unit: Unit) -> str:
    columns = _columns(block)
    cells = dict(zip(columns, unit.cells, strict=False))
    if not (cells.get("code") or cells.get("id")) or not cells.get("when"):
        return shortened(unit.text)
    retry = cells.get("retry", "")
    tail = (
        f"; {block.header[columns.index('retry')]}: {retry}"
        if retry.lower() not in _NOTHING
        else ""
    )
    name = f"{cells.get('code', '')} {cells.get('id', '')}".strip()
    return shortened(f"{name}: {cells['when']}{tail}")


def _columns(block: Quotable) -> list[str]:
    """Meanings of the columns. What is called a code beside a column of numbers is the name of the
    error: `| code | HTTP | when |`."""
    columns = [_column(name) for name in block.header]
    codes = [i for i, name in enumerate(columns) if name == "code"]
    numbers = next((i for i in codes if _is_numeric(block, i)), -1)
    for i in codes:
        if i != numbers and (numbers >= 0 or "id" not in columns):
            columns[i] = "" if "id" in columns else "id"
    return columns


def _is_numeric(block: Quotable, column: int) -> bool:
    cells = [u.cells[column].strip(" `*") for u in block.units if column < len(u.cells)]
    return any(cell[:1].isdigit() for cell in cells)


def _column(name: str) -> str:
    form = normalize(name).strip()
    return next((meaning for meaning, names in _COLUMNS if form in names), form)
