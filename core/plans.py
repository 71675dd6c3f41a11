"""The retrieval plan (seed "V2RetrievalPolicyResolver", §1): what to search, where and how much."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

FilterValue = str | tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RetrievalPlan:
    """One plan per question, printable as it stands."""

    profile: str
    """Name of the profile, e.g. `docs_summary_api_endpoint`."""
    layers: tuple[str, ...]
    """Layers in order of preference, see `core.layers`."""
    limit: int
    """Rows handed on to evidence (candidates before ranking are many more)."""
    filters: Mapping[str, FilterValue] = field(default_factory=dict)
    """Keys of the seed, §9: path_prefixes, metadata.domain and metadata.subdomain restrict;
    prefer_path_prefixes and prefer_like_patterns raise rank; target_doc_hints seed exact documents.
    The prefix `docs/` stands for every docs root of the session."""
