"""A bound on the work one document costs: markup beyond it stays in the index as text.

Time grows with the number of parser tokens, and a table alone can ask for a million of them. What
follows the last token allowed is cut into plain pieces, with a warning; no text is lost.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_block import StateBlock

MAX_TOKENS: Final = 90_000
"""Some 30,000 headings or paragraphs, 13,000 list items or 30,000 table cells."""
LIMITED: Final = "limited"
"""Key of the parser's environment: first line, 1-based, whose markup was not read."""
_REFUSED: Final = "limited-table"
_CELL_TOKENS: Final = 3
_PIECE_LINES: Final = 40
_DELIMITERS: Final = frozenset("|-: \t")


def install(parser: MarkdownIt) -> None:
    """Teach a parser to stop; to be called after all other rules are in."""
    from markdown_it import rules_block

    def table(state: StateBlock, start: int, end: int, silent: bool) -> bool:
        return not _too_large(state, start, end) and rules_block.table(state, start, end, silent)

    ruler = parser.block.ruler
    ruler.at("table", table, {"alt": ["paragraph", "reference"]})
    ruler.before(ruler.get_all_rules()[0], LIMITED, _rest)


def _rest(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Block rule: everything, once the limit is passed."""
    if silent or len(state.tokens) < MAX_TOKENS:
        return False
    state.env.setdefault(LIMITED, start + 1)
    # Inside a list or quote its own lines hold the text; to take all of them ends it at once.
    state.line = end if state.level else min(end, start + _PIECE_LINES)
    if not state.level:
        state.push("paragraph_open", "p", 1).map = [start, state.line]
        state.push("paragraph_close", "p", -1)
    return True


def _too_large(state: StateBlock, start: int, end: int) -> bool:
    """Whether a table that begins here would pass the limit by itself."""
    if start < state.env.get(_REFUSED, 0):
        return True
    if start + 1 >= end:
        return False
    columns = state.src[state.bMarks[start + 1] : state.eMarks[start + 1]]
    if not _DELIMITERS.issuperset(columns):
        return False
    last = start + 2
    while last < end and not state.isEmpty(last):
        last += 1
    cells = (columns.count("|") + 1) * (last - start)
    if len(state.tokens) + _CELL_TOKENS * cells <= MAX_TOKENS:
        return False
    # Remembered: each line of what is now a paragraph is asked again whether a table begins there.
    state.env[_REFUSED] = last
    state.env.setdefault(LIMITED, start + 1)
    return True
