"""What a project may set about routing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

RouterStrategy = Literal["deterministic_first", "llm_first"]


@dataclass(frozen=True, slots=True)
class RouterConfig:
    """The `[router]` table of the project's configuration."""

    strategy: RouterStrategy = "deterministic_first"
    """Who decides first when a language model is configured; without one the rules decide."""
    aliases: Mapping[str, str] = field(default_factory=dict)
    """What people call a document → its path or id; any inflected form of the words will do."""
    markers: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Further markers by group of `router/markers.toml`, written in the same way."""
    confidence_threshold: float = 0.8
    """Below this a configured language model is asked, 0.0 to 1.0."""
