"""The configured language model, and how its trouble is told."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

from docs_agent.core.errors import DocsAgentError, UsageError

if TYPE_CHECKING:
    from docs_agent.cli.project import Project
    from docs_agent.core.llm.protocol import LLM

# That of `core.llm.resolve`, which takes longer to import than a question takes to route.
PROVIDER_VARIABLE: Final = "DOCS_AGENT_LLM_PROVIDER"


def language_model(project: Project, wanted: bool | None) -> LLM | None:
    """The language model to use, or None; nothing is sent and no HTTP client loaded.

    wanted: None = when one is configured. Raises ConfigError when the configured one cannot be
    used, UsageError when one is wanted and none configured.
    """
    off = not (project.config.llm.provider or os.environ.get(PROVIDER_VARIABLE) or wanted)
    if off or wanted is False:
        return None
    from docs_agent.core.llm.registry import make_llm

    llm = make_llm(project.config.llm, os.environ)
    if llm is None and wanted:
        raise UsageError(
            "no language model is configured",
            remedy="set `provider` and `model` in the table [llm] of docs-agent.toml",
        )
    return llm


class TellOnce:
    """Says on stderr that a service failed, the first time it does."""

    def __init__(self) -> None:
        self._told = False

    def __call__(self, error: DocsAgentError) -> None:
        """The answer comes all the same, so one line is enough for a whole batch."""
        if self._told:
            return
        self._told = True
        from docs_agent.cli.console import note

        note(f"note: language model: {error.message}; answered without it")
        if error.remedy:
            note(f"  do this     {error.remedy}")
