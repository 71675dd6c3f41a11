"""Whether the configured language model can be used: facts for `doctor`."""

from __future__ import annotations

from collections.abc import Mapping

from docs_agent.core.checks import Check
from docs_agent.core.errors import DocsAgentError
from docs_agent.core.llm.config import LLMConfig
from docs_agent.core.llm.resolve import Resolved, is_unverified, resolve

_NAME = "language-model"


def language_model_fact(config: LLMConfig, environ: Mapping[str, str]) -> Check:
    """The model is configured completely and its service accepts connections. No key is sent; at
    most `connect_timeout` seconds for each address. Nothing is raised."""
    try:
        found = resolve(config, environ)
    except DocsAgentError as error:
        place = f" ({error.path})" if error.path else ""
        return Check(_NAME, False, error.message + place, error.remedy)
    if found is None:
        return Check(_NAME, True, "none configured; questions are answered without one")
    for address in filter(None, (f"{found.config.base_url}/models", found.config.auth_url)):
        fault = _unreachable(address, found.config)
        if fault:
            remedy = "check that the service runs, llm.base_url, llm.verify and the proxy variables"
            return Check(_NAME, False, f"{_described(found)}; {fault}", remedy)
    if is_unverified(found.config):
        remedy = "name the authority's certificate in llm.verify"
        return Check(_NAME, False, f"{_described(found)}; certificates are not checked", remedy)
    return Check(_NAME, True, _described(found))


def _described(found: Resolved) -> str:
    key = f"key from {found.key_source}" if found.key else "no key"
    return f"{found.config.provider}:{found.config.model} at {found.config.base_url}, {key}"


def _unreachable(address: str, config: LLMConfig) -> str:
    """Why nothing answers there; empty when something does, be it with an error."""
    from docs_agent.core.llm.http import HttpService
    from docs_agent.core.llm.patience import Limits

    limits = Limits(config.connect_timeout, config.connect_timeout, 0)
    try:
        return HttpService(address, limits, config.verify, "").probe(address)
    except DocsAgentError as error:
        return error.message
