"""From the configuration to a language model."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Final

from docs_agent.core.llm.config import LLMConfig
from docs_agent.core.llm.protocol import LLM
from docs_agent.core.llm.resolve import Resolved, is_unverified, resolve


def make_llm(config: LLMConfig, environ: Mapping[str, str]) -> LLM | None:
    """The configured language model; None when there is none. Nothing is sent.

    Raises ConfigError when a model is configured but cannot be used: no key, no model name, an
    unknown provider, an address that a key must not be sent to.
    """
    found = resolve(config, environ)
    if found is None:
        return None
    if is_unverified(found.config):
        _warn_unverified("the file" if found.verify_from_file else "the environment")
    return _MAKERS[found.config.provider](found)


def _openai(found: Resolved) -> LLM:
    from docs_agent.core.llm.openai import OpenAILLM

    return OpenAILLM(found.config, found.key)


def _gigachat(found: Resolved) -> LLM:
    from docs_agent.core.llm.gigachat import GigaChatLLM

    return GigaChatLLM(found.config, found.key)


_MAKERS: Final[Mapping[str, Callable[[Resolved], LLM]]] = {
    "openai": _openai,
    "gigachat": _gigachat,
}


@cache
def _warn_unverified(who: str) -> None:
    """Once in a process."""
    import logging

    logging.getLogger("docs_agent").warning(
        "warning: certificates of the language model's service are not checked, as %s wants it: "
        "anyone on the way can read key and questions; name its authority in llm.verify instead",
        who,
    )
