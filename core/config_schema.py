"""Every key of the configuration: its type, its allowed values, and what is said when it is wrong.

Keys are listed once, in `KEYS`; a new key is one line there and one field in `core.config`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from docs_agent.core.config_checks import (
    KEY_CHECKS,
    TYPE_CHECKS,
    Check,
    Wrong,
    check_address,
    check_codes,
    check_db,
    check_name,
    check_overrides,
    check_path,
    check_paths,
    check_severities,
    check_styles,
    check_text,
    check_texts,
    check_verify,
    choice,
    fields,
    kind,
    nearest,
    number,
    table,
    whole,
)
from docs_agent.core.config_file import MAX_CHARACTERS, ConfigSource
from docs_agent.core.errors import ConfigError, beginning
from docs_agent.core.lint_config import DOCUMENTS


class Key(NamedTuple):
    """One key of the configuration."""

    name: str
    """Dotted, as in the file."""
    check: Check
    """Accepts and converts the value."""
    example: str
    """A valid line, for remedies and documentation."""


KEYS: Final = (
    Key("docs.roots", check_paths, 'roots = ["docs"]'),
    Key("docs.include", check_texts, 'include = ["docs/**/*.md"]'),
    Key("docs.exclude", check_texts, 'exclude = ["docs/archive/"]'),
    Key("index.embedder", check_name, 'embedder = "static"'),
    Key("index.max_file_bytes", whole(1, 1_000_000_000, " of bytes"), "max_file_bytes = 4000000"),
    Key("index.db", check_db, 'db = ".docs-agent/index.db"'),
    Key("embedder.kind", check_name, 'kind = "http"'),
    Key("embedder.model", check_name, 'model = "nomic-embed-text"'),
    Key("embedder.path", check_path, 'path = "models/potion"'),
    Key("embedder.dimensions", whole(1, 16_384), "dimensions = 768"),
    Key("embedder.document_prefix", check_text, 'document_prefix = "search_document: "'),
    Key("embedder.query_prefix", check_text, 'query_prefix = "search_query: "'),
    Key("embedder.text_chars", whole(100, 1_000_000), "text_chars = 8000"),
    Key("embedder.batch", whole(1, 2048), "batch = 64"),
    Key("embedder.batch_chars", whole(1000, 10_000_000), "batch_chars = 100000"),
    Key("embedder.base_url", check_address, 'base_url = "http://localhost:11434/v1"'),
    Key("embedder.timeout", number(0.05, 3600.0), "timeout = 60.0"),
    Key("embedder.question_timeout", number(0.05, 600.0), "question_timeout = 5.0"),
    Key("embedder.connect_timeout", number(0.05, 600.0), "connect_timeout = 3.0"),
    Key("embedder.retries", whole(0, 10), "retries = 3"),
    Key("embedder.auth_url", check_address, 'auth_url = "https://auth.example.com/oauth"'),
    Key("embedder.scope", check_name, 'scope = "GIGACHAT_API_PERS"'),
    Key("embedder.verify", check_verify, "verify = true"),
    Key(
        "router.strategy",
        choice("deterministic_first", "llm_first"),
        'strategy = "deterministic_first"',
    ),
    Key("router.aliases", table(check_name), 'aliases = { "billing" = "docs/domains/billing.md" }'),
    Key("router.markers", table(check_texts), 'markers = { file = ["which page"] }'),
    Key("router.confidence_threshold", number(0.0, 1.0), "confidence_threshold = 0.8"),
    Key("llm.provider", choice("", "openai", "gigachat"), 'provider = "openai"'),
    Key("llm.base_url", check_address, 'base_url = "http://localhost:11434/v1"'),
    Key("llm.model", check_name, 'model = "qwen3:8b"'),
    Key("llm.timeout", number(0.05, 3600.0), "timeout = 60.0"),
    Key("llm.connect_timeout", number(0.05, 600.0), "connect_timeout = 3.0"),
    Key("llm.retries", whole(0, 10), "retries = 2"),
    Key("llm.max_tokens", whole(1, 1_000_000), "max_tokens = 1024"),
    Key("llm.context_tokens", whole(256, 100_000_000), "context_tokens = 8192"),
    Key("llm.temperature", number(0.0, 2.0), "temperature = 0.2"),
    Key("llm.json_output", choice("auto", "schema", "object", "none"), 'json_output = "auto"'),
    Key("llm.scope", check_name, 'scope = "GIGACHAT_API_PERS"'),
    Key("llm.auth_url", check_address, 'auth_url = "https://auth.example.com/oauth"'),
    Key("llm.verify", check_verify, "verify = true"),
    Key(
        "model.types",
        table(fields(TYPE_CHECKS)),
        'types = { runbook = { extends = "logic_block" } }',
    ),
    Key("model.keys", table(fields(KEY_CHECKS)), 'keys = { severity = { kind = "text" } }'),
    Key("lint.select", check_codes, 'select = ["DOC1", "DOC301"]'),
    Key("lint.extend_select", check_codes, 'extend_select = ["DOC210"]'),
    Key("lint.ignore", check_codes, 'ignore = ["DOC205"]'),
    Key("lint.severity", check_severities, 'severity = { DOC301 = "warning" }'),
    Key("lint.documents", choice(*DOCUMENTS), 'documents = "auto"'),
    Key("lint.anchors", check_styles, 'anchors = ["github"]'),
    Key("lint.summary_lines", whole(1, 100_000, " of lines"), "summary_lines = 60"),
    Key("lint.draft_days", whole(1, 100_000, " of days"), "draft_days = 180"),
    Key("lint.errors", check_paths, 'errors = ["docs/errors.yml"]'),
    Key("lint.code_root", check_path, 'code_root = "."'),
    Key(
        "lint.overrides",
        check_overrides,
        'overrides = [{ files = ["docs/old/"], documents = "plain" }]',
    ),
)

_SECRET: Final = re.compile("key|password|secret|token$")
"""Names that somebody would write a secret under."""
_KEY_VARIABLES: Final = {
    "llm": "DOCS_AGENT_LLM_API_KEY",
    "embedder": "DOCS_AGENT_EMBEDDER_API_KEY",
}
"""Where the secret of a section belongs."""
_BY_NAME: Final = {key.name: key for key in KEYS}
_SECTIONS: Final = tuple(dict.fromkeys(key.name.partition(".")[0] for key in KEYS))


def checked(source: ConfigSource) -> dict[str, Any]:
    """Values by dotted key, converted; keys that are not written are absent.

    Raises ConfigError for the first fault in the order of the file.
    """
    values: dict[str, Any] = {}
    for name, value in _entries(source):
        key = _BY_NAME.get(name)
        path = tuple(name.split(".", 1))
        if key is None:
            raise _unknown(source, name, path)
        try:
            values[name] = key.check(value)
        except Wrong as wrong:
            where = beginning(".".join((name, *wrong.inner)))
            raise ConfigError(
                f"`{where}` {wrong.message}",
                remedy=wrong.remedy or f"write for example: {key.example}",
                path=source.name,
                line=source.line(path + wrong.inner),
            ) from None
    return values


def _entries(source: ConfigSource) -> Iterator[tuple[str, Any]]:
    for section, content in source.table.items():
        if section not in _SECTIONS:
            raise _unknown(source, section, (section,))
        if not isinstance(content, Mapping):
            raise ConfigError(
                f"`{section}` must be a table, not {kind(content)}",
                remedy=f"write [{'.'.join((*source.prefix, section))}] and its keys below it",
                path=source.name,
                line=source.line((section,)),
            )
        for name, value in content.items():
            yield f"{section}.{name}", value


def _unknown(source: ConfigSource, name: str, path: tuple[str, ...]) -> ConfigError:
    remedy = ""
    variable = _KEY_VARIABLES.get(name.partition(".")[0], "")
    if variable and _SECRET.search(name.partition(".")[2]):
        remedy = f"keys do not belong into a file of the project; set {variable}"
    return ConfigError(
        f"unknown key `{beginning(name)}`",
        remedy=remedy
        or nearest(
            name[:MAX_CHARACTERS], tuple(_BY_NAME) if "." in name else (*_SECTIONS, *_BY_NAME)
        ),
        path=source.name,
        line=source.line(path),
    )
