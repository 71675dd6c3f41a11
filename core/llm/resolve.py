"""From the `[llm]` table and the environment to what is used: addresses, model, key.

The configuration file is part of a repository that somebody may just have cloned. A key from the
environment therefore never goes to an address that only the file names, nor to one whose
certificate is checked as only the file says, unless it is the key for such addresses,
DOCS_AGENT_LLM_API_KEY.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from os.path import isfile
from typing import Any, Final

from docs_agent.core.config_file import MAX_CHARACTERS
from docs_agent.core.errors import ConfigError
from docs_agent.core.llm.address import address_fault, may_carry_secret, origin
from docs_agent.core.llm.config import LLMConfig
from docs_agent.core.llm.trust import trust

PROVIDER_VARIABLE: Final = "DOCS_AGENT_LLM_PROVIDER"
URL_VARIABLE: Final = "DOCS_AGENT_LLM_BASE_URL"
MODEL_VARIABLE: Final = "DOCS_AGENT_LLM_MODEL"
KEY_VARIABLE: Final = "DOCS_AGENT_LLM_API_KEY"
VERIFY_VARIABLE: Final = "DOCS_AGENT_LLM_VERIFY"

OFF: Final = "none"
"""As the provider of the environment: no language model, whatever the file says."""


@dataclass(frozen=True, slots=True)
class ProviderNames:
    """The variables and defaults of one provider; a variable that is empty does not exist."""

    name: str
    url: str
    """Default address."""
    key_variable: str
    """Well-known key: for the default address and for addresses of the environment."""
    key_needed: bool
    """Whether there is no service without a key."""
    url_variable: str = ""
    model: str = ""
    """Default model."""
    model_variable: str = ""
    auth_url: str = ""
    auth_url_variable: str = ""
    scope: str = ""
    scope_variable: str = ""
    verify_variable: str = ""


PROVIDERS: Final = (
    ProviderNames(
        name="openai",
        url="https://api.openai.com/v1",
        key_variable="OPENAI_API_KEY",
        key_needed=False,
    ),
    ProviderNames(
        name="gigachat",
        url="https://gigachat.devices.sberbank.ru/api/v1",
        url_variable="GIGACHAT_API_URL",
        key_variable="GIGACHAT_TOKEN",
        key_needed=True,
        model="GigaChat",
        model_variable="GIGACHAT_MODEL",
        auth_url="https://ngw.devices.sberbank.ru:9443/api/v2/oauth",
        auth_url_variable="GIGACHAT_AUTH_URL",
        scope="GIGACHAT_API_PERS",
        scope_variable="GIGACHAT_SCOPE",
        verify_variable="GIGACHAT_SSL_VERIFY",
    ),
)


@dataclass(frozen=True, slots=True)
class Resolved:
    """A configuration that is complete."""

    config: LLMConfig
    key: str
    """Empty: none is sent."""
    key_source: str
    """The variable the key comes from; empty without one."""
    verify_from_file: bool
    """Whether the file, not the environment, says how certificates are checked."""

    def __repr__(self) -> str:
        return f"Resolved({self.config!r}, key from {self.key_source or 'nowhere'})"


def resolve(config: LLMConfig, environ: Mapping[str, str]) -> Resolved | None:
    """What is to be used; None without a provider.

    Raises ConfigError for whatever cannot be used.
    """
    asked = variable(environ, PROVIDER_VARIABLE)
    name = asked or config.provider
    if name in ("", OFF):
        return None
    dropped = ""
    if asked:
        dropped = config.base_url
        # The addresses of the file are those of the file's own choice, whatever it calls it.
        model = config.model if config.provider == asked else ""
        config = config._replace(base_url="", auth_url="", scope="", verify=True, model=model)
    provider = next((p for p in PROVIDERS if p.name == name), None)
    if provider is None:
        known = ", ".join(p.name for p in PROVIDERS)
        raise ConfigError(
            f"there is no language model provider `{_shown(name)}`", remedy=f"one of: {known}"
        )
    url, trusted = address_of(
        environ, (URL_VARIABLE, provider.url_variable), config.base_url, provider.url
    )
    auth_url, auth_trusted = address_of(
        environ, (provider.auth_url_variable,), config.auth_url, provider.auth_url
    )
    said = variable(environ, VERIFY_VARIABLE) or variable(environ, provider.verify_variable)
    if config.verify is not True and not said and trusted and auth_trusted:
        _refuse_verify(config, provider, environ, (url, auth_url))
    key, key_source = _key(provider, environ, trusted and auth_trusted)
    found = config._replace(
        provider=name,
        base_url=url,
        auth_url=auth_url,
        model=variable(environ, MODEL_VARIABLE)
        or variable(environ, provider.model_variable)
        or config.model
        or provider.model,
        scope=variable(environ, provider.scope_variable) or config.scope or provider.scope,
    )
    if said:
        found = found._replace(verify=verify_of(said))
    _refuse_unusable(found, provider, key, trusted=trusted and auth_trusted, dropped=dropped)
    return Resolved(found, key, key_source, not said)


def is_unverified(config: LLMConfig) -> bool:
    """Whether a certificate goes unchecked; a service without TLS has none."""
    addresses = (config.base_url, config.auth_url)
    return config.verify is False and any(a.lower().startswith("https:") for a in addresses)


def address_of(
    environ: Mapping[str, str],
    variables: tuple[str, ...],
    written: str,
    default: str,
) -> tuple[str, bool]:
    """An address, and whether well-known keys may go there."""
    for name in variables:
        text = variable(environ, name)
        if text:
            fault = address_fault(text)
            if fault:
                raise ConfigError(
                    f"{name} {fault}", remedy="write for example https://llm.example.com/v1"
                )
            return text.rstrip("/"), True
    if not written:
        return default, True
    return written, bool(default) and origin(written) == origin(default)


def _key(provider: ProviderNames, environ: Mapping[str, str], trusted: bool) -> tuple[str, str]:
    """The key and where it comes from; two empty texts without one."""
    return key_of(environ, (KEY_VARIABLE, provider.key_variable) if trusted else (KEY_VARIABLE,))


def key_of(environ: Mapping[str, str], names: tuple[str, ...]) -> tuple[str, str]:
    """The first key that is set and its variable; two empty texts without one.

    Raises ConfigError for one that cannot be a key.
    """
    for name in names:
        key = environ.get(name, "").strip()
        if not key:
            continue
        if not key.isascii() or not key.isprintable() or " " in key:
            raise ConfigError(
                f"{name} holds characters that no key has",
                remedy="set it again, without quotes, spaces and line ends",
            )
        return key, name
    return "", ""


def _refuse_unusable(
    found: LLMConfig, provider: ProviderNames, key: str, *, trusted: bool, dropped: str
) -> None:
    where = found.source
    if not found.model:
        raise ConfigError(
            "a language model's provider is configured, but no model",
            remedy=f'write model = "…" below [llm], or set {MODEL_VARIABLE}',
            path=where,
        )
    if not key and (provider.key_needed or found.base_url == provider.url):
        names = f"{provider.key_variable} or {KEY_VARIABLE}" if trusted else KEY_VARIABLE
        why = "" if trusted else f" ({provider.key_variable} is not sent to an address of the file)"
        remedy = f"set {names}"
        if dropped and found.base_url == provider.url:
            why = (
                f": {PROVIDER_VARIABLE} is set, so the address in {found.source or 'the file'} is "
                f"not used, but {provider.url}"
            )
            remedy += f", or {URL_VARIABLE}, or unset {PROVIDER_VARIABLE}"
        raise ConfigError(
            f"the language model's service needs a key{why}",
            remedy=remedy,
            path="" if dropped else where,
        )
    for address in (found.base_url, found.auth_url) if key else ():
        if address and not may_carry_secret(address):
            raise ConfigError(
                f"a key would go to {address} unencrypted",
                remedy="use https://; http:// is for this machine only, localhost or 127.0.0.1",
                path=where,
            )
    if found.max_tokens >= found.context_tokens:
        raise ConfigError(
            f"`llm.max_tokens` ({found.max_tokens}) leaves no room for a prompt in "
            f"`llm.context_tokens` ({found.context_tokens})",
            remedy="lower the first or raise the second",
            path=where,
        )
    if isinstance(found.verify, str) and not isfile(found.verify):
        raise ConfigError(
            f"`llm.verify`: there is no file {_shown(found.verify)}",
            remedy="name a file with certificates in PEM form",
            path=where,
        )
    if isinstance(found.verify, str):
        # Now, not at the first call: what is wrong with the configuration is no fault of a service.
        trust(found.verify)


def _refuse_verify(
    config: LLMConfig,
    provider: ProviderNames,
    environ: Mapping[str, str],
    addresses: tuple[str, ...],
) -> None:
    """A well-known key does not go where only the file says who is trusted: whoever sits on the way
    could read it. Without TLS (on this machine only) there is nobody to trust."""
    encrypted = any(address.lower().startswith("https:") for address in addresses)
    needed = provider.key_needed or provider.url in addresses
    if environ.get(KEY_VARIABLE, "").strip() or not encrypted:
        return
    if needed or environ.get(provider.key_variable, "").strip():
        raise ConfigError(
            f"{provider.key_variable} is not sent where only the file says how certificates are "
            "checked (`llm.verify`)",
            remedy=f"set {KEY_VARIABLE}, or {VERIFY_VARIABLE}=true, false or the path of a file",
            path=config.source,
        )


def verify_of(text: str) -> bool | str:
    """What a variable says about checking certificates: whether, or by which file."""
    known: dict[str, Any] = {"true": True, "1": True, "yes": True}
    known.update({"false": False, "0": False, "no": False})
    found: bool | str = known.get(text.lower(), text)
    return found


def variable(environ: Mapping[str, str], name: str) -> str:
    """The value of a variable that holds no key; empty when it is not set.

    Raises ConfigError for one longer than any text of the configuration may be.
    """
    text = environ.get(name, "").strip() if name else ""
    if len(text) > MAX_CHARACTERS:
        # The value is not repeated: a password may stand in an address.
        raise ConfigError(
            f"{name} is longer than {MAX_CHARACTERS:,} characters",
            remedy="set it again, or unset it",
        )
    return text


def _shown(text: str) -> str:
    return "".join(char for char in text if char.isprintable())[:80]
