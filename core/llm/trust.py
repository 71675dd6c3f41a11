"""Whose certificates are accepted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from docs_agent.core.errors import ConfigError

if TYPE_CHECKING:
    import ssl


def trust(verify: bool | str, section: str = "llm") -> ssl.SSLContext | bool:
    """As in `LLMConfig`: the usual authorities, none checked, or those of a file.
    section: the table of the configuration that says so.

    Raises ConfigError when the file holds no certificates.
    """
    import ssl

    if isinstance(verify, bool):
        return verify
    try:
        context = ssl.create_default_context(cafile=verify)
        reason = "" if context.cert_store_stats()["x509"] else "only revocations"
    except OSError as error:
        reason = error.strerror or type(error).__name__
    if reason:
        name = "".join(char for char in verify if char.isprintable())
        raise ConfigError(
            f"`{section}.verify`: {name} holds no certificates: {reason}",
            remedy="name a file with certificates in PEM form",
        )
    return context


def no_trust() -> ssl.SSLContext:
    """Accepts no certificate: loading the usual ones takes 20 ms that plain HTTP has no use for."""
    import ssl

    return ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
