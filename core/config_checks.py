"""Checks of configuration values: what TOML gives becomes what `core.config` keeps, or `Wrong`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from difflib import get_close_matches
from typing import Any, Final

from docs_agent.core.config_file import INDEX_SUFFIXES, MAX_CHARACTERS
from docs_agent.core.errors import beginning
from docs_agent.core.lint_config import ANCHOR_STYLES, DOCUMENTS, SEVERITIES
from docs_agent.core.model_config import KEY_KINDS, KEY_REFERENCES, TYPE_LISTS, TYPE_TEXTS


class Wrong(Exception):
    """What is wrong with a value: the message, the remedy and the key inside a table."""

    def __init__(self, message: str, remedy: str, inner: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.message = message
        self.remedy = remedy
        self.inner = inner


Check = Callable[[Any], Any]
"""Takes the value as TOML gives it, returns the value as `core.config` keeps it."""


def check_text(value: Any) -> str:
    """A text without NUL."""
    if not isinstance(value, str):
        raise Wrong(f"must be text, not {kind(value)}", "")
    if len(value) > MAX_CHARACTERS:
        raise Wrong(f"is longer than {MAX_CHARACTERS:,} characters: `{beginning(value)}`", "")
    if "\0" in value:
        raise Wrong("holds a NUL character", "")
    return value


def check_name(value: Any) -> str:
    """A text that is not empty."""
    text = check_text(value).strip()
    if not text:
        raise Wrong("must not be empty", "")
    return text


def check_texts(value: Any) -> tuple[str, ...]:
    """Texts, each once."""
    if not isinstance(value, list):
        raise Wrong(f"must be a list of texts, not {kind(value)}", "")
    return tuple(dict.fromkeys(check_text(item) for item in value))


def check_path(value: Any) -> str:
    """A path below the root in its shortest form; `.` for the root itself."""
    text = check_name(value)
    if text.startswith("/") or "\\" in text or text[1:2] == ":":
        raise Wrong(f"`{text}` is not a path relative to the project root with `/`", "")
    parts: list[str] = []
    for part in text.split("/"):
        if part == "..":
            if not parts:
                raise Wrong(f"`{text}` leaves the project root", "")
            parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    return "/".join(parts) or "."


def check_paths(value: Any) -> tuple[str, ...]:
    """Paths below the root."""
    return tuple(dict.fromkeys(check_path(item) for item in check_texts(value)))


def check_db(value: Any) -> str:
    """The index file."""
    # The configuration comes with the repository: it must not choose a file outside of it.
    try:
        path = check_path(value)
    except Wrong as wrong:
        raise Wrong(
            wrong.message, "for an index elsewhere use --db or DOCS_AGENT_DB", wrong.inner
        ) from None
    if path == ".":
        raise Wrong("must name a file", "")
    if any(part.lower() == ".git" for part in path.split("/")):
        raise Wrong("may not lie inside `.git`", "")
    if not path.endswith(INDEX_SUFFIXES):
        raise Wrong(f"must end in {' or '.join(INDEX_SUFFIXES)}", "")
    return path


def whole(least: int, most: int, unit: str = "") -> Check:
    """A whole number in a range."""

    def check(value: Any) -> int:
        # bool is an int to Python, not to the person who wrote `true`.
        if not isinstance(value, int) or isinstance(value, bool):
            raise Wrong(f"must be a whole number{unit}, not {kind(value)}", "")
        if not least <= value <= most:
            raise Wrong(f"must lie between {least} and {most}", "")
        return value

    return check


def number(least: float, most: float) -> Check:
    """A number in a range."""

    def check(value: Any) -> float:
        if not isinstance(value, (int, float)) or isinstance(value, bool):
            raise Wrong(f"must be a number, not {kind(value)}", "")
        # TOML has nan, which lies nowhere.
        if not least <= value <= most:
            raise Wrong(f"must lie between {least} and {most}", "")
        return float(value)

    return check


def check_address(value: Any) -> str:
    """An address without secrets in it, no slash at its end."""
    from docs_agent.core.llm.address import address_fault

    # The address is not repeated: a password may stand in it.
    if isinstance(value, str) and len(value) > MAX_CHARACTERS:
        raise Wrong(f"is longer than {MAX_CHARACTERS:,} characters", "")
    text = check_name(value)
    fault = address_fault(text)
    if fault:
        raise Wrong(fault, "")
    return text.rstrip("/")


def check_verify(value: Any) -> bool | str:
    """True, false or the path of a certificate below the root."""
    if isinstance(value, bool):
        return value
    if not isinstance(value, str):
        raise Wrong(f"must be true, false or the path of a file, not {kind(value)}", "")
    try:
        return check_path(value)
    except Wrong as wrong:
        remedy = "for a file elsewhere use the variable SSL_CERT_FILE"
        raise Wrong(wrong.message, remedy, wrong.inner) from None


def choice(*choices: str) -> Check:
    """One of some texts."""

    def check(value: Any) -> str:
        text = check_text(value)
        if text not in choices:
            raise Wrong(f"has the unknown value `{text}`", nearest(text, choices))
        return text

    return check


def table(item: Check) -> Check:
    """A table of values of one kind."""

    def check(value: Any) -> dict[str, Any]:
        if not isinstance(value, dict):
            raise Wrong(f"must be a table, not {kind(value)}", "")
        found: dict[str, Any] = {}
        for name, inner in value.items():
            try:
                found[check_text(name)] = item(inner)
            except Wrong as wrong:
                raise Wrong(wrong.message, wrong.remedy, (name, *wrong.inner)) from None
        return found

    return check


def check_codes(value: Any) -> tuple[str, ...]:
    """Codes of rules, upper case."""
    return tuple(check_name(text).upper() for text in check_texts(value))


def check_severities(value: Any) -> dict[str, str]:
    """Severities by code."""
    return {code.upper(): one for code, one in table(choice(*SEVERITIES))(value).items()}


def check_styles(value: Any) -> tuple[str, ...]:
    """Renderers of anchors."""
    return tuple(choice(*ANCHOR_STYLES)(item) for item in check_texts(value))


def check_overrides(value: Any) -> tuple[dict[str, Any], ...]:
    """`[[lint.overrides]]`: tables with `files` and at least one setting."""
    if not isinstance(value, list):
        raise Wrong(f"must be tables `[[lint.overrides]]`, not {kind(value)}", "")
    found = []
    for at, one in enumerate(value, 1):
        if not isinstance(one, dict) or not one.get("files"):
            raise Wrong(f"needs `files` in table {at}", 'write files = ["docs/old/**"]')
        checked_table: dict[str, Any] = {}
        for name, inner in one.items():
            if name not in OVERRIDE_CHECKS:
                raise Wrong(f"has the unknown key `{name}`", nearest(name, tuple(OVERRIDE_CHECKS)))
            try:
                checked_table[name] = OVERRIDE_CHECKS[name](inner)
            except Wrong as wrong:
                message = f"in table {at}: `{name}` {wrong.message}"
                raise Wrong(message, wrong.remedy) from None
        found.append(checked_table)
    return tuple(found)


def fields(allowed: Mapping[str, Check]) -> Check:
    """A table with some of these keys."""

    def check(value: Any) -> dict[str, Any]:
        if not isinstance(value, dict):
            raise Wrong(f"must be a table, not {kind(value)}", "")
        found = {}
        for name, inner in value.items():
            if name not in allowed:
                raise Wrong(f"has the unknown key `{name}`", nearest(name, tuple(allowed)))
            try:
                found[name] = allowed[name](inner)
            except Wrong as wrong:
                inside = (name, *wrong.inner)
                raise Wrong(wrong.message, wrong.remedy, inside) from None
        return found

    return check


TYPE_CHECKS: Final[dict[str, Check]] = {
    **dict.fromkeys(TYPE_TEXTS, check_name),
    **dict.fromkeys(TYPE_LISTS, check_texts),
    "folder": check_path,
}
KEY_CHECKS: Final[dict[str, Check]] = {
    "kind": choice(*KEY_KINDS),
    "values": check_texts,
    "references": choice("", *KEY_REFERENCES),
}

OVERRIDE_CHECKS: Final[dict[str, Check]] = {
    "files": check_texts,
    "documents": choice(*DOCUMENTS),
    "ignore": check_codes,
    "select": check_codes,
    "severity": check_severities,
    "anchors": check_styles,
}


def nearest(word: str, choices: tuple[str, ...]) -> str:
    """The remedy for an unknown word: the known one it looks like, or all of them."""
    close = get_close_matches(word, choices, n=1)
    if not close:
        # `embedder` at the top level is meant as `index.embedder`.
        last = word.rpartition(".")[2]
        by_last = {choice.rpartition(".")[2]: choice for choice in choices}
        close = [by_last[hit] for hit in get_close_matches(last, by_last, n=1)]
    return f"did you mean `{close[0]}`?" if close else f"one of: {', '.join(choices)}"


def kind(value: Any) -> str:
    """What a TOML value is, in words."""
    if isinstance(value, bool):
        return "true or false"
    names = {str: "text", int: "a number", float: "a number", list: "a list", dict: "a table"}
    return names.get(type(value), "a date or time")
