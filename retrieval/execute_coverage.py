"""Which words of the question the best documents contain."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from docs_agent.core.layers import D0, D1, D2, D3
from docs_agent.core.store.protocol import Reader, RowFilter
from docs_agent.retrieval.execute_concepts import same_concept
from docs_agent.retrieval.execute_terms import Question
from docs_agent.retrieval.fusion import WEIGHTS

MAX_LOOKUPS: Final = 24
"""Stems that are looked up, the rarest ones."""
_BESIDE_PAGES: Final = (D2, D3, D0)
"""Layers that hold what a page's text does not: its frontmatter, the entities it is filed under."""


def contained(
    reader: Reader, question: Question, paths: Sequence[str]
) -> Mapping[str, frozenset[str]]:
    """Stems of the question, corrected ones included, found on each page.

    A stem whose concept the page names in another word, of either language, is found as well.
    """
    found: dict[str, set[str]] = {path: set() for path in paths}
    if not found:
        return {}
    where = RowFilter(paths=tuple(paths))

    def look_up(stem: str, words: tuple[str, ...]) -> None:
        for hit in reader.lexical(D1, words, where, WEIGHTS, len(found)):
            found[hit.path].add(stem)

    wanted = sorted(question.idf, key=lambda s: (-question.idf[s], s))[:MAX_LOOKUPS]
    for stem in wanted:
        words = (*((stem,) if stem in question.known else ()), *sorted(same_concept(stem)))
        if words:
            look_up(stem, words)
    for stem in question.corrected:
        look_up(stem, (stem,))
    return {path: frozenset(stems) for path, stems in found.items()}


def filed_under(reader: Reader, question: Question) -> frozenset[str]:
    """Stems that no page says, but a record made of its frontmatter does: a domain, a status."""
    unknown = [s for s in question.idf if s not in question.known][:MAX_LOOKUPS]
    return frozenset(
        stem
        for stem in unknown
        if any(reader.lexical(layer, (stem,), RowFilter(), WEIGHTS, 1) for layer in _BESIDE_PAGES)
    )
