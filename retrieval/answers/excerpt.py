"""Choosing what to quote of a passage and putting it into parts."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import Final, NamedTuple

from docs_agent.core.text import normalize
from docs_agent.retrieval.answers.draft import Part, Place
from docs_agent.retrieval.answers.passages import Passage, Statement
from docs_agent.retrieval.answers.quote import DEFINED, BlockKind, Quotable, Unit, plain, shortened
from docs_agent.retrieval.answers.wording import Wording
from docs_agent.templates.lookup import name_form

WHOLE_PASSAGE: Final = 700
"""Characters up to which a section is quoted whole."""
WHOLE_PAGE: Final = 350
"""The same for a document without sections, which speaks of several things."""
SMALL_SECTION: Final = 900
"""Characters of a section in which code belongs to the sentence before it."""
CODE_SAYS: Final = 0.3
"""Share of the question in the words of code that is quoted for its own sake."""
FEW: Final = 5
"""Items of a list that is not cut into single ones."""
WHOLE_PARAGRAPH: Final = 350
"""Characters up to which the sentences of a paragraph stay together."""
ANNOUNCING: Final = (":", "?")
"""Ends of a sentence that cannot stand without what follows."""
APART_SAYS: Final = 0.3
"""Share of the question that an item must say to be the answer without its neighbours."""
_HEADING: Final = 90
_VALUE_WORDS: Final = 4
_NAME = r"--?\w[\w-]*|\w+(?:[._]\w+)+|_\w+|\w+\(\)|[a-z]+[A-Z]\w*|[A-Z][a-z]+[A-Z]\w*"
"""An identifier in a heading."""
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
WORTH_OF_PAGE: Final = 0.6
"""Share of the best statement's score that counts in a document without sections."""
WORTH: Final = 0.35
"""Share of the best statement's score that is enough."""
TABLE_WIDTH: Final = 100
"""Characters; a wider table becomes a list."""
_YES: Final = frozenset(("yes", "true", "да", "+", "✓", "✔", "✅"))
_PLAIN_COLUMNS: Final = frozenset(
    ("type", "description", "meaning", "what", "тип", "описание", "значение", "что")
)
"""Columns of a list whose cells are understood without their names."""


class Budget(NamedTuple):
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
    chosen = _from_the_first_step(passage, _chosen(passage, budget))
    return quoted(passage, chosen, words, counted=True, headed=True)


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
    counted: rows of a table that were not chosen are counted below it;
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
            told = _block(block, units, place, words, most)
            parts.extend([told[0]._replace(text=label + told[0].text)] if label else told)
            label = ""
            if counted and block.kind == "table":
                parts.extend(_rest(passage, chosen, index, units[-1], words))
    value = _value(passage, parts)
    return tuple(parts and (value or [*heading, *parts]))


def _names_text(passage: Passage, label: int, run: Sequence[Statement]) -> bool:
    """True for a label before running text, with which it shares a line."""
    following = next((s.block for s in run if s.block > label), label)
    return following > label and passage.blocks[following].kind == "paragraph"


def _named(units: Sequence[Unit]) -> str:
    name = " ".join(unit.text for unit in units)
    return name if name.endswith(":") else f"{name}:"


def _rest(
    passage: Passage, chosen: Collection[Statement], index: int, last: Unit, words: Wording
) -> list[Part]:
    """How many rows of a table were not chosen, below the last that was."""
    shown = [s.unit for s in chosen if s.block == index]
    left = len(passage.blocks[index].units) - len(shown)
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


def _runs(passage: Passage, chosen: Collection[Statement]) -> list[list[Statement]]:
    """Chosen statements that stand next to each other: they share one citation, and so does a
    label with what it names."""
    runs: list[list[Statement]] = []
    fresh = True
    for statement in passage.statements:
        if statement not in chosen:
            fresh = not runs or _kind(passage, runs[-1][-1]) != "label"
            continue
        if fresh:
            runs.append([])
        runs[-1].append(statement)
        fresh = False
    return runs


def _chosen(passage: Passage, budget: Budget) -> set[Statement]:
    everything = [
        s for s in _standing(passage) if passage.blocks[s.block].info not in DRAWINGS
    ] or list(passage.statements)
    limit = WHOLE_PAGE if passage.alone else WHOLE_PASSAGE
    if _cost(everything).within(Budget(budget.lines, min(limit, budget.characters))):
        return _with_labels(passage, everything)
    worth = WORTH_OF_PAGE if passage.alone else WORTH
    best = sorted(everything, key=lambda s: (_is_aside(passage, s), -s.score, s.unit.start))
    chosen: set[Statement] = set()
    left = budget
    for statement in best:
        weak = statement.score < worth * best[0].score or _is_aside(passage, statement)
        if weak and (len(chosen) >= ENOUGH or (chosen and passage.alone)):
            break
        for group in (companions(passage, statement), [statement]):
            fresh = [s for s in group if s not in chosen]
            if _cost(fresh).within(left) or (not chosen and group == [statement]):
                chosen.update(fresh)
                left = left.less(_cost(fresh))
                break
    return _with_labels(passage, _bridged(passage, everything, chosen, left))


def _bridged(
    passage: Passage, everything: Sequence[Statement], chosen: set[Statement], left: Budget
) -> set[Statement]:
    """The chosen statements with single ones of running text between them: an argument does not
    lose its middle."""
    for before, between, after in zip(everything, everything[1:], everything[2:], strict=False):
        alone = between not in chosen and before in chosen and after in chosen
        if alone and _kind(passage, between) == "paragraph" and _cost([between]).within(left):
            chosen = chosen | {between}
            left = left.less(_cost([between]))
    return chosen


def _standing(passage: Passage) -> list[Statement]:
    """The statements without those of a list or table of which some items alone answer, and
    without the tabs that are not asked for where one is."""
    labels = {s.block: s.words for s in passage.statements if _kind(passage, s) == "label"}
    asked = {block for block, said in labels.items() if said > 0}
    apart = {s.block for s in passage.statements if _apart(passage, s)}
    kept = []
    for s in passage.statements:
        label = s.block if s.block in labels else passage.label_of(s.block)
        if asked and label >= 0 and label not in asked:
            continue
        if s.block not in apart or _apart(passage, s):
            kept.append(s)
    return kept


def _kind(passage: Passage, statement: Statement) -> BlockKind:
    return passage.blocks[statement.block].kind


def _listed(passage: Passage, statement: Statement) -> bool:
    return _kind(passage, statement) in ("list", "table")


def _with_labels(passage: Passage, chosen: Collection[Statement]) -> set[Statement]:
    """The statements with the labels of their blocks, without labels of nothing."""
    blocks = {s.block for s in chosen if passage.blocks[s.block].kind != "label"}
    labels = {passage.label_of(block) for block in blocks}
    return {s for s in passage.statements if s.block in labels} | {
        s for s in chosen if s.block in blocks
    }


def _from_the_first_step(passage: Passage, chosen: set[Statement]) -> set[Statement]:
    """A procedure is never entered in the middle: the steps before those chosen come along."""
    last: dict[int, Statement] = {}
    count: dict[int, int] = {}
    for s in passage.statements:
        if s in chosen and _listed(passage, s):
            last[s.block] = s
            count[s.block] = count.get(s.block, 0) + 1
    ordered = {
        block
        for block, s in last.items()
        if (count[block] > 1 or not _apart(passage, s)) and passage.blocks[block].units[0].number
    }
    reached: set[int] = set()
    added: set[Statement] = set()
    for s in passage.statements:
        if s.block in ordered and s.block not in reached:
            added.add(s)
            if s == last[s.block]:
                reached.add(s.block)
    return chosen | added


def _is_aside(passage: Passage, statement: Statement) -> bool:
    """True for long code, drawings and code nobody announces: quoted last."""
    block = passage.blocks[statement.block]
    if block.kind != "code":
        return False
    if block.info in DRAWINGS or _is_long(statement):
        return True
    return not _announced(passage, statement.block) and statement.words < CODE_SAYS


def _announced(passage: Passage, block: int) -> bool:
    """True for a block that opens its section, has a label or follows a sentence with a colon."""
    before = passage.blocks[block - 1] if block else None
    if before is None or before.kind in ("label", "heading"):
        return True
    return bool(before.units) and before.units[-1].text.endswith(":")


def _is_long(code: Statement) -> bool:
    return code.unit.text.count("\n") >= MAX_CODE


def _cost(statements: Sequence[Statement]) -> Budget:
    lines = sum(min(s.unit.text.count("\n") + 1, MAX_CODE) for s in statements)
    return Budget(lines, sum(len(s.unit.text) for s in statements))


def companions(passage: Passage, statement: Statement) -> list[Statement]:
    """A statement with what it cannot be read without: the list or code it announces or that
    shows what it says, the sentence that announces it, the whole of a short list or table."""
    block = passage.blocks[statement.block]
    group = [statement]
    if (
        block.kind in ("list", "table")
        and len(block.units) <= WHOLE_LIST
        and not _apart(passage, statement)
    ):
        group = [s for s in passage.statements if s.block == statement.block]
    if block.kind == "paragraph" and sum(len(u.text) for u in block.units) <= WHOLE_PARAGRAPH:
        group = [s for s in passage.statements if s.block == statement.block]
    group += _following(passage, group[-1])
    if block.kind == "code" or (block.kind in ("list", "table") and len(group) > 1):
        before = [s for s in passage.statements if s.block == statement.block - 1]
        if before and (before[-1].unit.text.endswith(ANNOUNCING) or block.kind == "code"):
            group = [before[-1], *group]
    return list(dict.fromkeys(group))


def _following(passage: Passage, statement: Statement) -> list[Statement]:
    block = passage.blocks[statement.block]
    following = [s for s in passage.statements if s.block == statement.block + 1]
    if not following or block.kind not in ("paragraph", "label"):
        return []
    kind = passage.blocks[statement.block + 1].kind
    if statement.unit.text.endswith(ANNOUNCING) or block.kind == "label":
        if kind in ("code", "label") or len(following) <= WHOLE_LIST:
            return following
        return []
    shows = kind == "code" and statement.unit == block.units[-1]
    small = _cost(passage.statements).characters <= SMALL_SECTION
    if shows and not _is_aside(passage, following[0]._replace(words=1.0)):
        return following if small or following[0].words >= CODE_SAYS else []
    return []


def _apart(passage: Passage, statement: Statement) -> bool:
    """True when an item alone answers: it says more of the question than the rest of its list or
    table. Few items that nothing names belong together."""
    if not _listed(passage, statement):
        return False
    own = [s for s in passage.statements if s.block == statement.block]
    said = sorted((s.words for s in own), reverse=True)
    if len(said) < 2 or said[0] <= APART_SAYS or statement.words < 0.8 * said[0]:
        return False
    block = passage.blocks[statement.block]
    named = block.kind == "table" or block.info == DEFINED
    rest = [words for words in said if words < 0.8 * said[0]]
    factor = 1.5 if named else 2.0
    if len(own) < FEW and not named:
        return False
    return bool(rest) and said[0] > factor * max(rest) and len(rest) * 2 >= len(said)


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
