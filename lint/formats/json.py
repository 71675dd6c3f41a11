"""JSON of our own, the whole report. Keys may be added; those here keep their meaning.

version             integer, of this format: 1
tool                object: name, version
summary             object: files, errors, warnings, suppressed, baseline, stale, fixable,
                    fixable_unsafe, fixed; what each counts is said in `lint/outcome.py`
findings            list of objects in the order of the report, each with
  path              POSIX, relative to the project root
  line, column      where it begins; 1-based, columns count code points
  end_line, end_column    where it ends, exclusive
  code, name        of the rule
  severity          error or warning
  message           what is wrong
  fingerprint       stays the same while the file changes elsewhere; unique in a report
  fix               null, or an object: message, safe, edits; an edit is an object: line, column,
                    end_line, end_column, text. Column 0 stands before a byte order mark
  related           list of objects: path, line, column, end_line, end_column, message
"""

from __future__ import annotations

from dataclasses import asdict
from typing import Any, Final

from docs_agent.core.visible import json_text
from docs_agent.lint.finding import Finding, Fix, Place, Span
from docs_agent.lint.outcome import Report

VERSION: Final = 1


def json(report: Report) -> str:
    """One document, and a line feed."""
    value = {
        "version": VERSION,
        "tool": {"name": "docs-agent", "version": report.version},
        "summary": asdict(report.summary),
        "findings": [_finding(finding) for finding in report.findings],
    }
    return json_text(value) + "\n"


def _finding(finding: Finding) -> dict[str, Any]:
    return {
        "path": finding.path,
        **_span(finding.span),
        "code": finding.code,
        "name": finding.name,
        "severity": finding.severity,
        "message": finding.message,
        "fingerprint": finding.fingerprint,
        "fix": None if finding.fix is None else _fix(finding.fix),
        "related": [_place(place) for place in finding.related],
    }


def _fix(fix: Fix) -> dict[str, Any]:
    edits = [{**_span(edit.span), "text": edit.text} for edit in fix.edits]
    return {"message": fix.message, "safe": fix.safe, "edits": edits}


def _place(place: Place) -> dict[str, Any]:
    return {"path": place.path, **_span(place.span), "message": place.message}


def _span(span: Span) -> dict[str, int]:
    return {
        "line": span.line,
        "column": span.column,
        "end_line": span.end_line,
        "end_column": span.end_column,
    }
