"""Closed, full and broken standard streams end in a status of their own, never in a traceback."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

FULL = Path("/dev/full")
RUN = f"{sys.executable} -m docs_agent"
ASK = f'{RUN} ask "how does /health work"'


def shell(command: str, cwd: Path, **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["bash", "-c", command],
        cwd=cwd,
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        check=False,
        env={**os.environ, **env},
    )


@pytest.mark.skipif(not FULL.exists(), reason="needs /dev/full")
@pytest.mark.parametrize("arguments", ["--help", "--version", 'ask "how does /health work" --json'])
def test_output_to_a_full_disk_is_an_error_in_words(arguments: str, sample: Path) -> None:
    done = shell(f"{RUN} {arguments} >/dev/full", sample)
    assert done.returncode == 2
    assert "cannot be written" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.skipif(not FULL.exists(), reason="needs /dev/full")
def test_errors_keep_their_status_when_nobody_can_be_told(tmp_path: Path) -> None:
    assert shell(f"{RUN} ask anything 2>/dev/full", tmp_path).returncode == 2


@pytest.mark.parametrize(("closed", "status"), [(">&-", 0), ("2>&-", 0), ("<&-", 0)])
def test_a_closed_stream_does_not_change_the_status(closed: str, status: int, sample: Path) -> None:
    done = shell(f"{ASK} {closed}", sample)
    assert done.returncode == status, done.stderr
    assert "Traceback" not in done.stderr


def test_a_batch_from_a_closed_standard_input_is_empty(sample: Path) -> None:
    done = shell(f"{RUN} ask --batch - <&-", sample)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_a_reader_that_takes_one_line_is_no_error(sample: Path) -> None:
    done = shell(f"set -o pipefail; {RUN} status | head -n 1", sample)
    assert done.returncode == 0
    assert done.stderr == ""


def test_a_current_folder_that_is_gone_is_named(tmp_path: Path) -> None:
    done = shell(f"mkdir gone && cd gone && rmdir ../gone && {RUN} status", tmp_path)
    assert done.returncode == 2
    assert "current folder does not exist" in done.stderr


def test_ctrl_c_while_everything_is_still_being_loaded_is_met(sample: Path) -> None:
    # `doctor` takes longer than these delays, so the signal never meets a process that is done.
    for delay in (0.0, 0.03, 0.06, 0.1):
        begin = "from docs_agent.cli.main import main; print(flush=True); main()"
        process = subprocess.Popen(
            [sys.executable, "-c", begin, "doctor"],
            cwd=sample,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(delay)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
        assert b"Traceback" not in err
        assert process.returncode == 130
