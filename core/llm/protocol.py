"""What router and answers ask of a language model."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Protocol


@dataclass(frozen=True, slots=True)
class Completion:
    """A model's reply."""

    text: str
    model: str
    """The model as the service names it, else as it was asked for."""
    prompt_tokens: int = 0
    """As the service counted them; 0 when it did not say."""
    completion_tokens: int = 0
    finish_reason: str = ""
    """`stop`, `length`, … as the service says; empty when it did not."""


class LLM(Protocol):
    """One service and one model. A call either gives a reply or raises ServiceError; secrets stand
    in neither."""

    @property
    def name(self) -> str:
        """Provider and model, e.g. `openai:small-model`."""
        ...

    @property
    def prompt_budget(self) -> int:
        """Tokens that system and user text may have together, see `core.llm.budget`."""
        ...

    def complete(
        self,
        system: str,
        user: str,
        *,
        max_tokens: int,
        schema: Mapping[str, Any] | None = None,
    ) -> Completion:
        """The reply as a whole. With a JSON schema the service is asked for JSON of that shape
        where it can do so; the text may still be anything (see `core.llm.reply`).

        Raises ServiceError when the service fails for good, after the retries of the configuration.
        """
        ...

    def stream(self, system: str, user: str, *, max_tokens: int) -> Iterator[str]:
        """The reply in pieces as they come. Raises ServiceError as `complete` does, and in the
        middle when the connection is lost: what came before is then not the whole reply."""
        ...
