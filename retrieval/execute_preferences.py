"""What raises a document without deciding: preferred folders, preferred names, named documents."""

from __future__ import annotations

from typing import Final

from docs_agent.core.layers import D1
from docs_agent.core.plans import RetrievalPlan
from docs_agent.core.store.protocol import Reader, RowFilter
from docs_agent.core.text import normalize
from docs_agent.retrieval.execute_filters import in_roots, values

FOLDER_BONUS: Final = 0.03
NAME_BONUS: Final = 0.04
MAX_BONUS: Final = 0.10
"""Never more than this, on the scale of `fusion`: a preference breaks near ties."""
EXACT_SEED: Final = 1.0
SUBSTRING_SEED: Final = 0.3
OVERVIEW_SEED: Final = 1.0
"""For the first document about the whole; the next ones get a half, a third, …"""
OVERVIEW_NAMES: Final = ("/index.md",)
OVERVIEWS: Final = 5
SUBSTRING_SEEDS: Final = 3
"""Documents that one hint without a document of its own may bring in."""


def seeds(plan: RetrievalPlan, reader: Reader) -> dict[str, float]:
    """Documents the plan names: exact paths, else paths that contain the hint; in order.

    Hints go round the hard filters: whoever names a document means it.
    """
    roots = reader.session.docs_roots
    found: dict[str, float] = {}
    for hint in values(plan, "target_doc_hints"):
        places = in_roots(hint, roots)
        exact = {row.path for row in reader.rows_of(RowFilter(layers=(D1,), paths=places))}
        for path in (p for p in places if p in exact):
            found.setdefault(path, EXACT_SEED)
        if not exact:
            like = reader.paths_like((places[0],), RowFilter(), SUBSTRING_SEEDS)
            for path in like:
                found.setdefault(path, SUBSTRING_SEED)
    return found


def overviews(plan: RetrievalPlan, reader: Reader) -> dict[str, float]:
    """Documents about the whole: those of preferred names, the ones nearest to the root first."""
    names = [p.strip("%") for p in values(plan, "prefer_like_patterns")]
    paths = reader.paths_like((*names, *OVERVIEW_NAMES), RowFilter(), OVERVIEWS)
    return {path: OVERVIEW_SEED / (1 + place) for place, path in enumerate(paths)}


def bonus(path: str, plan: RetrievalPlan, roots: tuple[str, ...]) -> float:
    """0.0 to MAX_BONUS for a path, by prefer_path_prefixes and prefer_like_patterns."""
    folders = values(plan, "prefer_path_prefixes")
    gained = 0.0
    for folder in folders:
        places = in_roots(folder, roots)
        if any(path.startswith(place) for place in places):
            whole_root = folder.rstrip("/") == "docs"
            gained += 0.0 if whole_root else FOLDER_BONUS
            break
    name = normalize(path)
    for pattern in values(plan, "prefer_like_patterns"):
        wanted = normalize(pattern.strip("%"))
        gained += NAME_BONUS if wanted and wanted in name else 0.0
    return min(MAX_BONUS, gained)
