"""Findings as styled lines."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from docs_agent.cli.lines import Line
from docs_agent.lint.formats.text import text_lines
from docs_agent.lint.outcome import Report

_STYLES: Final = {
    "path": "bold",
    "error": "bold red",
    "warning": "yellow",
    "code": "cyan",
    "fix": "green",
    "note": "dim",
}
"""Rich style by what a part of a line is."""


def lint_lines(report: Report) -> Iterator[Line]:
    """One line per finding and one for the count."""
    for line in text_lines(report):
        yield tuple((text, _STYLES.get(kind, "")) for text, kind in line)
