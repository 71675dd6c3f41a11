"""Choosing what to quote of a passage and putting it into parts."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

from docs_agent.retrieval.answers.draft import Part, Place
from docs_agent.retrieval.answers.passages import Passage, Statement
from docs_agent.retrieval.answers.quote import Quotable, Unit, shortened
from docs_agent.retrieval.answers.wording import Wording

WHOLE_PASSAGE: Final = 700
"""Characters up to which a section is quoted whole."""
WHOLE_LIST: Final = 8
"""Items up to which a list is kept whole."""
MAX_ITEMS: Final = 12
MAX_ROWS: Final = 14
"""Rows of a table, lines of code; the rest is counted in a note."""
MAX_CODE: Final = 12
DRAWINGS: Final = ("mermaid", "dot", "plantuml", "svg")
"""Languages of code that draws: its source answers nothing."""
ENOUGH: Final = 3
"""Statements after which only those count that say enough themselves."""
WORTH: Final = 0.35
"""Share of the best statement's score that is enough."""
TABLE_WIDTH: Final = 110
"""Characters; a wider table becomes a list."""


@dataclass(frozen=True, slots=True)
class Budget:
    """How much may be quoted."""

    lines: int
    characters: int

    def less(self, spent: Budget) -> Budget:
        return Budget(self.lines - spent.lines, self.characters - spent.characters)

    def after(self, parts: Sequence[Part]) -> Budget:
        lines = sum(part.text.count("\n") + 1 for part in parts)
        return self.less(Budget(lines, sum(len(part.text) for part in parts)))

    def within(self, other: Budget) -> bool:
        return self.lines <= other.lines and self.characters <= other.characters

    @property
    def spent(self) -> bool:
        return self.lines <= 0 or self.characters <= 0


def excerpt(passage: Passage, budget: Budget, words: Wording) -> tuple[Part, ...]:
    """The statements of a passage that say most about the question, in document order."""
    return quoted(passage, _chosen(passage, budget), words)


def quoted(passage: Passage, chosen: Collection[Statement], words: Wording) -> tuple[Part, ...]:
    """The chosen statements in document order; neighbours share one citation."""
    parts: list[Part] = []
    for run in _runs(passage, chosen):
        place = passage.place(run[0].unit.start, max(s.unit.end for s in run))
        for index in dict.fromkeys(s.block for s in run):
            units = [s.unit for s in run if s.block == index]
            parts.extend(_block(passage.blocks[index], units, place, words))
    return tuple(parts)


def _runs(passage: Passage, chosen: Collection[Statement]) -> list[list[Statement]]:
    """Chosen statements that stand next to each other: they share one citation."""
    runs: list[list[Statement]] = []
    fresh = True
    for statement in passage.statements:
        if statement not in chosen:
            fresh = True
            continue
        if fresh:
            runs.append([])
        runs[-1].append(statement)
        fresh = False
    return runs


def _chosen(passage: Passage, budget: Budget) -> set[Statement]:
    everything = list(passage.statements)
    if _cost(everything).within(Budget(budget.lines, min(WHOLE_PASSAGE, budget.characters))):
        return {s for s in everything if passage.blocks[s.block].info not in DRAWINGS}
    best = sorted(everything, key=lambda s: (_is_aside(passage, s), -s.score, s.unit.start))
    chosen: set[Statement] = set()
    left = budget
    for statement in best:
        weak = statement.score < WORTH * best[0].score or _is_aside(passage, statement)
        if len(chosen) >= ENOUGH and weak:
            break
        for group in (companions(passage, statement), [statement]):
            fresh = [s for s in group if s not in chosen]
            if _cost(fresh).within(left) or (not chosen and group == [statement]):
                chosen.update(fresh)
                left = left.less(_cost(fresh))
                break
    return chosen


def _is_aside(passage: Passage, statement: Statement) -> bool:
    """True for code nobody announces, for long code and for drawings: quoted last."""
    block = passage.blocks[statement.block]
    if block.kind != "code":
        return False
    before = [s for s in passage.statements if s.block == statement.block - 1]
    announced = bool(before) and before[-1].unit.text.endswith(":")
    long = statement.unit.text.count("\n") >= MAX_CODE
    return block.info in DRAWINGS or long or not announced


def _cost(statements: Sequence[Statement]) -> Budget:
    lines = sum(min(s.unit.text.count("\n") + 1, MAX_CODE) for s in statements)
    return Budget(lines, sum(len(s.unit.text) for s in statements))


def companions(passage: Passage, statement: Statement) -> list[Statement]:
    """A statement with what it cannot be read without: the list or code it announces, the
    sentence that announces it, the whole of a short list or table."""
    block = passage.blocks[statement.block]
    group = [statement]
    if (
        block.kind in ("list", "table")
        and len(block.units) <= WHOLE_LIST
        and not _apart(passage, statement)
    ):
        group = [s for s in passage.statements if s.block == statement.block]
    if statement.unit.text.endswith(":") and statement.block + 1 < len(passage.blocks):
        following = [s for s in passage.statements if s.block == statement.block + 1]
        kind = passage.blocks[statement.block + 1].kind
        if kind == "code" or len(following) <= WHOLE_LIST:
            group += following
    if block.kind == "code" or (block.kind in ("list", "table") and len(group) > 1):
        before = [s for s in passage.statements if s.block == statement.block - 1]
        if before and before[-1].unit.text.endswith(":"):
            group = [before[-1], *group]
    return list(dict.fromkeys(group))


def _apart(passage: Passage, statement: Statement) -> bool:
    """True when one item alone answers: it stands out among its list or table."""
    others = [
        s.score for s in passage.statements if s.block == statement.block and s is not statement
    ]
    return bool(others) and statement.score > 0.3 and statement.score > 2 * max(others)


def _block(block: Quotable, units: Sequence[Unit], place: Place, words: Wording) -> list[Part]:
    if block.kind == "code":
        return [_code(block, place, words)]
    if block.kind == "table":
        return table(block.header, units, place, words)
    if block.kind == "list":
        return items(units, place, words)
    return [Part(" ".join(unit.text for unit in units), place)]


def items(units: Sequence[Unit], place: Place, words: Wording) -> list[Part]:
    """List items, one line each, at most MAX_ITEMS."""
    base = min(unit.level for unit in units)
    parts = []
    for unit in units[:MAX_ITEMS]:
        mark = f"{unit.number}." if unit.number else "-"
        parts.append(Part(f"{'  ' * (unit.level - base + 1)}{mark} {unit.text}", place))
    if len(units) > MAX_ITEMS:
        parts.append(Part("  " + words.more_items.format(count=len(units) - MAX_ITEMS)))
    return parts


def table(header: Sequence[str], units: Sequence[Unit], place: Place, words: Wording) -> list[Part]:
    """A table with aligned columns, or a list where the columns would not fit a terminal."""
    shown = units[:MAX_ROWS]
    rows = [tuple(header), *(unit.cells for unit in shown)]
    widths = [max(len(row[i]) if i < len(row) else 0 for row in rows) for i in range(len(header))]
    note = words.more_lines.format(count=len(units) - MAX_ROWS) if len(units) > MAX_ROWS else ""
    if sum(widths) + 3 * len(widths) + 1 > TABLE_WIDTH:
        listed = [Part(f"  - {_record(header, unit.cells)}", place) for unit in shown]
        return [*listed, Part(f"  {note}")] if note else listed
    lines = [_line(rows[0], widths), "|" + "|".join("-" * (w + 2) for w in widths) + "|"]
    lines += [_line(row, widths) for row in rows[1:]]
    return [Part("\n".join([*lines, note] if note else lines), place, verbatim=True)]


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    padded = (
        (cells[i] if i < len(cells) else "").replace("|", "\\|").ljust(width)
        for i, width in enumerate(widths)
    )
    return f"| {' | '.join(padded)} |"


def _record(header: Sequence[str], cells: Sequence[str]) -> str:
    named = [
        f"{name}: {cell}" if name else cell
        for name, cell in zip(header[1:], cells[1:], strict=False)
        if cell and cell != "-"
    ]
    return shortened("; ".join([cells[0] if cells else "", *named]))


def _code(block: Quotable, place: Place, words: Wording) -> Part:
    lines = block.units[0].text.split("\n")
    fence = "```"
    while any(line.lstrip().startswith(fence) for line in lines):
        fence += "`"
    shown = [shortened(line, 200) for line in lines[:MAX_CODE]]
    note = [words.more_lines.format(count=len(lines) - MAX_CODE)] if len(lines) > MAX_CODE else []
    return Part("\n".join([fence + block.info, *shown, fence, *note]), place, verbatim=True)
