"""Embedders by the name the configuration gives them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

from docs_agent.core.embed.none import NoEmbedder
from docs_agent.core.embed.protocol import Embedder, Encoder
from docs_agent.core.embed.static import StaticEmbedder
from docs_agent.core.embed.use import UseEncoder, installed_version
from docs_agent.core.embedder_config import EmbedderConfig
from docs_agent.core.errors import ConfigError, DocsAgentError, EmbedderMismatchError, beginning

Make = Callable[[EmbedderConfig, Mapping[str, str], str], Embedder]
"""From the configuration, the environment and the fingerprint of the index as it is, empty without
one. Raises ConfigError for what is configured incompletely."""

KIND_VARIABLE: Final = "DOCS_AGENT_EMBEDDER"


class EmbedderKind(NamedTuple):
    """One way of making vectors."""

    name: str
    """As written in the configuration; fingerprints begin with it."""
    make: Make
    """Makes one; costs nothing, models are read at the first text."""
    summary: str
    """One line for help and documentation."""


def _static(*_: object) -> Embedder:
    return StaticEmbedder()


def _none(*_: object) -> Embedder:
    return NoEmbedder()


# What follows is imported once it is configured: most questions need none of it.
def _http(config: EmbedderConfig, environ: Mapping[str, str], built: str) -> Embedder:
    from docs_agent.core.embed.http import HttpEmbedder
    from docs_agent.core.embed.service import embedding_service

    return HttpEmbedder(embedding_service(config, environ), built)


def _local(name: str) -> Make:
    def make(config: EmbedderConfig, environ: Mapping[str, str], built: str) -> Embedder:
        from docs_agent.core.embed.local import PACKAGES, local_embedder

        package = next(package for package in PACKAGES if package.name == name)
        return local_embedder(package, config, environ, built)

    return make


EMBEDDERS: tuple[EmbedderKind, ...] = (
    EmbedderKind("static", _static, "offline, Russian and English, a table of word pieces"),
    EmbedderKind("none", _none, "no vectors, search by words alone"),
    EmbedderKind("http", _http, "any service with OpenAI's /embeddings"),
    EmbedderKind("model2vec", _local("model2vec"), "a static model of the package model2vec"),
    EmbedderKind("fastembed", _local("fastembed"), "an ONNX model of the package fastembed"),
)
"""The first is the default."""


def chosen_name(config: EmbedderConfig, environ: Mapping[str, str], named: str) -> str:
    """The embedder that the next index run uses: of the environment, of `[embedder]`, or `named`,
    which is `index.embedder`."""
    return environ.get(KIND_VARIABLE, "").strip() or config.kind or named


def make_embedder(
    name: str = EMBEDDERS[0].name,
    config: EmbedderConfig | None = None,
    environ: Mapping[str, str] | None = None,
    built: str = "",
) -> Embedder:
    """The embedder of that name, nothing loaded yet.

    built: fingerprint of the index as it is. Raises ConfigError for an unknown name, and for an
    embedder that is configured incompletely or whose package is not installed.
    """
    for kind in EMBEDDERS:
        if kind.name == name:
            return kind.make(config or EmbedderConfig(), environ or {}, built)
    known = ", ".join(kind.name for kind in EMBEDDERS)
    raise ConfigError(f"unknown embedder {beginning(name)!r}", remedy=f"choose one of: {known}")


def make_encoder() -> Encoder | None:
    """The encoder that re-ranks, nothing loaded yet; None when its package is not installed."""
    return UseEncoder() if installed_version() else None


def reading_embedder(
    fingerprint: str,
    config: EmbedderConfig | None = None,
    environ: Mapping[str, str] | None = None,
) -> Embedder:
    """The embedder that made the vectors of an index, nothing loaded yet.

    Raises EmbedderMismatchError when there is none with that fingerprint here.
    """
    why, remedy = "which is not available here", "build it again: docs-agent index"
    name = fingerprint.partition(":")[0]
    for kind in EMBEDDERS:
        if kind.name != name:
            continue
        try:
            embedder = kind.make(config or EmbedderConfig(), environ or {}, fingerprint)
        except ConfigError as error:
            why = f"which cannot be used here: {error.message}"
            default = EMBEDDERS[0].name
            remedy = f"{error.remedy}; or build it again: docs-agent index --embedder {default}"
            break
        if _made(embedder, fingerprint):
            return embedder
        made = stem_of_embedder(embedder)
        if made:
            why = f"but the configuration now leads to {made!r}"
    raise EmbedderMismatchError(
        f"the index was built with the embedder {fingerprint!r}, {why}", remedy=remedy
    )


def other_than_built(
    name: str, config: EmbedderConfig, environ: Mapping[str, str], built: str
) -> str:
    """What is configured when it is not what the index was built with; empty when it is the same.
    Nothing is sent or loaded."""
    try:
        embedder = make_embedder(name, config, environ, built)
    except DocsAgentError as error:
        return f"{name}, which cannot be used: {error.message}"
    return "" if _made(embedder, built) else stem_of_embedder(embedder) or embedder.fingerprint


def stem_of_embedder(embedder: Embedder) -> str:
    """The fingerprint without the dimensions, of an embedder that may have to look for these."""
    stem: str = getattr(embedder, "stem", "")
    return stem


def _made(embedder: Embedder, fingerprint: str) -> bool:
    """Whether the embedder has that fingerprint. One that would have to look for its dimensions has
    not: it would have taken them from the fingerprint."""
    stem = stem_of_embedder(embedder)
    if stem:
        from docs_agent.core.embed.shape import dimensions_in

        if not dimensions_in(fingerprint, stem):
            return False
    return embedder.fingerprint == fingerprint
