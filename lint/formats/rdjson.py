"""The Diagnostic Format of reviewdog, which comments on the lines of a pull request.

Its columns count the bytes of a line, so they are told only where the lines are known. A
suggestion of it is one replacement: a fix with several edits is told as the stretch they lie in.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

from docs_agent.core.visible import json_text
from docs_agent.lint.finding import ERROR, WARNING, Finding, Span, last_line
from docs_agent.lint.fixing import merged_edit
from docs_agent.lint.outcome import Report
from docs_agent.lint.source import Source, source_of

SEVERITY: Final = {ERROR: "ERROR", WARNING: "WARNING"}


def rdjson(report: Report) -> str:
    """One document, and a line feed."""

    # Findings come file by file.
    @lru_cache(maxsize=1)
    def source(path: str) -> Source | None:
        lines = report.lines_of(path)
        return source_of("".join(f"{line}\n" for line in lines)) if lines else None

    value = {
        "source": {"name": "docs-lint"},
        "diagnostics": [_diagnostic(finding, source(finding.path)) for finding in report.findings],
    }
    return json_text(value) + "\n"


def _diagnostic(finding: Finding, source: Source | None) -> dict[str, Any]:
    place = _range(finding.span, source)
    diagnostic: dict[str, Any] = {
        "message": finding.message,
        "location": {"path": finding.path, "range": place},
        "severity": SEVERITY[finding.severity],
        "code": {"value": finding.code},
    }
    merged = merged_edit(source, finding.fix) if source and finding.fix else None
    # Nothing of it stands before a byte order mark.
    if source and merged and merged[0].column > 0:
        span, text = merged
        diagnostic["suggestions"] = [{"range": _range(span, source), "text": text}]
    return diagnostic


def _range(span: Span, source: Source | None) -> dict[str, Any]:
    if source is None or source.range_of(span) is None:
        return {"start": {"line": span.line}, "end": {"line": last_line(span)}}
    return {
        "start": _position(source, span.line, span.column),
        "end": _position(source, span.end_line, span.end_column),
    }


def _position(source: Source, line: int, column: int) -> dict[str, int]:
    start = source.starts[line - 1]
    before = source.text[start : start + column - 1]
    return {"line": line, "column": len(before.encode("utf-8")) + 1}
