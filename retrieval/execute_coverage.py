"""Which words of the question the best documents contain."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from docs_agent.core.layers import D1
from docs_agent.core.store.protocol import Reader, RowFilter
from docs_agent.retrieval.execute_terms import Question
from docs_agent.retrieval.fusion import WEIGHTS

MAX_LOOKUPS: Final = 24
"""Stems that are looked up, the rarest ones."""


def contained(
    reader: Reader, question: Question, paths: Sequence[str]
) -> Mapping[str, frozenset[str]]:
    """Stems of the question, corrected ones included, found on each page."""
    found: dict[str, set[str]] = {path: set() for path in paths}
    wanted = sorted(question.asked, key=lambda s: (-question.idf[s], s))[:MAX_LOOKUPS]
    where = RowFilter(paths=tuple(paths))
    for stem in (*wanted, *question.corrected):
        for hit in reader.lexical(D1, (stem,), where, WEIGHTS, len(found)) if found else ():
            found[hit.path].add(stem)
    return {path: frozenset(stems) for path, stems in found.items()}
