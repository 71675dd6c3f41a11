"""The command reference says what the command line says."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path


def test_the_command_reference_is_what_help_prints() -> None:
    script = Path(__file__).with_name("cli_reference.py")
    done = subprocess.run(
        [sys.executable, str(script), "--check"], capture_output=True, encoding="utf-8", timeout=120
    )
    renew = "renew it with: python tests/cli/cli_reference.py --write"
    assert done.returncode == 0, f"{done.stderr}\n{renew}"
