"""The configured language model, and how its trouble is told."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from docs_agent.core.errors import DocsAgentError, UsageError

if TYPE_CHECKING:
    from docs_agent.cli.project import Project
    from docs_agent.core.llm.protocol import LLM


def language_model(project: Project, wanted: bool | None) -> LLM | None:
    """The language model to use, or None; nothing is sent and no HTTP client loaded.

    wanted: None = when one is configured. Raises ConfigError when the configured one cannot be
    used, UsageError when one is wanted and none configured.
    """
    config = project.config.llm
    if wanted is False:
        return None
    if not config.provider:
        if wanted:
            raise UsageError(
                "no language model is configured",
                remedy="set `provider` and `model` in the table [llm] of docs-agent.toml",
            )
        return None
    from docs_agent.core.llm.registry import make_llm

    return make_llm(config, os.environ)


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
