"""GitLab's Code Quality report: a list of issues, each with a fingerprint of its own."""

from __future__ import annotations

from typing import Any, Final

from docs_agent.core.visible import json_text
from docs_agent.lint.finding import ERROR, WARNING, Finding, last_line
from docs_agent.lint.outcome import Report

SEVERITY: Final = {ERROR: "major", WARNING: "minor"}
"""Ours, and GitLab's word. Its `critical` and `blocker` are for code that does harm."""


def gitlab(report: Report) -> str:
    """One document, and a line feed."""
    return json_text([_issue(finding) for finding in report.findings]) + "\n"


def _issue(finding: Finding) -> dict[str, Any]:
    # The merge request shows the description alone, so the rule is named in it.
    return {
        "description": f"{finding.code} {finding.name}: {finding.message}",
        "check_name": finding.code,
        "fingerprint": finding.fingerprint,
        "severity": SEVERITY[finding.severity],
        "location": {
            "path": finding.path,
            "lines": {"begin": finding.span.line, "end": last_line(finding.span)},
        },
    }
