"""Prompts as data: a YAML file of named texts with declared variables.

greeting:
  variables: [name]
  system: |
    Be brief.
  user: |
    Greet {{name}}.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from docs_agent.core.errors import ConfigError

if TYPE_CHECKING:
    import yaml

MAX_BYTES: Final = 1_000_000
_KEYS: Final = ("variables", "system", "user")
_NAME: Final = re.compile(r"[a-z][a-z0-9_]{0,63}")
_USE: Final = re.compile(r"\{\{(?:([a-z][a-z0-9_]{0,63})\}\})?")
"""A variable in its place; without a group: two braces that are none."""


@dataclass(frozen=True, slots=True)
class Prompt:
    """One prompt of a file."""

    name: str
    system: str
    """With `{{variable}}` where a value goes."""
    user: str
    """With `{{variable}}` where a value goes."""
    variables: tuple[str, ...]
    """Exactly those that occur in the texts."""

    def render(self, /, **values: str) -> tuple[str, str]:
        """System and user text with the values put in. A value is data: `{{x}}` inside it stays.

        Raises ValueError when a variable is missing or unknown, or a value is no text.
        """
        wrong = set(values) ^ set(self.variables)
        if wrong:
            kind = "unknown to" if wrong & set(values) else "missing for"
            raise ValueError(f"variables {kind} prompt {self.name}: {', '.join(sorted(wrong))}")
        if not all(isinstance(value, str) for value in values.values()):
            raise ValueError(f"a value for prompt {self.name} is no text")

        def value(match: re.Match[str]) -> str:
            return values[match[1]]

        return _USE.sub(value, self.system), _USE.sub(value, self.user)


def load_prompts(path: Path) -> Mapping[str, Prompt]:
    """The prompts of a file, by name.

    Raises ConfigError with file, line and remedy for a file that cannot be read or parsed, and
    where declared and used variables differ.
    """
    import yaml

    file = str(path)
    try:
        root = yaml.compose(_text(path), Loader=yaml.SafeLoader)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        reason = str(getattr(error, "problem", None) or "a character YAML does not have")
        raise ConfigError(
            f"not valid YAML: {reason}",
            remedy="correct the line",
            path=file,
            line=mark.line + 1 if mark else 0,
        ) from None
    except RecursionError:
        raise ConfigError(
            "nested too deeply", remedy="keep only prompts in it", path=file
        ) from None
    found = dict(_prompt(file, name, node) for name, node in _entries(file, root))
    if not found:
        raise ConfigError("the file holds no prompts", remedy="add one", path=file)
    return MappingProxyType(found)


def _text(path: Path) -> str:
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise ConfigError(
            f"the prompts cannot be read: {reason}",
            remedy="check the file and its permissions",
            path=str(path),
        ) from None
    if len(data) > MAX_BYTES:
        raise ConfigError(
            f"the prompts are larger than {MAX_BYTES:,} bytes",
            remedy="keep only prompts in the file",
            path=str(path),
        )
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise ConfigError(
            "the prompts are not UTF-8", remedy="save the file as UTF-8", path=str(path), line=line
        ) from None


def _entries(file: str, node: Any) -> Iterator[tuple[yaml.ScalarNode, Any]]:
    """Keys and values of a mapping, each key once."""
    import yaml

    if not isinstance(node, yaml.MappingNode):
        raise _wrong(file, node, "there must be a mapping here", "write name: value lines")
    seen: set[str] = set()
    for key, value in node.value:
        if not isinstance(key, yaml.ScalarNode):
            raise _wrong(file, key, "a name must be a word", "write a word before the colon")
        if key.value in seen:
            raise _wrong(file, key, f"`{key.value}` stands here twice", "remove one")
        seen.add(key.value)
        yield key, value


def _prompt(file: str, name: yaml.ScalarNode, node: Any) -> tuple[str, Prompt]:
    if not _NAME.fullmatch(name.value):
        raise _wrong(file, name, f"`{name.value}` is no name", "use a-z, 0-9 and _")
    parts: dict[str, Any] = {}
    for key, value in _entries(file, node):
        if key.value not in _KEYS:
            raise _wrong(file, key, f"unknown key `{key.value}`", f"one of: {', '.join(_KEYS)}")
        parts[key.value] = value
    for missing in (key for key in _KEYS if key not in parts):
        raise _wrong(file, name, f"prompt `{name.value}` has no `{missing}`", f"add {missing}:")
    declared = _declared(file, parts["variables"])
    texts = {key: _scalar(file, parts[key]) for key in ("system", "user")}
    used = {use for key, text in texts.items() for use in _used(file, parts[key], text, declared)}
    for variable, at in declared.items():
        if variable not in used:
            remedy = f"write {{{{{variable}}}}} into a text, or remove it"
            raise _wrong(file, at, f"variable `{variable}` is declared, but not used", remedy)
    return name.value, Prompt(name.value, texts["system"], texts["user"], tuple(declared))


def _declared(file: str, node: Any) -> dict[str, Any]:
    import yaml

    if not isinstance(node, yaml.SequenceNode):
        raise _wrong(file, node, "`variables` must be a list", "write variables: [question]")
    found: dict[str, Any] = {}
    for item in node.value:
        variable = _scalar(file, item)
        if not _NAME.fullmatch(variable) or variable in found:
            message = f"`{variable}` is no name, or stands here twice"
            raise _wrong(file, item, message, "use a-z, 0-9 and _, each name once")
        found[variable] = item
    return found


def _used(file: str, node: yaml.ScalarNode, text: str, declared: Mapping[str, Any]) -> set[str]:
    used: set[str] = set()
    for match in _USE.finditer(text):
        block = 1 if node.style in ("|", ">") else 0
        line = node.start_mark.line + 1 + block + text.count("\n", 0, match.start())
        if match[1] is None:
            raise ConfigError(
                "two opening braces that are no variable",
                remedy="write a variable as {{name}}, without spaces",
                path=file,
                line=line,
            )
        if match[1] not in declared:
            raise ConfigError(
                f"variable `{match[1]}` is used, but not declared",
                remedy=f"add {match[1]} to `variables`, or correct its name",
                path=file,
                line=line,
            )
        used.add(match[1])
    return used


def _scalar(file: str, node: Any) -> str:
    import yaml

    if not isinstance(node, yaml.ScalarNode):
        raise _wrong(file, node, "there must be a text here", "write it after `|`")
    return str(node.value)


def _wrong(file: str, node: Any, message: str, remedy: str) -> ConfigError:
    line = node.start_mark.line + 1 if node is not None else 1
    return ConfigError(message, remedy=remedy, path=file, line=line)
