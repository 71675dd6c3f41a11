"""A stored record as retrieval sees it (columns of `rag_chunks` plus rank fields)."""

from __future__ import annotations

from dataclasses import dataclass, field

from docs_agent.core.records import Metadata


@dataclass(frozen=True, slots=True)
class Row:
    """One row of one layer with the figures that ranked it."""

    row_id: int
    """Primary key in the store; meaningless outside this process."""
    path: str
    """Relative to the project root, with `/`."""
    content: str
    layer: str
    title: str
    lang: str
    repo_id: str
    commit_sha: str
    span_start: int
    """First line in the original file, 1-based."""
    span_end: int
    """Last line, inclusive."""
    metadata: Metadata = field(default_factory=dict)
    prefer_bonus: float = 0.0
    """Raised by prefer_path_prefixes and prefer_like_patterns of the plan."""
    test_penalty: float = 0.0
    """Lowered for test material when the plan prefers non-tests."""
    layer_rank: int = 0
    """Position of the row's layer in the plan, 0 = first."""
    lexical_rank: float = 0.0
    """BM25 score, higher is better, 0 = no term matched."""
    structural_rank: float = 0.0
    """Exact and substring seeds of the plan, 0 = none."""
    distance: float | None = None
    """Cosine distance to the question, 0 = same; None = not compared."""
    score: float = 0.0
    """Fused score the rows are ordered by, higher is better."""
