"""Addresses of services: which are well-formed, which a secret may be sent to."""

from __future__ import annotations

import re
from typing import Final

MAX_CHARS: Final = 2000
MAX_HOST: Final = 253
_LABEL: Final = re.compile("[a-z0-9_-]{1,63}")
_BRACKETED: Final = re.compile(r"\[[^\[\]]+\](?::[0-9]*)?")
_IPV4_PARTS: Final = 4


def address_fault(text: str) -> str:
    """What is wrong with an address of a service, for a message; empty when nothing is."""
    from urllib.parse import urlsplit

    if len(text) > MAX_CHARS:
        return f"is longer than {MAX_CHARS} characters"
    if not text.isascii() or not text.isprintable() or set(text) & set(' \\"<>^`{|}'):
        return "holds characters that no address has"
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError:
        return "is not a valid address"
    if parts.scheme not in ("http", "https"):
        return "must begin with https:// or http://"
    if not parts.hostname or port == 0:
        return "names no host"
    bracketed = "[" in parts.netloc
    if bracketed and not _BRACKETED.fullmatch(parts.netloc):
        return "is not a valid address"
    if not _is_host(parts.hostname, bracketed=bracketed):
        return "names a host that cannot be"
    if "@" in parts.netloc:
        return "must not hold a user name or password"
    if parts.query or parts.fragment or text.endswith(("?", "#")):
        return "must not hold `?` or `#`"
    return ""


def _is_host(name: str, *, bracketed: bool) -> bool:
    """Whether a name can be looked up at all; numbers are right ones."""
    from ipaddress import ip_address

    labels = name.removesuffix(".").split(".")
    if bracketed or all(label.isdigit() for label in labels):
        try:
            ip_address(name)
        except ValueError:
            # A number alone, `http://1`, is an address in its short form.
            return not bracketed and len(labels) < _IPV4_PARTS
        return True
    return len(name) <= MAX_HOST and all(map(_is_label, labels))


def _is_label(label: str) -> bool:
    if not _LABEL.fullmatch(label):
        return False
    if not label.startswith("xn--"):
        return True
    try:
        return label[4:].encode().decode("punycode").isprintable() and len(label) > len("xn--")
    except UnicodeError:
        return False


def origin(address: str) -> str:
    """Scheme, host and port, in one spelling: what is allowed for one holds for the other."""
    from urllib.parse import urlsplit

    parts = urlsplit(address)
    port = parts.port or (443 if parts.scheme == "https" else 80)
    host = parts.hostname or ""
    return f"{parts.scheme}://{f'[{host}]' if ':' in host else host}:{port}"


def host_of(address: str) -> str:
    """The host, without port and brackets."""
    from urllib.parse import urlsplit

    return urlsplit(address).hostname or ""


def is_loopback(address: str) -> bool:
    """Whether the address is on this machine by its very spelling; nothing is looked up."""
    from ipaddress import ip_address

    host = host_of(address)
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def may_carry_secret(address: str) -> bool:
    """Whether a key sent there can be read by nobody on the way."""
    return address.startswith("https://") or is_loopback(address)
