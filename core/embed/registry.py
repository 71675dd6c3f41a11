"""Embedders by the name the configuration gives them."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from docs_agent.core.embed.none import NoEmbedder
from docs_agent.core.embed.protocol import Embedder, Encoder
from docs_agent.core.embed.static import StaticEmbedder
from docs_agent.core.embed.use import UseEncoder, installed_version
from docs_agent.core.errors import ConfigError, EmbedderMismatchError


class EmbedderKind(NamedTuple):
    """One way of making vectors."""

    name: str
    """As written in the configuration."""
    make: Callable[[], Embedder]
    """Makes one; costs nothing, models are read at the first text."""
    summary: str
    """One line for help and documentation."""


EMBEDDERS: tuple[EmbedderKind, ...] = (
    EmbedderKind("static", StaticEmbedder, "offline, Russian and English, a table of word pieces"),
    EmbedderKind("none", NoEmbedder, "no vectors, search by words alone"),
)
"""The first is the default."""


def make_embedder(name: str = EMBEDDERS[0].name) -> Embedder:
    """The embedder of that name, nothing loaded yet.

    Raises ConfigError for an unknown name.
    """
    for kind in EMBEDDERS:
        if kind.name == name:
            return kind.make()
    known = ", ".join(kind.name for kind in EMBEDDERS)
    raise ConfigError(f"unknown embedder {name!r}", remedy=f"choose one of: {known}")


def make_encoder() -> Encoder | None:
    """The encoder that re-ranks, nothing loaded yet; None when its package is not installed."""
    return UseEncoder() if installed_version() else None


def reading_embedder(fingerprint: str) -> Embedder:
    """The embedder that made the vectors of an index, nothing loaded yet.

    Raises EmbedderMismatchError when this version of the tool has none with that fingerprint.
    """
    for kind in EMBEDDERS:
        embedder = kind.make()
        if embedder.fingerprint == fingerprint:
            return embedder
    raise EmbedderMismatchError(
        f"the index was built with the embedder {fingerprint!r}, which is not available here",
        remedy="build it again: docs-agent index",
    )
