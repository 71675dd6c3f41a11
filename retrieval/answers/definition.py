"""What a word means: the statement of which the word is the subject."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from docs_agent.core.text import stems
from docs_agent.retrieval.answers.draft import Part
from docs_agent.retrieval.answers.passages import Passage, Statement
from docs_agent.retrieval.answers.rendering import quoted
from docs_agent.retrieval.answers.terms import Terms, fillers
from docs_agent.retrieval.answers.wording import Wording

_SEPARATOR: Final = r"(?i) [—–-] (?:это )?|: | (?:is|are|means|это|означает|является) "
_SUBJECT: Final = 60
"""Characters of what is defined."""
_COVERED: Final = 0.75
"""Share of the question that the subject must say."""
_LENGTH: Final = 350
"""Characters of the paragraph that the definition brings along."""


def definition(found: Sequence[Passage], terms: Terms, words: Wording) -> tuple[Part, ...]:
    """The statement that says what the words of the question mean, with its short paragraph."""
    best: tuple[float, Passage, Statement] | None = None
    for passage in found:
        for s in passage.statements:
            figure = _defines(s, passage, terms)
            if figure and (best is None or figure > best[0]):
                best = (figure, passage, s)
    if best is None:
        return ()
    _, passage, statement = best
    block = passage.blocks[statement.block]
    chosen = [statement]
    if block.kind == "paragraph" and sum(len(u.text) for u in block.units) <= _LENGTH:
        chosen = [s for s in passage.statements if s.block == statement.block]
    return quoted(passage._replace(title=""), chosen, words)


def _defines(statement: Statement, passage: Passage, terms: Terms) -> float:
    """How well a statement defines the words; 0 when it does not."""
    kind = passage.blocks[statement.block].kind
    if kind not in ("paragraph", "list", "table"):
        return 0.0
    if kind == "table":
        subject = statement.unit.cells[0] if statement.unit.cells else ""
        sure = 0.0
    else:
        match = re.search(_SEPARATOR, statement.unit.text[: _SUBJECT + 20])
        if match is None or match.start() > _SUBJECT:
            return 0.0
        subject = statement.unit.text[: match.start()]
        sure = 0.2 if match[0].strip() in ("—", "–", "-", ":") else 0.1
    own = frozenset(stems(subject))
    known = frozenset(s for term in terms.items for s in term.same)
    foreign = own - known - fillers()
    covered = terms.covered(own)
    if foreign or covered < _COVERED:
        return 0.0
    return covered + sure
