"""The commands of the README, read from it: `python tests/readme.py setup|install|test` prints one.

A command that must be found by name stands in a fenced `sh` block right after a comment `<!-- name
-->`.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

README = Path(__file__).resolve().parent.parent / "README.md"
_NAMED = re.compile(r"<!-- command: ([\w-]+) -->\n+```sh\n(.+?)\n```", re.DOTALL)
_CONSOLE = re.compile(r"```console\n(.+?)\n```", re.DOTALL)


@dataclass(frozen=True)
class Example:
    """One `$ command` of a console block with what it prints."""

    command: str
    output: str
    line: int
    """Line of the command in the README."""


def commands() -> dict[str, str]:
    """Named commands, each one line."""
    return dict(_NAMED.findall(README.read_text(encoding="utf-8")))


def examples(text: str) -> Iterator[Example]:
    """All console examples in order."""
    for block in _CONSOLE.finditer(text):
        first = text.count("\n", 0, block.start(1)) + 1
        lines = block.group(1).split("\n")
        starts = [i for i, line in enumerate(lines) if line.startswith("$ ")]
        for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
            output = "\n".join(lines[start + 1 : end])
            yield Example(lines[start][2:], output.rstrip("\n"), first + start)


if __name__ == "__main__":
    print(commands()[sys.argv[1]])
