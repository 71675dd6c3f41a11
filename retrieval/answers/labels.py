"""A single value that a document states as `Key: value`, asked for by the key or a word like it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from docs_agent.core.text import normalize, stems
from docs_agent.retrieval.answers.draft import Part
from docs_agent.retrieval.answers.passages import Passage, Statement
from docs_agent.retrieval.answers.rendering import quoted
from docs_agent.retrieval.answers.terms import Terms
from docs_agent.retrieval.answers.wording import Wording
from docs_agent.templates.lookup import section_role

LABEL_WORDS: Final = 4
VALUES: Final = 2
"""Statements with a key that fits; more of them are no single value."""


def labelled(
    found: Sequence[Passage], wanted: Terms, said: Collection[str], words: Wording
) -> tuple[Part, ...]:
    """The statements whose key says all that is wanted, at most `VALUES`; none where more do.

    said: texts that the answer has already.
    """
    if not wanted.items:
        return ()
    known = [normalize(text) for text in said]
    kept: list[tuple[Passage, Statement]] = []
    for passage in found:
        if any(section_role(name) == "integrations" for name in passage.section.split(" › ")):
            continue
        for s in passage.statements:
            label = set(stems(_label(passage, s)))
            spoken = normalize(s.unit.text)
            if (
                label
                and all(not t.same.isdisjoint(label) for t in wanted.items)
                and not any(spoken.endswith(one) for one in known)
            ):
                kept.append((passage, s))
    if len(kept) > VALUES:
        return ()
    parts: list[Part] = []
    for passage in found:
        parts.extend(quoted(passage, [s for p, s in kept if p is passage], words))
    return tuple(parts)


def _label(passage: Passage, statement: Statement) -> str:
    """The key of `Key: value`; empty for another statement and for the number of a requirement."""
    if passage.blocks[statement.block].kind not in ("list", "paragraph") or statement.unit.number:
        return ""
    label, colon, value = statement.unit.text.partition(": ")
    short = 0 < len(label.split()) <= LABEL_WORDS and "`" not in label
    return label if colon and value.strip() and short else ""
