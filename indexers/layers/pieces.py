"""Cutting a section's blocks into chunks that keep their exact lines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from docs_agent.indexers.blocks import TITLE_INFO
from docs_agent.indexers.document import Block
from docs_agent.indexers.layers.inline import plain, sentences

PART_LIMIT: Final = 1200
"""Characters of a part cut out of one endless line."""
_TINY: Final = 300
HARD_LIMIT: Final = 1500
"""Characters a chunk passes only when one piece alone is longer, or what would be left is tiny."""
PIECE_LIMIT: Final = 2800
"""A paragraph, list or quote longer than this is cut itself; tables and code never are."""
_LOOK_AHEAD: Final = 200
_MAX_LOOKS: Final = 10_000
"""Lines looked at ahead for one block; where nearly nothing matches, looking on finds nothing."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A block, or a part of a block that was too long."""

    text: str
    start: int
    end: int
    is_code: bool = False
    numbers: tuple[int, ...] = ()
    """File line of every line of the text; empty when they are `start`, `start + 1`, …"""

    def line_numbers(self) -> tuple[int, ...]:
        """File line of every line of the text."""
        return self.numbers or tuple(range(self.start, self.start + self.text.count("\n") + 1))

    @property
    def plain(self) -> str:
        """Words for search; code as it stands."""
        return self.text if self.is_code else plain(self.text)


@dataclass(frozen=True, slots=True)
class Chunk:
    """Neighbouring pieces of one section."""

    pieces: tuple[Piece, ...]

    @property
    def text(self) -> str:
        return "\n\n".join(p.text for p in self.pieces)

    @property
    def span(self) -> tuple[int, int]:
        return self.pieces[0].start, self.pieces[-1].end

    @property
    def line_numbers(self) -> list[int]:
        """File line of every line of the text; empty when the text has the lines of the span."""
        numbers: list[int] = []
        for piece in self.pieces:
            if numbers:
                numbers.append(max(numbers[-1], piece.start - 1))
            numbers.extend(piece.line_numbers())
        start, end = self.span
        return [] if numbers == list(range(start, end + 1)) else numbers


def chunks(blocks: Iterable[Block], lines: Sequence[str]) -> list[Chunk]:
    """Chunks of about 1,200 to 1,500 characters; blocks without text are left out."""
    found: list[Chunk] = []
    current: list[Piece] = []
    size = 0
    for piece in (p for block in blocks for p in _pieces(block, lines)):
        total = size + len(piece.text)
        if current and total > HARD_LIMIT and not (size < _TINY and total <= PIECE_LIMIT):
            # "Run this:" belongs to what it introduces.
            lead = [current.pop()] if _introduces(current[-1]) else []
            if current:
                found.append(Chunk(tuple(current)))
            current, size = lead, sum(len(p.text) for p in lead)
        current.append(piece)
        size += len(piece.text) + 2
    if current:
        found.append(Chunk(tuple(current)))
    return found


def _introduces(piece: Piece) -> bool:
    return not piece.is_code and len(piece.text) < _TINY and piece.text.rstrip().endswith(":")


def _pieces(block: Block, lines: Sequence[str]) -> Iterator[Piece]:
    if block.kind == "rule" or not block.text.strip():
        return
    is_code = block.kind == "code"
    fewer = block.text.count("\n") < block.end - block.start
    numbers = tuple(_line_numbers(block, lines)) if fewer else ()
    whole = Piece(block.text, block.start, block.end, is_code, numbers)
    if block.info == TITLE_INFO and "*" not in block.text:
        # Bold, so that the title of a tab can be told from a sentence when the chunk is read back.
        yield Piece(f"**{block.text}**", block.start, block.end, is_code, numbers)
        return
    if block.kind in ("table", "code") or len(block.text) <= PIECE_LIMIT:
        yield whole
        return
    numbered = list(zip(block.text.split("\n"), _line_numbers(block, lines), strict=True))
    starts = {item.line for item in block.items}
    yield from _packed(_units(numbered, starts), block.end)


def _units(numbered: Sequence[tuple[str, int]], starts: set[int]) -> Iterator[tuple[str, int]]:
    """The smallest parts a long block may be cut into: items of a list, else lines, each no longer
    than the limit; a fence inside a list stays with its item."""
    gathered: list[str] = []
    first = 0
    for text, line in numbered:
        if gathered and (line in starts or not starts):
            yield from _fitting("\n".join(gathered), first)
            gathered = []
        if not gathered:
            first = line
        gathered.append(text)
    if gathered:
        yield from _fitting("\n".join(gathered), first)


def _fitting(text: str, line: int) -> Iterator[tuple[str, int]]:
    if len(text) <= PIECE_LIMIT or "```" in text or "~~~" in text:
        yield text, line
        return
    for number, part in enumerate(text.split("\n")):
        if len(part) <= PIECE_LIMIT:
            yield part, line + number
            continue
        for sentence in sentences(part):
            for offset in range(0, len(sentence), PART_LIMIT):
                yield sentence[offset : offset + PART_LIMIT], line + number


def _packed(units: Iterable[tuple[str, int]], last_line: int) -> Iterator[Piece]:
    gathered: list[str] = []
    first = size = 0
    previous = 0
    for text, line in units:
        if gathered and size + len(text) > HARD_LIMIT:
            yield Piece("\n".join(gathered), first, max(first, line - 1, previous))
            gathered, size = [], 0
        if not gathered:
            first = line
        gathered.append(text)
        size += len(text) + 1
        previous = line
    if gathered:
        yield Piece("\n".join(gathered), first, max(first, last_line))


def _line_numbers(block: Block, lines: Sequence[str]) -> list[int]:
    """Original line of every line of the block's text, from which markup lines may be missing."""
    texts = block.text.split("\n")
    slack = max(0, block.end - block.start + 1 - len(texts))
    numbers: list[int] = []
    line = block.start
    looks = _MAX_LOOKS
    for text in texts:
        reach = min(slack, _LOOK_AHEAD, looks)
        looks -= reach
        for ahead in range(reach + 1):
            here = line + ahead
            if here <= min(block.end, len(lines)) and lines[here - 1].strip() == text.strip():
                slack -= ahead
                line = here
                break
        numbers.append(min(line, block.end))
        line += 1
    return numbers
