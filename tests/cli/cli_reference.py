"""Writes docs/cli-reference.md from what the real command line says, or checks that it says so.

python tests/cli/cli_reference.py --write | --check
"""

from __future__ import annotations

import difflib
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[2]
PAGE: Final = ROOT / "docs" / "cli-reference.md"
WIDTH: Final = "100"
# The name in `Usage:` is the script's, however the interpreter was started.
_RUN: Final = "import sys; sys.argv[0] = 'docs-agent'; from docs_agent.cli.main import main; main()"
_NAMES: Final = "from docs_agent.cli.app import COMMANDS; print(*(name for name, _ in COMMANDS))"
_HEAD: Final = """\
---
id: reference.cli
title: Command reference
doc_type: index_page
domain: cli
sub_domain: reference
status: generated
owner: maintainers
source_of_truth: code
parent: index.docs_agent
related_docs:
  - ui.command_line
  - reference.exit_status
  - reference.json_output
related_code:
  - cli/app.py
  - cli/options.py
  - tests/cli/cli_reference.py
entities:
  - Project
tags:
  - reference
  - cli
aliases:
  - command reference
  - options of a command
  - справочник команд
  - ключи команд
---

# Command reference

## Summary

- Purpose: what `--help` of every command prints, word for word
- Made by: `python tests/cli/cli_reference.py --write`; a test compares it with the command line
- Behaviour of output, colours and variables: [Command line](ui/command-line.md)
- Source of truth: code

## Details
"""


def page() -> str:
    """The whole page as the command line of this checkout gives it."""
    return _HEAD + "".join(_sections())


def _sections() -> Iterator[str]:
    for command in ("", *_python(_NAMES).split()):
        name = f"docs-agent {command}".strip()
        said = _python(_RUN, *command.split(), "--help")
        text = "\n".join(line.rstrip() for line in said.strip().splitlines())
        yield f"\n### {name}\n\n```text\n{text}\n```\n"


def _python(code: str, *arguments: str) -> str:
    env = {name: value for name, value in os.environ.items() if name != "DOCS_AGENT_DB"}
    path = os.pathsep.join(filter(None, (str(ROOT / "src"), env.get("PYTHONPATH"))))
    env |= {"COLUMNS": WIDTH, "TERMINAL_WIDTH": WIDTH, "NO_COLOR": "1", "TERM": "dumb"}
    env |= {"PYTHONPATH": path, "PYTHONUTF8": "1"}
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        env=env,
        check=True,
        capture_output=True,
        encoding="utf-8",
        timeout=60,
    )
    return done.stdout


def main(arguments: list[str]) -> int:
    """0 when the page is right or was written, 1 when it is not, 2 for a wrong call."""
    if arguments == ["--write"]:
        PAGE.write_text(page(), encoding="utf-8")
        return 0
    if arguments != ["--check"]:
        sys.stderr.write("usage: cli_reference.py --write | --check\n")
        return 2
    written = PAGE.read_text(encoding="utf-8") if PAGE.exists() else ""
    wanted = page()
    names = (f"{PAGE.name} as it is", f"{PAGE.name} as it should be")
    difference = difflib.unified_diff(written.splitlines(1), wanted.splitlines(1), *names)
    sys.stderr.writelines(difference)
    return int(written != wanted)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
