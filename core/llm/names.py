"""How messages of the HTTP client call things, so that a remedy names what can be changed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple


class Names(NamedTuple):
    """Keys, variables and words of one kind of service."""

    section: str
    """Table of the configuration."""
    variables: str
    """What the variables of the environment begin with."""
    kind: str
    """The service in words."""
    timeout: str
    """The key that limits a call."""
    remedies: Mapping[int, str]
    """What to do by status; `{key}` stands for the variable that holds the key."""


MODEL_NAMES: Final = Names(
    "llm",
    "DOCS_AGENT_LLM",
    "a language model's service",
    "llm.timeout",
    {
        400: "look at what the service says; llm.model and llm.max_tokens are often the reason",
        404: "check llm.base_url and llm.model",
        413: "lower llm.context_tokens",
    },
)
EMBEDDER_NAMES: Final = Names(
    "embedder",
    "DOCS_AGENT_EMBEDDER",
    "a service of embeddings",
    "embedder.timeout",
    {
        400: "look at what the service says; embedder.model, embedder.batch and "
        "embedder.text_chars are often the reason",
        404: "check embedder.base_url and embedder.model",
        413: "lower embedder.batch_chars and embedder.text_chars",
    },
)
