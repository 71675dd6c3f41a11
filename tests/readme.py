"""The commands of the README, read from it: `python tests/readme.py setup|test` prints one,
`… update` writes the real output of every example into it.

A command that must be found by name stands in a fenced `sh` block right after a comment `<!-- name
-->`.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
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


def run(command: str, cwd: Path) -> str:
    """What a command of an example prints, stdout and stderr as a terminal shows them."""
    path = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=cwd,
        env={**os.environ, "PATH": path, "NO_COLOR": "1", "DOCS_AGENT_DB": ""},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=120,
        check=False,
    )
    return done.stdout.decode("utf-8").rstrip("\n")


def update() -> None:
    """Writes the real output of every example into the README."""
    text = README.read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(README.parent / "examples", Path(folder, "examples"))
        for example in examples(text):
            block = f"$ {example.command}" + (f"\n{example.output}" if example.output else "")
            shown = f"$ {example.command}\n{run(example.command, Path(folder))}"
            text = text.replace(f"```console\n{block}\n```", f"```console\n{shown}\n```", 1)
    README.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    if sys.argv[1] == "update":
        update()
    else:
        print(commands()[sys.argv[1]])
