"""What happens if: the branch or the error whose condition a question names."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from docs_agent.core.text import language_of, normalize, stems
from docs_agent.retrieval.answers.draft import Part
from docs_agent.retrieval.answers.errors import condition_cell
from docs_agent.retrieval.answers.passages import Passage, Statement
from docs_agent.retrieval.answers.rendering import quoted
from docs_agent.retrieval.answers.terms import Terms
from docs_agent.retrieval.answers.wording import Wording

ROLES: Final = ("alternative_flow", "error_handling", "errors")
"""Sections that say what happens otherwise."""
COVERED: Final = 0.6
"""Share of the condition that a branch must name."""
UNASKED: Final = 0.9
"""The same, of the whole question, where it does not say "if"."""
UNASKED_WORDS: Final = 2
NEAR: Final = 0.85
"""Share of the best figure that a further branch needs."""
MAX_BRANCHES: Final = 3
_LONGEST: Final = 1000
"""Characters of a question that are looked at."""
_IF = re.compile(r"\b(?:if|unless|in case(?: of)?|если|в случае)\b(?P<said>.*)")
_WHEN = re.compile(
    r"(?:^|\b(?:what|which|how|что|какой|какая|какое|какие|как)\b.*,\s*|"
    r"\bwhat (?:happens|does|will|is)\b.*|"
    r"\bчто (?:будет|происходит|произойдет|случится|делает)\b.*)"
    r"\b(?:when|after|on|during|когда|при|после|во время)\b(?P<said>.*)"
)
_ASKS = re.compile(
    r"\b(?:what|which|how|who|where|when|why|что|как\w*|кто|где|когда|почему|зачем|сколько|чем)\b"
)


def condition(question: str) -> str:
    """The part of a question that names a condition: "what … if the queue is full". Empty for a
    question without one; "when is …" asks for a time."""
    text = normalize(question)[:_LONGEST]
    found = _IF.search(text) or _WHEN.search(text)
    if found is None:
        return ""
    before, comma, after = found["said"].partition(",")
    opens = not text[: found.start("said")].strip(" ,").count(" ")
    if comma and opens and _ASKS.search(after):
        return before
    return "" if opens and found.re is _WHEN else found["said"]


def _tells(question: str) -> bool:
    """True for a question that only tells of something: "the lamp does not answer"."""
    text = normalize(question).rstrip()
    return not text.endswith("?") and _ASKS.search(text) is None


def branches(
    found: Sequence[Passage], question: str, terms: Terms, asked: Terms, words: Wording
) -> tuple[Part, ...]:
    """The branches and errors of a document (`found`) whose condition the question names.

    asked: the terms that do not merely name the document.
    """
    said = frozenset(stems(condition(question)))
    if said:
        named = Terms(tuple(t for t in terms.items if not t.same.isdisjoint(said)))
        own = Terms(tuple(t for t in asked.items if not t.same.isdisjoint(said)))
        wanted, least = own if own.items else named, COVERED
    elif _tells(question) and len(asked.items) >= UNASKED_WORDS:
        wanted, least = asked, UNASKED
    else:
        return ()
    wanted = _translated(wanted, question, found)
    figures = [
        (wanted.reached(set(stems(_condition_of(passage, s)))), passage, s)
        for passage in found
        if passage.role in ROLES
        for s in passage.statements
        if passage.blocks[s.block].kind in ("list", "table")
    ]
    best = max((figure for figure, *_ in figures), default=0.0)
    if not wanted.items or best < least:
        return ()
    kept = [(p, s) for figure, p, s in figures if figure >= NEAR * best]
    if len(kept) > MAX_BRANCHES:
        return ()
    parts: list[Part] = []
    for passage in found:
        told = quoted(passage, [s for p, s in kept if p is passage], words)
        parts.extend((told[0].opened(), *told[1:]) if told and parts else told)
    return tuple(parts)


def _translated(wanted: Terms, question: str, found: Sequence[Passage]) -> Terms:
    """Without the words that a document in another language nowhere says: it may say them in its
    own."""
    text = " ".join(s.unit.text for p in found if p.role in ROLES for s in p.statements)
    if language_of(text) == language_of(question):
        return wanted
    said = frozenset().union(*(s.found for p in found for s in p.statements))
    return Terms(tuple(t for t in wanted.items if not t.same.isdisjoint(said)))


def _condition_of(passage: Passage, statement: Statement) -> str:
    """What must be the case: the words before the colon, or the cells that say when."""
    block = passage.blocks[statement.block]
    if block.kind == "table":
        return condition_cell(block, statement.unit) or statement.unit.text
    before, colon, _ = statement.unit.text.partition(": ")
    return before if colon else statement.unit.text
