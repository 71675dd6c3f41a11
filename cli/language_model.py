"""The configured language model, and how its trouble is told."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final

from docs_agent.core.errors import ConfigError, DocsAgentError, UsageError

if TYPE_CHECKING:
    from docs_agent.cli.project import Project
    from docs_agent.core.llm.protocol import LLM, Completion

# That of `core.llm.resolve`, which takes longer to import than a question takes to route.
PROVIDER_VARIABLE: Final = "DOCS_AGENT_LLM_PROVIDER"


def language_model(project: Project, wanted: bool | None) -> LLM | None:
    """The language model to use, or None; nothing is sent and no HTTP client loaded.

    wanted: None = when one is configured. One that is configured and cannot be used raises
    ConfigError when it is asked; at once when it is wanted. Raises UsageError when one is wanted
    and none configured.
    """
    off = not (project.config.llm.provider or os.environ.get(PROVIDER_VARIABLE) or wanted)
    if off or wanted is False:
        return None
    from docs_agent.core.llm.registry import make_llm

    try:
        llm = make_llm(project.config.llm, os.environ)
    except ConfigError as error:
        if wanted:
            raise
        return _Unusable(error)
    if llm is None and wanted:
        raise UsageError(
            "no language model is configured",
            remedy="set `provider` and `model` in the table [llm] of docs-agent.toml",
        )
    return llm


class _Unusable:
    """A model that is configured incompletely: most questions are routed without asking it."""

    def __init__(self, error: ConfigError) -> None:
        self._error = error

    @property
    def name(self) -> str:
        raise self._error

    @property
    def prompt_budget(self) -> int:
        raise self._error

    def complete(
        self,
        system: str,
        user: str,
        *,
        max_tokens: int,
        schema: Mapping[str, Any] | None = None,
    ) -> Completion:
        raise self._error

    def stream(self, system: str, user: str, *, max_tokens: int) -> Iterator[str]:
        raise self._error


class TellOnce:
    """Says on stderr that a service failed, the first time it does."""

    def __init__(self, who: str = "language model", instead: str = "answered without it") -> None:
        self._who = who
        self._instead = instead
        self._told = False

    def __call__(self, error: DocsAgentError) -> None:
        """The answer comes all the same, so one line is enough for a whole batch."""
        if self._told:
            return
        self._told = True
        from docs_agent.cli.console import note

        note(f"note: {self._who}: {error.message}; {self._instead}")
        if error.remedy:
            note(f"  do this     {error.remedy}")
