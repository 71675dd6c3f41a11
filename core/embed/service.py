"""From the `[embedder]` table and the environment to the service that is asked.

The configuration file may come with a repository that somebody has just cloned: a well-known key
goes to the address it belongs to and nowhere else. DOCS_AGENT_EMBEDDER_API_KEY is the key for the
address that is configured, whatever it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from os.path import isfile
from typing import Final, NamedTuple

from docs_agent.core.embedder_config import EmbedderConfig
from docs_agent.core.errors import ConfigError
from docs_agent.core.llm.address import may_carry_secret, origin
from docs_agent.core.llm.resolve import PROVIDERS, address_of, key_of, variable, verify_of
from docs_agent.core.llm.trust import trust

URL_VARIABLE: Final = "DOCS_AGENT_EMBEDDER_BASE_URL"
MODEL_VARIABLE: Final = "DOCS_AGENT_EMBEDDER_MODEL"
KEY_VARIABLE: Final = "DOCS_AGENT_EMBEDDER_API_KEY"
VERIFY_VARIABLE: Final = "DOCS_AGENT_EMBEDDER_VERIFY"
WELL_KNOWN: Final = tuple((p.url, p.key_variable) for p in PROVIDERS)
"""Addresses, and the variable with the key that belongs to their origin."""
_GIGACHAT: Final = next(p for p in PROVIDERS if p.auth_url)


class EmbeddingService(NamedTuple):
    """A service that is configured completely."""

    config: EmbedderConfig
    key: str
    """Empty: none is sent."""
    key_source: str
    """The variable the key comes from; empty without one."""

    def __repr__(self) -> str:
        return f"EmbeddingService({self.config!r}, key from {self.key_source or 'nowhere'})"


def embedding_service(config: EmbedderConfig, environ: Mapping[str, str]) -> EmbeddingService:
    """The service to ask; nothing is sent. Raises ConfigError for whatever cannot be used."""
    url, _ = address_of(environ, (URL_VARIABLE,), config.base_url, "")
    model = variable(environ, MODEL_VARIABLE) or config.model
    if not url:
        raise ConfigError(
            "the embedder `http` has no address",
            remedy=f'write base_url = "http://localhost:11434/v1" below [embedder], or set '
            f"{URL_VARIABLE}",
            path=config.source,
        )
    if not model:
        raise ConfigError(
            "the embedder `http` has no model",
            remedy=f'write model = "…" below [embedder], or set {MODEL_VARIABLE}',
            path=config.source,
        )
    said = variable(environ, VERIFY_VARIABLE)
    verify = verify_of(said) if said else config.verify
    _refuse_verify(verify, config.source)
    auth_url, scope = config.auth_url, config.scope
    if origin(url) == origin(_GIGACHAT.url):
        auth_url = auth_url or _GIGACHAT.auth_url
    if auth_url:
        scope = scope or _GIGACHAT.scope
    # Who only the file trusts shall not read a key that is not for the file's addresses.
    own_place = not auth_url or origin(auth_url) == origin(_GIGACHAT.auth_url)
    trusted = (verify is True or bool(said)) and own_place
    known = tuple(name for place, name in WELL_KNOWN if trusted and origin(place) == origin(url))
    key, source = key_of(environ, (KEY_VARIABLE, *known))
    if auth_url and not key:
        names = " or ".join((*known, KEY_VARIABLE))
        raise ConfigError(
            "the embedder's service needs a key", remedy=f"set {names}", path=config.source
        )
    for address in filter(None, (url, auth_url)) if key else ():
        if not may_carry_secret(address):
            raise ConfigError(
                f"a key would go to {address} unencrypted",
                remedy="use https://; http:// is for this machine only, localhost or 127.0.0.1",
                path=config.source,
            )
    if is_unverified(url, verify) or is_unverified(auth_url, verify):
        _warn_unverified()
    found = config._replace(
        base_url=url, model=model, verify=verify, auth_url=auth_url, scope=scope
    )
    return EmbeddingService(found, key, source)


def is_unverified(url: str, verify: bool | str) -> bool:
    """Whether a certificate goes unchecked; a service without TLS has none."""
    return verify is False and url.lower().startswith("https:")


@cache
def _warn_unverified() -> None:
    """Once in a process."""
    import logging

    logging.getLogger("docs_agent").warning(
        "warning: certificates of the embedder's service are not checked: anyone on the way can "
        "read key and texts; name its authority in embedder.verify instead"
    )


def _refuse_verify(verify: bool | str, source: str) -> None:
    if isinstance(verify, bool):
        return
    if not isfile(verify):
        name = "".join(char for char in verify if char.isprintable())[:80]
        raise ConfigError(
            f"`embedder.verify`: there is no file {name}",
            remedy="name a file with certificates in PEM form",
            path=source,
        )
    trust(verify, "embedder")
