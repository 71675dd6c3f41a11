"""Every key of the configuration: its type, its allowed values, and what is said when it is wrong.

Keys are listed once, in `KEYS`; a new key is one line there and one field in `core.config`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from difflib import get_close_matches
from typing import Any, Final, NamedTuple

from docs_agent.core.config_file import INDEX_SUFFIXES, MAX_CHARACTERS, ConfigSource
from docs_agent.core.errors import ConfigError, beginning


class _Wrong(Exception):
    """What is wrong with a value: the message, the remedy and the key inside a table."""

    def __init__(self, message: str, remedy: str, inner: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.message = message
        self.remedy = remedy
        self.inner = inner


Check = Callable[[Any], Any]
"""Takes the value as TOML gives it, returns the value as `core.config` keeps it."""


class Key(NamedTuple):
    """One key of the configuration."""

    name: str
    """Dotted, as in the file."""
    check: Check
    """Accepts and converts the value."""
    example: str
    """A valid line, for remedies and documentation."""


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise _Wrong(f"must be text, not {_kind(value)}", "")
    if len(value) > MAX_CHARACTERS:
        raise _Wrong(f"is longer than {MAX_CHARACTERS:,} characters: `{beginning(value)}`", "")
    if "\0" in value:
        raise _Wrong("holds a NUL character", "")
    return value


def _name(value: Any) -> str:
    text = _text(value).strip()
    if not text:
        raise _Wrong("must not be empty", "")
    return text


def _texts(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise _Wrong(f"must be a list of texts, not {_kind(value)}", "")
    return tuple(dict.fromkeys(_text(item) for item in value))


def _path(value: Any) -> str:
    """A path below the root in its shortest form; `.` for the root itself."""
    text = _name(value)
    if text.startswith("/") or "\\" in text or text[1:2] == ":":
        raise _Wrong(f"`{text}` is not a path relative to the project root with `/`", "")
    parts: list[str] = []
    for part in text.split("/"):
        if part == "..":
            if not parts:
                raise _Wrong(f"`{text}` leaves the project root", "")
            parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    return "/".join(parts) or "."


def _paths(value: Any) -> tuple[str, ...]:
    return tuple(dict.fromkeys(_path(item) for item in _texts(value)))


def _db(value: Any) -> str:
    # The configuration comes with the repository: it must not choose a file outside of it.
    try:
        path = _path(value)
    except _Wrong as wrong:
        raise _Wrong(
            wrong.message, "for an index elsewhere use --db or DOCS_AGENT_DB", wrong.inner
        ) from None
    if path == ".":
        raise _Wrong("must name a file", "")
    if any(part.lower() == ".git" for part in path.split("/")):
        raise _Wrong("may not lie inside `.git`", "")
    if not path.endswith(INDEX_SUFFIXES):
        raise _Wrong(f"must end in {' or '.join(INDEX_SUFFIXES)}", "")
    return path


def _whole(least: int, most: int, unit: str = "") -> Check:
    def check(value: Any) -> int:
        # bool is an int to Python, not to the person who wrote `true`.
        if not isinstance(value, int) or isinstance(value, bool):
            raise _Wrong(f"must be a whole number{unit}, not {_kind(value)}", "")
        if not least <= value <= most:
            raise _Wrong(f"must lie between {least} and {most}", "")
        return value

    return check


def _number(least: float, most: float) -> Check:
    def check(value: Any) -> float:
        if not isinstance(value, (int, float)) or isinstance(value, bool):
            raise _Wrong(f"must be a number, not {_kind(value)}", "")
        # TOML has nan, which lies nowhere.
        if not least <= value <= most:
            raise _Wrong(f"must lie between {least} and {most}", "")
        return float(value)

    return check


def _address(value: Any) -> str:
    from docs_agent.core.llm.address import address_fault

    # The address is not repeated: a password may stand in it.
    if isinstance(value, str) and len(value) > MAX_CHARACTERS:
        raise _Wrong(f"is longer than {MAX_CHARACTERS:,} characters", "")
    text = _name(value)
    fault = address_fault(text)
    if fault:
        raise _Wrong(fault, "")
    return text.rstrip("/")


def _verify(value: Any) -> bool | str:
    if isinstance(value, bool):
        return value
    if not isinstance(value, str):
        raise _Wrong(f"must be true, false or the path of a file, not {_kind(value)}", "")
    try:
        return _path(value)
    except _Wrong as wrong:
        remedy = "for a file elsewhere use the variable SSL_CERT_FILE"
        raise _Wrong(wrong.message, remedy, wrong.inner) from None


def _choice(*choices: str) -> Check:
    def check(value: Any) -> str:
        text = _text(value)
        if text not in choices:
            raise _Wrong(f"has the unknown value `{text}`", _nearest(text, choices))
        return text

    return check


def _table(item: Check) -> Check:
    def check(value: Any) -> dict[str, Any]:
        if not isinstance(value, dict):
            raise _Wrong(f"must be a table, not {_kind(value)}", "")
        found: dict[str, Any] = {}
        for name, inner in value.items():
            try:
                found[_text(name)] = item(inner)
            except _Wrong as wrong:
                raise _Wrong(wrong.message, wrong.remedy, (name, *wrong.inner)) from None
        return found

    return check


KEYS: Final = (
    Key("docs.roots", _paths, 'roots = ["docs"]'),
    Key("docs.include", _texts, 'include = ["docs/**/*.md"]'),
    Key("docs.exclude", _texts, 'exclude = ["docs/archive/"]'),
    Key("index.embedder", _name, 'embedder = "static"'),
    Key("index.max_file_bytes", _whole(1, 1_000_000_000, " of bytes"), "max_file_bytes = 4000000"),
    Key("index.db", _db, 'db = ".docs-agent/index.db"'),
    Key("embedder.kind", _name, 'kind = "http"'),
    Key("embedder.model", _name, 'model = "nomic-embed-text"'),
    Key("embedder.path", _path, 'path = "models/potion"'),
    Key("embedder.dimensions", _whole(1, 16_384), "dimensions = 768"),
    Key("embedder.document_prefix", _text, 'document_prefix = "search_document: "'),
    Key("embedder.query_prefix", _text, 'query_prefix = "search_query: "'),
    Key("embedder.text_chars", _whole(100, 1_000_000), "text_chars = 8000"),
    Key("embedder.batch", _whole(1, 2048), "batch = 64"),
    Key("embedder.batch_chars", _whole(1000, 10_000_000), "batch_chars = 100000"),
    Key("embedder.base_url", _address, 'base_url = "http://localhost:11434/v1"'),
    Key("embedder.timeout", _number(0.05, 3600.0), "timeout = 60.0"),
    Key("embedder.question_timeout", _number(0.05, 600.0), "question_timeout = 5.0"),
    Key("embedder.connect_timeout", _number(0.05, 600.0), "connect_timeout = 3.0"),
    Key("embedder.retries", _whole(0, 10), "retries = 3"),
    Key("embedder.auth_url", _address, 'auth_url = "https://auth.example.com/oauth"'),
    Key("embedder.scope", _name, 'scope = "GIGACHAT_API_PERS"'),
    Key("embedder.verify", _verify, "verify = true"),
    Key(
        "router.strategy",
        _choice("deterministic_first", "llm_first"),
        'strategy = "deterministic_first"',
    ),
    Key("router.aliases", _table(_name), 'aliases = { "billing" = "docs/domains/billing.md" }'),
    Key("router.markers", _table(_texts), 'markers = { file = ["which page"] }'),
    Key("router.confidence_threshold", _number(0.0, 1.0), "confidence_threshold = 0.8"),
    Key("llm.provider", _choice("", "openai", "gigachat"), 'provider = "openai"'),
    Key("llm.base_url", _address, 'base_url = "http://localhost:11434/v1"'),
    Key("llm.model", _name, 'model = "qwen3:8b"'),
    Key("llm.timeout", _number(0.05, 3600.0), "timeout = 60.0"),
    Key("llm.connect_timeout", _number(0.05, 600.0), "connect_timeout = 3.0"),
    Key("llm.retries", _whole(0, 10), "retries = 2"),
    Key("llm.max_tokens", _whole(1, 1_000_000), "max_tokens = 1024"),
    Key("llm.context_tokens", _whole(256, 100_000_000), "context_tokens = 8192"),
    Key("llm.temperature", _number(0.0, 2.0), "temperature = 0.2"),
    Key("llm.json_output", _choice("auto", "schema", "object", "none"), 'json_output = "auto"'),
    Key("llm.scope", _name, 'scope = "GIGACHAT_API_PERS"'),
    Key("llm.auth_url", _address, 'auth_url = "https://auth.example.com/oauth"'),
    Key("llm.verify", _verify, "verify = true"),
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
        except _Wrong as wrong:
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
                f"`{section}` must be a table, not {_kind(content)}",
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
        or _nearest(
            name[:MAX_CHARACTERS], tuple(_BY_NAME) if "." in name else (*_SECTIONS, *_BY_NAME)
        ),
        path=source.name,
        line=source.line(path),
    )


def _nearest(word: str, choices: tuple[str, ...]) -> str:
    close = get_close_matches(word, choices, n=1)
    if not close:
        # `embedder` at the top level is meant as `index.embedder`.
        last = word.rpartition(".")[2]
        by_last = {choice.rpartition(".")[2]: choice for choice in choices}
        close = [by_last[hit] for hit in get_close_matches(last, by_last, n=1)]
    return f"did you mean `{close[0]}`?" if close else f"one of: {', '.join(choices)}"


def _kind(value: Any) -> str:
    if isinstance(value, bool):
        return "true or false"
    names = {str: "text", int: "a number", float: "a number", list: "a list", dict: "a table"}
    return names.get(type(value), "a date or time")
