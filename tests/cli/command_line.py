"""Runs the real command line as a real process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

SAMPLE = Path(__file__).resolve().parents[2] / "examples" / "notify"
TIMEOUT = 120


@dataclass(frozen=True)
class Result:
    """What a process left behind."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


def docs_agent(
    *arguments: str | Path, cwd: Path, stdin: str = "", env: dict[str, str] | None = None
) -> Result:
    """`docs-agent ARGUMENTS` in `cwd`; the environment is this one plus `env`."""
    done = subprocess.run(
        [sys.executable, "-m", "docs_agent", *map(str, arguments)],
        cwd=cwd,
        input=stdin.encode("utf-8"),
        capture_output=True,
        timeout=TIMEOUT,
        check=False,
        env={**os.environ, "PYTHONIOENCODING": "", "DOCS_AGENT_DB": "", **(env or {})},
    )
    return Result(done.returncode, done.stdout.decode("utf-8"), done.stderr.decode("utf-8"))


def write(root: Path, files: dict[str, str]) -> Path:
    """Writes the files below `root` and returns it."""
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return root
