"""Workflow commands that GitHub Actions shows as annotations.

Of each type it shows ten for a step, so these are the ten to be shown, and a count of the rest.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from docs_agent.core.visible import visible
from docs_agent.lint.finding import SEVERITIES, Finding, last_line
from docs_agent.lint.formats.text import counted
from docs_agent.lint.outcome import Report

SHOWN: Final = 10
"""Annotations of one type that GitHub shows for a step."""
_DATA: Final = (("%", "%25"), ("\r", "%0D"), ("\n", "%0A"))
_PROPERTY: Final = (*_DATA, (":", "%3A"), (",", "%2C"))


def github(report: Report) -> str:
    """One command per line, worst first; empty when there is nothing to say."""
    return "".join(f"{line}\n" for line in _commands(report))


def _commands(report: Report) -> Iterator[str]:
    rest = []
    for severity in SEVERITIES:
        findings = [finding for finding in report.findings if finding.severity == severity]
        yield from (_command(finding) for finding in findings[:SHOWN])
        if len(findings) > SHOWN:
            rest.append(counted(len(findings) - SHOWN, f"more {severity}"))
    if rest:
        told = " and ".join(rest)
        yield f"::notice title=docs-lint::{told} not shown here; run `docs-agent lint` to see all"


def _command(finding: Finding) -> str:
    span = finding.span
    end = last_line(span)
    places = {"line": span.line, "endLine": end}
    # Columns are only understood within one line, and an empty stretch is none.
    if (span.end_line, end) == (span.line, span.line):
        places["col"] = span.column
        if span.end_column > span.column:
            places["endColumn"] = span.end_column
    properties = [
        f"file={_escaped(finding.path, _PROPERTY)}",
        *(f"{name}={value}" for name, value in places.items()),
        f"title={_escaped(f'{finding.code} {finding.name}', _PROPERTY)}",
    ]
    return f"::{finding.severity} {','.join(properties)}::{_escaped(finding.message, _DATA)}"


def _escaped(text: str, table: tuple[tuple[str, str], ...]) -> str:
    shown = visible(text)
    for character, escape in table:
        shown = shown.replace(character, escape)
    return shown
