"""Prompts as data: a YAML file of named texts with declared variables."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path


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

    def render(self, **values: str) -> tuple[str, str]:
        """System and user text with the values put in. A value is data: `{{x}}` inside it stays.

        Raises ValueError when a variable is missing or unknown.
        """
        return self.system, self.user


def load_prompts(path: Path) -> Mapping[str, Prompt]:
    """The prompts of a file, by name.

    Raises ConfigError with file, line and remedy for a file that cannot be read or parsed, and
    where declared and used variables differ.
    """
    return {}
