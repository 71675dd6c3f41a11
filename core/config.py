"""What a project says about itself: `docs-agent.toml`, or `[tool.docs-agent]` in `pyproject.toml`.

Where both exist, `docs-agent.toml` alone counts; the table in `pyproject.toml` is not read at all.
A project without either pays two failed stats and gets the defaults below.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from docs_agent.core.config_file import ConfigSource, read_source
from docs_agent.core.embedder_config import EmbedderConfig
from docs_agent.core.lint_config import LintConfig, LintOverride
from docs_agent.core.llm.config import LLMConfig
from docs_agent.core.model_config import ModelConfig
from docs_agent.core.router_config import RouterConfig


class DocsConfig(NamedTuple):
    """Which files are documentation."""

    roots: tuple[str, ...] = ()
    """Documentation folders relative to the root, with `/`; empty = not said."""
    include: tuple[str, ...] = ()
    """Patterns as in `.gitignore`, relative to the root; when there are any, a file must match one.
    """
    exclude: tuple[str, ...] = ()
    """Patterns as in `.gitignore`, relative to the root, read after the project's own ones."""


class IndexConfig(NamedTuple):
    """How documents are indexed."""

    embedder: str = "static"
    """Name that `core.embed.registry` knows; `embedder.kind` says it as well."""
    max_file_bytes: int = 4_000_000
    """Bytes; a larger file is refused with a warning."""
    db: str = ""
    """Index file relative to the root; empty = `.docs-agent/index.db`."""


@dataclass(frozen=True, slots=True)
class Config:
    """The whole configuration; every field has a default."""

    docs: DocsConfig = field(default_factory=DocsConfig)
    index: IndexConfig = field(default_factory=IndexConfig)
    embedder: EmbedderConfig = field(default_factory=EmbedderConfig)
    router: RouterConfig = field(default_factory=RouterConfig)
    llm: LLMConfig = field(default_factory=LLMConfig)
    model: ModelConfig = field(default_factory=ModelConfig)
    lint: LintConfig = field(default_factory=LintConfig)
    path: str = ""
    """Name of the file it was read from, relative to the root; empty = defaults only."""


def load_config(root: Path) -> Config:
    """The configuration of the project at `root`, or the defaults when it has none.

    Raises ConfigError with file, line and remedy for a file that cannot be read or parsed, an
    unknown key, a value of the wrong type or out of range, and a path that leaves the root.
    """
    source = read_source(root)
    return Config() if source is None else _config(source, root)


def key_line(root: Path, *key: str) -> int:
    """1-based line of a key in the configuration of `root`, or of the table it is in; 0 when
    neither is written. For errors about values that only fail in use."""
    source = read_source(root)
    return 0 if source is None else source.line(key)


def _config(source: ConfigSource, root: Path) -> Config:
    from docs_agent.core.config_schema import checked

    values = checked(source)
    llm, embedder = _section(values, "llm"), _section(values, "embedder")
    for section, key in ((llm, "verify"), (embedder, "verify"), (embedder, "path")):
        if isinstance(section.get(key), str):
            section[key] = str(root / section[key])
    return Config(
        docs=DocsConfig(**_section(values, "docs")),
        index=IndexConfig(**_section(values, "index")),
        embedder=EmbedderConfig(**embedder, source=source.name) if embedder else EmbedderConfig(),
        router=RouterConfig(**_section(values, "router")),
        llm=LLMConfig(**llm, source=source.name) if llm else LLMConfig(),
        model=ModelConfig(**_section(values, "model")),
        lint=_lint(_section(values, "lint")),
        path=source.name,
    )


def _lint(section: dict[str, Any]) -> LintConfig:
    overrides = tuple(LintOverride(**one) for one in section.pop("overrides", ()))
    return LintConfig(**section, overrides=overrides)


def _section(values: Mapping[str, Any], name: str) -> dict[str, Any]:
    prefix = f"{name}."
    return {key.removeprefix(prefix): v for key, v in values.items() if key.startswith(prefix)}
