"""Putting what was chosen of a passage into parts: headings, runs, lists, tables, code."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import Final

from docs_agent.core.text import normalize
from docs_agent.retrieval.answers.draft import Part, Place
from docs_agent.retrieval.answers.passages import Passage, Statement
from docs_agent.retrieval.answers.quote import BlockKind, Quotable, Unit, plain, shortened
from docs_agent.retrieval.answers.wording import Wording
from docs_agent.templates.lookup import name_form

ANNOUNCING: Final = (":", "?")
"""Ends of a sentence that cannot stand without what follows."""
_HEADING: Final = 90
_VALUE_WORDS: Final = 4
_NAME = r"--?\w[\w-]*|\w+(?:[._]\w+)+|_\w+|\w+\(\)|[a-z]+[A-Z]\w*|[A-Z][a-z]+[A-Z]\w*"
"""An identifier in a heading."""
MAX_ITEMS: Final = 12
MAX_ROWS: Final = 14
"""Rows of a table, lines of code; the rest is counted in a note."""
MAX_CODE: Final = 12
TABLE_WIDTH: Final = 100
"""Characters; a wider table becomes a list."""
_YES: Final = frozenset(("yes", "true", "да", "+", "✓", "✔", "✅"))
_PLAIN_COLUMNS: Final = frozenset(
    ("type", "description", "meaning", "what", "тип", "описание", "значение", "что")
)
"""Columns of a list whose cells are understood without their names."""


def quoted(
    passage: Passage,
    chosen: Collection[Statement],
    words: Wording,
    most: int = 0,
    *,
    counted: bool = False,
    headed: bool = False,
) -> tuple[Part, ...]:
    """The chosen statements in document order; neighbours share one citation.

    most: rows, items and lines of a block that are shown, where not as many as in any answer;
    counted: rows of a table, and items of a list that goes on, are counted below where they were
    not chosen;
    headed: the heading always comes first, not only where nothing could be understood without it.
    """
    parts: list[Part] = []
    heading: list[Part] = []
    for run in _runs(passage, chosen):
        place = passage.place(run[0].unit.start, max(s.unit.end for s in run))
        if not parts:
            heading = heading or _heading(passage, run, place, always=headed)
        label = ""
        for index in dict.fromkeys(s.block for s in run):
            block = passage.blocks[index]
            units = [s.unit for s in run if s.block == index]
            if block.kind == "label" and _names_text(passage, index, run):
                label = _named(units) + " "
                continue
            if _announces_nothing(passage, index):
                units[-1] = units[-1]._replace(text=_closed(units[-1].text))
            cut = counted and _is_cut(block, units)
            hidden = max(0, len(units) - MAX_ITEMS) if cut else 0
            last = units[-1]
            told = _block(block, units[: len(units) - hidden], place, words, most)
            parts.extend([told[0]._replace(text=label + told[0].text)] if label else told)
            label = ""
            if cut or (counted and block.kind == "table"):
                parts.extend(_rest(passage, chosen, index, last, hidden, words))
    value = _value(passage, parts)
    return tuple(parts and (value or [*heading, *parts]))


def _names_text(passage: Passage, label: int, run: Sequence[Statement]) -> bool:
    """True for a label before running text, with which it shares a line."""
    following = next((s.block for s in run if s.block > label), label)
    return following > label and passage.blocks[following].kind == "paragraph"


def _named(units: Sequence[Unit]) -> str:
    name = " ".join(unit.text for unit in units)
    return name if name.endswith(":") else f"{name}:"


def _announces_nothing(passage: Passage, index: int) -> bool:
    """True for running text at the end of a section: what its colon announced is not in the index
    (an included file, a picture)."""
    return passage.blocks[index].kind == "paragraph" and index == len(passage.blocks) - 1


def _closed(text: str) -> str:
    return f"{text[:-1].rstrip()}." if text.endswith(":") else text


def _is_cut(block: Quotable, units: Sequence[Unit]) -> bool:
    """True for the beginning of a list of bullets that is not shown to its end."""
    begins = units[0] == block.units[0] and units[-1] != block.units[-1]
    return block.kind == "list" and begins and not units[0].number


def _rest(
    passage: Passage,
    chosen: Collection[Statement],
    index: int,
    last: Unit,
    hidden: int,
    words: Wording,
) -> list[Part]:
    """How many rows of a table or items of a list were not chosen, below the last that was;
    `hidden` were chosen and are not shown."""
    shown = [s.unit for s in chosen if s.block == index]
    left = len(passage.blocks[index].units) - len(shown) + hidden
    if left <= 0 or last.start < max(unit.start for unit in shown):
        return []
    return [Part("  " + words.more_items.format(count=left))]


def _heading(
    passage: Passage, run: Sequence[Statement], place: Place, *, always: bool
) -> list[Part]:
    """The heading, so that a statement from the middle of a page has a subject; a heading that
    holds an identifier is part of what is said. That of a summary says nothing new."""
    first = passage.blocks[run[0].block].kind
    title = shortened(plain(passage.title), _HEADING)
    if passage.is_page and first not in ("table", "code"):
        return []
    if first in ("table", "code"):
        return [Part(_titled(title or passage.document_title), place)]
    names = set(re.findall(_NAME, title))
    said = " ".join(s.unit.text for s in run)
    needed = always or (first == "list" and len(run) > 1) or any(n not in said for n in names)
    return [Part(_titled(title))] if needed and passage.role != "summary" else []


def _titled(title: str) -> str:
    return title if title.endswith(ANNOUNCING) else f"{title}:"


def _value(passage: Passage, parts: Sequence[Part]) -> list[Part]:
    """A section that is one short value as `heading: value`; empty for another."""
    if len(parts) != 1 or parts[0].verbatim or passage.is_page:
        return []
    text = parts[0].text
    if text.startswith(" ") or text.endswith(":") or len(text.split()) > _VALUE_WORDS:
        return []
    return [parts[0]._replace(text=f"{plain(passage.title)}: {text}")]


def kind_of(passage: Passage, statement: Statement) -> BlockKind:
    """Kind of the block that a statement stands in."""
    return passage.blocks[statement.block].kind


def _runs(passage: Passage, chosen: Collection[Statement]) -> list[list[Statement]]:
    """Chosen statements that stand next to each other: they share one citation, and so does a
    label with what it names."""
    runs: list[list[Statement]] = []
    fresh = True
    for statement in passage.statements:
        if statement not in chosen:
            fresh = not runs or kind_of(passage, runs[-1][-1]) != "label"
            continue
        if fresh:
            runs.append([])
        runs[-1].append(statement)
        fresh = False
    return runs


def _block(
    block: Quotable, units: Sequence[Unit], place: Place, words: Wording, most: int
) -> list[Part]:
    if block.kind == "code":
        return [_code(block.units[0].text, block.info, place, words, most=most or MAX_CODE)]
    if block.kind == "table":
        return table(block.header, units, place, words, most or MAX_ROWS)
    if block.kind == "list":
        parts = items(units, place, words, most or MAX_ITEMS)
        left = len(block.units) - block.units.index(units[-1]) - 1
        begun = len(units) > 1 and units[0] == block.units[0] and bool(units[0].number)
        if left and begun and len(units) <= MAX_ITEMS:
            parts.append(Part("  " + words.more_items.format(count=left)))
        return parts
    if block.kind == "label":
        return [Part(_named(units), place)]
    return [Part(" ".join(unit.text for unit in units), place)]


def items(units: Sequence[Unit], place: Place, words: Wording, most: int = MAX_ITEMS) -> list[Part]:
    """List items, one line each, at most `most`."""
    base = min(unit.level for unit in units)
    parts = []
    for unit in units[:most]:
        if unit.info is not None:
            indent = "  " * (unit.level - base + 2)
            parts.append(_code(unit.text, unit.info, place, words, indent))
            continue
        mark = f"{unit.number}." if unit.number else "-"
        parts.append(Part(f"{'  ' * (unit.level - base + 1)}{mark} {unit.text}", place))
    if len(units) > most:
        parts.append(Part("  " + words.more_items.format(count=len(units) - most)))
    return parts


def table(
    header: Sequence[str],
    units: Sequence[Unit],
    place: Place,
    words: Wording,
    most: int = MAX_ROWS,
) -> list[Part]:
    """A table with aligned columns, or a list where the columns would not fit a terminal."""
    shown = units[:most]
    rows = [tuple(header), *(unit.cells for unit in shown)]
    widths = [max(len(row[i]) if i < len(row) else 0 for row in rows) for i in range(len(header))]
    note = words.more_lines.format(count=len(units) - most) if len(units) > most else ""
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
    """One row on a line: what a cell says for itself goes without the name of its column."""
    named = []
    for name, cell in zip(header[1:], cells[1:], strict=False):
        form = name_form(name)
        if normalize(cell).strip(" `*") in _YES and name:
            named.append(name.lower())
        elif form in _PLAIN_COLUMNS or not name:
            named.append(cell)
        else:
            named.append(f"{name}: {cell}")
        if cell in ("", "-", "–", "—"):
            named.pop()
    return shortened("; ".join([cells[0] if cells else "", *named]))


def _code(
    text: str, info: str, place: Place, words: Wording, indent: str = "", most: int = MAX_CODE
) -> Part:
    lines = text.split("\n")
    fence = "```"
    while any(line.lstrip().startswith(fence) for line in lines):
        fence += "`"
    shown = [shortened(line, 200) for line in lines[:most]]
    note = [words.more_lines.format(count=len(lines) - most)] if len(lines) > most else []
    block = [fence + info, *shown, fence, *note]
    return Part("\n".join(f"{indent}{line}".rstrip() for line in block), place, verbatim=True)
