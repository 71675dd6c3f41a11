"""Lets the tests of this folder import what they share, and tells what got better."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
WON = pytest.StashKey[list[str]]()


@pytest.fixture
def won(pytestconfig: pytest.Config) -> list[str]:
    """Questions won since the baseline; they are told at the end of the run."""
    return pytestconfig.stash.setdefault(WON, [])


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    lines = config.stash.get(WON, [])
    if lines:
        terminalreporter.section("questions won since the baseline")
        for line in lines:
            terminalreporter.write_line(line)
