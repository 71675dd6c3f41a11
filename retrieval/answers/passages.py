"""The sections of a document as passages, ranked by how well they answer the question."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import accumulate
from typing import Final, NamedTuple

from docs_agent.core.embed.protocol import Encoder
from docs_agent.core.layers import D0
from docs_agent.core.rows import Row
from docs_agent.core.store.protocol import Reader, RowFilter
from docs_agent.core.text import stems
from docs_agent.retrieval.answers.cards import is_housekeeping
from docs_agent.retrieval.answers.draft import Place
from docs_agent.retrieval.answers.quote import Quotable, Unit
from docs_agent.retrieval.answers.quotes import Quotes
from docs_agent.retrieval.answers.terms import Terms, is_number
from docs_agent.retrieval.rerank import Remember, Window, compare
from docs_agent.retrieval.rerank_windows import WINDOW
from docs_agent.templates.lookup import section_role

TITLE_WEIGHT: Final = 0.5
"""What a heading that speaks of the question adds to what the text says."""
PATH_WEIGHT: Final = 0.2
PRIOR_WEIGHT: Final = 0.4
"""What the best row of retrieval gains over a row that retrieval did not hand on."""
NUMBER_WEIGHT: Final = 0.4
"""What the number that is asked for adds in a heading, and another number takes away."""
MEANING_WEIGHT: Final = 1.2
"""What a cosine similarity of 1 adds."""
_ROWS: Final = 2000
MAX_LINES: Final = 20_000
"""Lines of one document that are read for an answer, those of overlapping rows counted twice."""
_COMPARED: Final = 8
"""Passages whose statements an encoder looks at."""
_COMPARED_UNITS: Final = 4
"""Statements of each."""


class Meaning(NamedTuple):
    """What compares meanings."""

    encoder: Encoder
    remember: Remember | None = None
    """Keeps the vectors for the next question."""


class Statement(NamedTuple):
    """A quotable unit with its figure."""

    unit: Unit
    block: int
    """Position of its block in the passage."""
    found: frozenset[str]
    """Its stems."""
    score: float = 0.0
    """How much it says about the question, meaning included."""
    words: float = 0.0
    """Share of the question that it says in words, its label included."""
    joint: float = 0.0
    """Share of the question said by it, its heading and its table's header together."""


class Passage(NamedTuple):
    """One D0 row, read."""

    row: Row
    document_title: str
    section: str
    """Section path, headings joined by ` › `."""
    title: str
    """Heading of the section."""
    role: str
    """Meaning of the heading in the document model, empty when it has none."""
    blocks: tuple[Quotable, ...]
    statements: tuple[Statement, ...]
    score: float = 0.0
    alone: bool = False
    """True when its document has no other passage."""
    named: float = 0.0
    """Share of the question that the heading says; 0 where the heading is that of the document."""
    bonus: float = 0.0
    """What the rank of its document has added to the score."""

    def place(self, start: int, end: int) -> Place:
        return Place(self.row.path, start, end, self.document_title, self.section)

    def label_of(self, block: int) -> int:
        """Position of the label (a tab, a bold line) that names a block; -1 when none does."""
        above = next(
            (i for i in range(block - 1, -1, -1) if self.blocks[i].kind in ("label", "heading")), -1
        )
        if above < 0 or self.blocks[above].kind == "heading" or self.blocks[block].kind == "label":
            return -1
        if any(later.kind == "label" for later in self.blocks[block + 1 :]):
            return above
        # Where the last tab ends cannot be told: it keeps its first block and what that announces.
        between = self.blocks[above + 1 : block]
        announced = len(between) == 1 and between[0].units[-1].text.endswith(":")
        return above if not between or announced else -1

    @property
    def is_page(self) -> bool:
        """True for text that stands under the title of its document and not under a heading."""
        return self.title in ("", self.document_title)

    def raised(self, gain: float) -> Passage:
        """The same passage with a higher score."""
        return self._replace(score=self.score + gain)


def section_of(row: Row) -> str:
    """Section path of a row as text."""
    path = row.metadata.get("section_path", "")
    if isinstance(path, str):
        return path
    return " › ".join(map(str, path)) if isinstance(path, list | tuple) else ""


def passages(quotes: Quotes, path: str, title: str) -> tuple[Passage, ...]:
    """The passages of a document in document order, unranked; of one that is longer than MAX_LINES
    lines those that begin within as many. They are read once for an answer."""
    return quotes.once((path, title), lambda: _read(quotes, path, title))


def _read(quotes: Quotes, path: str, title: str) -> tuple[Passage, ...]:
    found = quotes.reader.rows_of(RowFilter(layers=(D0,), paths=(path,)), _ROWS)
    before = accumulate((row.span_end - row.span_start + 1 for row in found), initial=0)
    rows = [row for row, lines in zip(found, before, strict=False) if lines < MAX_LINES]
    read = zip(rows, quotes.of(rows), strict=True)
    return tuple(_passage(row, parts, title)._replace(alone=len(rows) == 1) for row, parts in read)


def ranked(
    found: Sequence[Passage], terms: Terms, best_rows: Sequence[Row], sure: float = 1.0
) -> tuple[Passage, ...]:
    """The passages of a document, best first, by words. `best_rows` are the rows of retrieval,
    best first; `sure`: how far words can be trusted, 0.0 to 1.0."""
    prior = _prior(best_rows)
    scored = [
        _scored(p, terms, prior.get((p.row.span_start, p.row.span_end), 0.0), sure) for p in found
    ]
    return tuple(sorted(scored, key=lambda p: (-p.score, p.row.span_start)))


def _passage(row: Row, parts: tuple[Quotable, ...], title: str) -> Passage:
    section = section_of(row)
    heading = section.rpartition(" › ")[2]
    role = section_role(heading)
    statements = tuple(
        Statement(unit, index, frozenset(stems(unit.text)))
        for index, block in enumerate(parts)
        if block.kind != "heading"
        for unit in block.units
        if role != "summary" or not is_housekeeping(unit)
    )
    return Passage(row, title, section, heading, role, parts, statements)


def _prior(rows: Sequence[Row]) -> dict[tuple[int, int], float]:
    own = [row for row in rows if row.layer == D0]
    return {
        (row.span_start, row.span_end): 1 - rank / (len(own) + 1) for rank, row in enumerate(own)
    }


def _scored(passage: Passage, terms: Terms, prior: float, sure: float) -> Passage:
    heading = set(stems(passage.title))
    above = set(stems(passage.section))
    found = [s.found for s in passage.statements]
    body: set[str] = set().union(*found, *(stems(" ".join(b.header)) for b in passage.blocks))
    said = (
        terms.covered(body | heading)
        + TITLE_WEIGHT * terms.covered(heading)
        + PATH_WEIGHT * terms.covered(above)
    )
    score = sure * said + PRIOR_WEIGHT * prior
    labels = tuple(_label_stems(passage, block) for block in range(len(passage.blocks)))
    statements = []
    for s in passage.statements:
        own = s.found | labels[s.block]
        header = set(stems(" ".join(passage.blocks[s.block].header)))
        share = terms.covered(own)
        joint = terms.covered(own | heading | header)
        statements.append(s._replace(score=sure * share, words=share, joint=joint))
    score += NUMBER_WEIGHT * _numbered(heading, terms)
    named = 0.0 if passage.is_page else terms.covered(heading)
    return passage._replace(score=score, statements=tuple(statements), named=named)


def _numbered(heading: Collection[str], terms: Terms) -> int:
    """1 for a heading with the number that is asked for ("Day 1"), -1 for one with others only."""
    asked = [t.same for t in terms.items if is_number(t.stem)]
    own = {stem for stem in heading if is_number(stem)}
    if not asked or not own:
        return 0
    return 1 if any(not same.isdisjoint(own) for same in asked) else -1


def _label_stems(passage: Passage, block: int) -> frozenset[str]:
    label = passage.label_of(block)
    if label < 0:
        return frozenset()
    return frozenset(stems(" ".join(unit.text for unit in passage.blocks[label].units)))


def compared(
    found: Sequence[Passage], question: str, meaning: Meaning, reader: Reader
) -> tuple[Passage, ...]:
    """The passages, best first, the best ones by their meaning too: each statement gains by how
    near it is to the question, a passage by its best statement. What was not looked at gains as
    much as the farthest that was."""
    near = found[:_COMPARED]
    looked = [_looked_at(passage) for passage in near]
    windows = [
        Window(i, passage.row.path, f"{passage.title}. {s.unit.text}"[:WINDOW], 0.0)
        for i, (passage, s) in enumerate(
            (p, s) for p, own in zip(near, looked, strict=True) for s in own
        )
    ]
    if not windows:
        return tuple(found)
    likeness = compare(question, windows, meaning.encoder, reader, meaning.remember).rows
    gains = iter(MEANING_WEIGHT * max(likeness[i], 0.0) for i in range(len(windows)))
    gained = [{s: next(gains) for s in own} for own in looked]
    best = [max(own.values(), default=0.0) for own in gained]
    result = [
        _gained(passage, own, gain) for passage, own, gain in zip(near, gained, best, strict=True)
    ]
    result += [p.raised(min(best)) for p in found[_COMPARED:]]
    return tuple(sorted(result, key=lambda p: -p.score))


def _looked_at(passage: Passage) -> list[Statement]:
    """The statements whose meaning is compared: those that say most in words, then the first."""
    order = sorted(passage.statements, key=lambda s: (-s.words, s.unit.start))
    return order[:_COMPARED_UNITS]


def _gained(passage: Passage, gains: dict[Statement, float], best: float) -> Passage:
    floor = min(gains.values(), default=0.0)
    statements = tuple(s._replace(score=s.score + gains.get(s, floor)) for s in passage.statements)
    return passage._replace(statements=statements, score=passage.score + best)
