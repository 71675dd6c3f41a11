"""Which embedders work here, for `doctor`."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping

from docs_agent.core.checks import Check
from docs_agent.core.embed.local import PACKAGES
from docs_agent.core.embed.registry import EMBEDDERS, EmbedderKind, chosen_name, make_embedder
from docs_agent.core.embedder_config import EmbedderConfig
from docs_agent.core.errors import DocsAgentError

_TEXT = "docs-agent doctor"
"""Sent to a configured service, and nothing else."""


def embedder_facts(
    config: EmbedderConfig, environ: Mapping[str, str], named: str, built: str
) -> Iterator[Check]:
    """One fact for each embedder. Only that which the next index run or the index needs must work;
    it is tried with one text. named: `index.embedder`. built: fingerprint of the index, or empty.
    """
    chosen = chosen_name(config, environ, named)
    needed = {chosen, built.partition(":")[0]}
    for kind in EMBEDDERS:
        yield _fact(kind, config, environ, built, needed=kind.name in needed)
    if chosen not in {kind.name for kind in EMBEDDERS}:
        try:
            make_embedder(chosen)
        except DocsAgentError as error:
            yield Check("embedder", False, error.message, error.remedy)


def _fact(
    kind: EmbedderKind,
    config: EmbedderConfig,
    environ: Mapping[str, str],
    built: str,
    *,
    needed: bool,
) -> Check:
    name = f"embedder-{kind.name}"
    try:
        if not needed:
            return Check(name, True, _in_reserve(kind))
        embedder = kind.make(config, environ, built)
        started = time.perf_counter()
        vector = embedder.query(_TEXT)
        milliseconds = (time.perf_counter() - started) * 1000
    except DocsAgentError as error:
        place = f" ({error.path})" if error.path else ""
        return Check(name, False, error.message + place, error.remedy)
    place = f" at {config.base_url}" if kind.name == "http" and config.base_url else ""
    detail = f"{embedder.fingerprint}{place}, {len(vector)} dimensions, {milliseconds:.0f} ms"
    return Check(name, True, detail)


def _in_reserve(kind: EmbedderKind) -> str:
    """What an embedder that nobody asked for would need; none of it is a fault."""
    package = next((package for package in PACKAGES if package.name == kind.name), None)
    if package is None:
        return f"can be used: {kind.summary}"
    if package.installed:
        return f"can be used, the package is installed: {kind.summary}"
    return f"not installed ({package.remedy}): {kind.summary}"
