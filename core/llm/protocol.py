"""What router and answers ask of a language model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Completion:
    """A model's reply."""

    text: str
    model: str
    prompt_tokens: int = 0
    completion_tokens: int = 0


class LLM(Protocol):
    """One call, one reply."""

    @property
    def name(self) -> str:
        """Provider and model, e.g. `openai:small-model`."""
        ...

    def complete(self, system: str, user: str, *, max_tokens: int) -> Completion:
        """Raises ServiceError when the service fails."""
        ...
