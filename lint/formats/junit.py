"""JUnit XML, as the xUnit plugin of Jenkins defines it: a suite per file, a case per finding.

Errors are failures; warnings are skipped cases, which no CI counts as failed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby
from xml.etree import ElementTree

from docs_agent.core.visible import visible_line
from docs_agent.lint.finding import ERROR, Finding
from docs_agent.lint.outcome import Report

_NAME = "docs-lint"
_NO_XML = r"[\ufffe\uffff]"
"""What XML forbids and a terminal does not mind."""


def junit(report: Report) -> str:
    """One document, and a line feed."""
    root = ElementTree.Element("testsuites", name=_NAME, errors="0")
    for path, findings in groupby(report.findings, key=lambda finding: finding.path):
        root.append(_suite(path, tuple(findings)))
    if not report.findings:
        # Jenkins takes a report without a single case for a broken one.
        suite = _suite(_NAME, ())
        suite.set("tests", "1")
        ElementTree.SubElement(suite, "testcase", name="no findings", classname=_NAME)
        root.append(suite)
    root.set("tests", str(len(report.findings) or 1))
    root.set("failures", str(_failures(report.findings)))
    ElementTree.indent(root)
    body = ElementTree.tostring(root, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{body}\n'


def _suite(path: str, findings: Sequence[Finding]) -> ElementTree.Element:
    failures = _failures(findings)
    suite = ElementTree.Element(
        "testsuite",
        name=_clean(visible_line(path)),
        tests=str(len(findings)),
        failures=str(failures),
        errors="0",
        skipped=str(len(findings) - failures),
    )
    for finding in findings:
        suite.append(_case(finding))
    return suite


def _case(finding: Finding) -> ElementTree.Element:
    # On one line: no line of a log may begin with what a document says.
    message = _clean(visible_line(finding.message))
    path = _clean(visible_line(finding.path))
    place = f"{finding.span.line}:{finding.span.column}"
    # Name and class together tell a case from others, so the place is part of the name.
    case = ElementTree.Element(
        "testcase", name=f"{finding.code} {finding.name} at {place}", classname=path
    )
    verdict = "failure" if finding.severity == ERROR else "skipped"
    told = ElementTree.SubElement(case, verdict, type=finding.code, message=message)
    told.text = f"{path}:{place}: {message}"
    return case


def _failures(findings: Sequence[Finding]) -> int:
    return sum(1 for finding in findings if finding.severity == ERROR)


def _clean(text: str) -> str:
    return re.sub(_NO_XML, lambda found: f"\\u{ord(found.group()):04x}", text)
