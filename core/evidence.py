"""Evidence, the gate's verdict and the answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from docs_agent.core.plans import RetrievalPlan
from docs_agent.core.routes import RouteResult
from docs_agent.core.rows import Row

GROUNDED_SUMMARY: Final = "grounded_summary"
DETERMINISTIC: Final = "deterministic"
INSUFFICIENT_EVIDENCE: Final = "insufficient_evidence"


class Evidence(NamedTuple):
    """One document that supports the answer (RetrievedSummary / RetrievedFile of the seeds)."""

    path: str
    title: str
    document_id: str
    """Frontmatter id, else the path."""
    score: int
    """Sum of score_breakdown."""
    confidence: float
    """0.0 to 1.0."""
    match_reason: str
    """`exact_path`, `alias_match`, `exact_title`, `semantic_match`, or `record_match` where records
    were read instead of searched."""
    is_primary: bool
    """True for exactly one, the first."""
    score_breakdown: Mapping[str, int]
    """semantic, path_match, filename_match, alias_match, anchor_boost, target_doc_boost,
    specificity_boost, generic_penalty; records, where records were read instead of searched."""
    rows: tuple[Row, ...] = ()
    """The document's rows, best first; what the answer is composed from."""


class Dropped(NamedTuple):
    """A document that was considered and left out, for `--explain`."""

    path: str
    score: int
    reason: str
    """One phrase, English."""


@dataclass(frozen=True, slots=True)
class EvidenceSet:
    """What retrieval found for one plan."""

    evidence: tuple[Evidence, ...]
    """At most 3 (summary) or 4 (files), one for each document of a list; best first."""
    ranked_paths: tuple[str, ...]
    """Up to 10 distinct document paths, best first."""
    dropped: tuple[Dropped, ...] = ()
    relaxations: tuple[str, ...] = ()
    """Hard filters that were relaxed because they left nothing, in order, as printable phrases."""
    features: Mapping[str, float] = field(default_factory=dict)
    """What the gate decides by: coverage, idf coverage, dense similarity, … each 0.0 to 1.0."""
    missing_terms: tuple[str, ...] = ()
    """Informative words of the question, as asked, that no record of the index contains."""
    apart_terms: tuple[str, ...] = ()
    """Words that the index has, but the first document of the evidence lacks."""


class GateDecision(NamedTuple):
    """Whether the evidence carries an answer."""

    passed: bool
    answer_mode: str
    """`grounded_summary`, `deterministic` or `insufficient_evidence`."""
    reason: str
    """Stable word: target_doc_found, general_docs_found, target_doc_missing, no_file_candidates,
    low_confidence_shortlist, primary_file_confident, evidence_covers_question, …"""
    message: str = ""
    """For a person, in the language of the question; empty when passed."""
    supporting_paths: tuple[str, ...] = ()
    """Nearest documents when the gate says no, supporting ones when it says yes."""


class Citation(NamedTuple):
    """A place that supports a statement; `[n]` in the answer's text."""

    n: int
    """1-based, in order of first use."""
    path: str
    start_line: int
    end_line: int
    title: str
    section: str
    """Section path, headings joined by ` › `; empty for the whole document."""


class Answer(NamedTuple):
    """What `ask` and `find-files` say."""

    query: str
    text: str
    """Plain text with `[n]` marks and Markdown lists, tables and code."""
    answer_mode: str
    language: str
    """`ru` or `en`: the language of the question."""
    citations: tuple[Citation, ...]
    found: EvidenceSet
    gate: GateDecision
    route: RouteResult
    plan: RetrievalPlan
