"""Ctrl-C ends an index run with status 130 and leaves the previous index as it was."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from command_line import docs_agent, write

WAIT = 60.0


@pytest.mark.skipif(os.name != "posix", reason="SIGINT to another process")
def test_interrupting_an_index_run_keeps_the_previous_index(tmp_path: Path) -> None:
    write(tmp_path, {"docs/pump.md": "# Pump\n\nThe pump moves water at 5 bar.\n"})
    assert docs_agent("index", cwd=tmp_path).status == 0
    body = "\n\n".join(f"## Part {i}\n\nWords of part {i}, число {i * 7}." for i in range(60))
    write(tmp_path, {f"docs/many/{n:03}.md": f"# Page {n}\n\n{body}\n" for n in range(150)})

    lock = tmp_path / ".docs-agent" / "index.db.lock"
    lock.write_text("")
    process = subprocess.Popen(
        [sys.executable, "-m", "docs_agent", "index"],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    until = time.monotonic() + WAIT
    # The lock file names its holder while a run holds it.
    while not lock.read_text() and time.monotonic() < until and process.poll() is None:
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=WAIT)

    assert process.returncode == 130, err
    assert b"interrupted" in err
    assert b"Traceback" not in err
    assert out == b""
    answer = docs_agent("ask", "what does the pump move", "--json", cwd=tmp_path)
    assert answer.status == 0
    assert answer.json["citations"][0]["path"] == "docs/pump.md"
    assert docs_agent("index", "--json", cwd=tmp_path).json["files"]["seen"] == 151
