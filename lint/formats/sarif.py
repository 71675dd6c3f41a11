"""SARIF 2.1.0, for code scanning: rules with their help, results, fixes, fingerprints."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import quote

from docs_agent.core.visible import json_text
from docs_agent.lint.finding import Edit, Finding, Fix, Place, Span
from docs_agent.lint.outcome import Report, RuleInfo
from docs_agent.lint.source import BOM

SCHEMA: Final = "https://json.schemastore.org/sarif-2.1.0.json"
FINGERPRINT: Final = "docsLint/v1"
"""Name of the fingerprint; a new way to make it needs a new number."""
_ROOT: Final = "%SRCROOT%"
_BOM_BYTES: Final = len(BOM.encode("utf-8"))


def sarif(report: Report) -> str:
    """One log with one run, and a line feed."""
    index = {rule.code: number for number, rule in enumerate(report.rules)}
    driver = {
        "name": "docs-lint",
        "semanticVersion": report.version,
        "rules": [_rule(rule) for rule in report.rules],
    }
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "results": [_result(finding, index) for finding in report.findings],
    }
    return json_text({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}) + "\n"


def _rule(rule: RuleInfo) -> dict[str, Any]:
    return {
        "id": rule.code,
        "name": rule.name,
        "shortDescription": {"text": rule.summary},
        "fullDescription": {"text": rule.summary},
        "help": {"text": rule.explanation, "markdown": rule.explanation},
        "defaultConfiguration": {"level": rule.severity},
    }


def _result(finding: Finding, index: Mapping[str, int]) -> dict[str, Any]:
    result: dict[str, Any] = {
        "ruleId": finding.code,
        "level": finding.severity,
        "message": {"text": finding.message},
        "locations": [{"physicalLocation": _location(finding.path, finding.span)}],
    }
    if finding.code in index:
        result["ruleIndex"] = index[finding.code]
    if finding.fingerprint:
        result["partialFingerprints"] = {FINGERPRINT: finding.fingerprint}
    if finding.related:
        result["relatedLocations"] = [
            _related(place, number) for number, place in enumerate(finding.related)
        ]
    fix = _fix(finding.path, finding.fix) if finding.fix else None
    if fix:
        result["fixes"] = [fix]
    return result


def _related(place: Place, number: int) -> dict[str, Any]:
    return {
        "id": number,
        "physicalLocation": _location(place.path, place.span),
        "message": {"text": place.message},
    }


def _fix(path: str, fix: Fix) -> dict[str, Any] | None:
    """None when SARIF has no words for one of the edits: the fix is made as a whole or not."""
    replacements = [_replacement(edit) for edit in fix.edits]
    if not replacements or None in replacements:
        return None
    return {
        "description": {"text": fix.message},
        "artifactChanges": [{"artifactLocation": _artifact(path), "replacements": replacements}],
        "properties": {"safe": fix.safe},
    }


def _replacement(edit: Edit) -> dict[str, Any] | None:
    region = _deleted(edit.span)
    if region is None:
        return None
    inserted = {"insertedContent": {"text": edit.text}} if edit.text else {}
    return {"deletedRegion": region, **inserted}


def _deleted(span: Span) -> dict[str, int] | None:
    """The region of an edit. A byte order mark has no column: bytes stand in for it."""
    if span.column > 0:
        return _region(span)
    if (span.end_line, span.end_column) in ((1, 0), (1, 1)):
        return {"byteOffset": 0, "byteLength": span.end_column * _BOM_BYTES}
    return None


def _location(path: str, span: Span) -> dict[str, Any]:
    return {"artifactLocation": _artifact(path), "region": _region(span)}


def _artifact(path: str) -> dict[str, str]:
    return {"uri": quote(path, errors="surrogateescape"), "uriBaseId": _ROOT}


def _region(span: Span) -> dict[str, int]:
    return {
        "startLine": span.line,
        "startColumn": span.column,
        "endLine": span.end_line,
        "endColumn": span.end_column,
    }
