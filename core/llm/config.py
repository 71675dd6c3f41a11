"""What a project may set about its language model: the `[llm]` table."""

from __future__ import annotations

from typing import Literal, NamedTuple

JsonOutput = Literal["auto", "schema", "object", "none"]


class LLMConfig(NamedTuple):
    """The `[llm]` table of the project's configuration. No field holds a secret."""

    provider: str = ""
    """Name that `core.llm.registry` knows; empty = no language model."""
    base_url: str = ""
    """Where the service is, `/chat/completions` is appended; empty = the provider's own address."""
    model: str = ""
    """As the service names it; empty = the provider's default where it has one."""
    timeout: float = 60.0
    """Seconds that one call may take in all, retries included."""
    connect_timeout: float = 3.0
    """Seconds that reaching the service may take in all, retries included."""
    retries: int = 2
    """How often a call is tried again."""
    max_tokens: int = 1024
    """Tokens of a reply at most."""
    context_tokens: int = 8192
    """Tokens that prompt and reply may have together."""
    temperature: float = 0.0
    """0.0 to 2.0; 0 = the likeliest reply."""
    json_output: JsonOutput = "auto"
    """How JSON is asked for; `auto` tries schema, object, none and remembers what the service has.
    """
    scope: str = ""
    """OAuth scope (GigaChat); empty = the provider's default."""
    auth_url: str = ""
    """Where tokens are given out (GigaChat); empty = the provider's default."""
    verify: bool | str = True
    """Whether certificates are checked, or the absolute path of a file with the accepted ones."""
    source: str = ""
    """Name of the configuration file the table was read from; empty = defaults only."""
