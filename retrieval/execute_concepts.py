"""Other words for the same: a document may say "authentication" where the question says "auth"."""

from __future__ import annotations

from functools import cache

from docs_agent.core.text import stems
from docs_agent.retrieval.answers.terms import CONCEPTS


def same_concept(stem: str) -> frozenset[str]:
    """Stems of both languages that mean the same, without the stem itself; often none."""
    return _concepts().get(stem, frozenset()) - {stem}


@cache
def _concepts() -> dict[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = {}
    for line in CONCEPTS:
        group = frozenset(stems(line))
        for stem in group:
            found[stem] = found.get(stem, frozenset()) | group
    return found
