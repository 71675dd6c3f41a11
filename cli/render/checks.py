"""Findings of `doctor`, as JSON and as lines."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from docs_agent.cli.lines import Line, columns
from docs_agent.core.checks import Check


def checks_json(checks: Sequence[Check]) -> dict[str, Any]:
    """All findings and whether every one is good."""
    return {
        "ok": all(check.ok for check in checks),
        "checks": [
            {"name": c.name, "ok": c.ok, "detail": c.detail, "remedy": c.remedy} for c in checks
        ],
    }


def check_lines(checks: Sequence[Check]) -> list[Line]:
    """A line for each finding, the remedy under those that are not good."""
    aligned = columns([("ok  " if c.ok else "FAIL", c.name, c.detail) for c in checks])
    lines: list[Line] = []
    for check, text in zip(checks, aligned, strict=True):
        lines.append(((text, "" if check.ok else "bold red"),))
        if not check.ok and check.remedy:
            lines.append(((f"        do this: {check.remedy}", ""),))
    return lines
