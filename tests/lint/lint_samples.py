"""Findings and reports out of short notation, and rules that replace one text by another."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from docs_agent.lint.finding import ERROR, Edit, Finding, Fix, Place, Span, in_order
from docs_agent.lint.outcome import Report, RuleInfo, no_lines, summarise
from docs_agent.lint.source import read_source

RULES = (
    RuleInfo("DOC301", "dead-link", "A link leads nowhere.", "error", "## What it does\n\nText."),
    RuleInfo("DOC402", "duplicate-id", "Two documents have one id.", "warning", "## Why\n\nText."),
)


def span(text: str) -> Span:
    """`3:5` or `3:5-4:1`."""
    start, _, end = text.partition("-")
    line, column = map(int, start.split(":"))
    end_line, end_column = map(int, (end or start).split(":"))
    return Span(line, column, end_line, end_column)


def finding(facts: Mapping[str, Any]) -> Finding:
    """at, and whatever differs from an error of DOC301 in docs/a.md."""
    fix = facts.get("fix")
    return Finding(
        path=facts.get("path", "docs/a.md"),
        span=span(facts["at"]),
        code=facts.get("code", "DOC301"),
        name=facts.get("name", "dead-link"),
        severity=facts.get("severity", ERROR),
        message=facts.get("message", "nothing is there"),
        fix=None if fix is None else _fix(fix),
        related=tuple(
            Place(place["path"], span(place["at"]), place["message"])
            for place in facts.get("related", ())
        ),
        fingerprint=facts.get("fingerprint", ""),
    )


def report(
    findings: Iterable[Finding],
    files: int = 3,
    lines_of: Callable[[str], Sequence[str]] = no_lines,
    **counts: int,
) -> Report:
    """A report of the findings."""
    ordered = in_order(findings)
    summary = summarise(ordered, files=files, **counts)
    return Report(ordered, RULES, summary, "0.1.0", lines_of)


def replacing(
    *rules: tuple[str, str], safe: bool = True, code: str = "DOC001"
) -> Callable[[bytes], tuple[Finding, ...]]:
    """A check that finds each old text within a line and would put the new one in its place."""

    def check(data: bytes) -> tuple[Finding, ...]:
        source = read_source(data)
        found = []
        for old, new in rules if source else ():
            for match in re.finditer(re.escape(old), source.text if source else ""):
                place = source.span_of(*match.span()) if source else span("1:1")
                fix = Fix(f"write {new!r}", (Edit(place, new),), safe)
                found.append(Finding("a.md", place, code, "old", ERROR, f"{old!r} is old", fix))
        return tuple(found)

    return check


def _fix(facts: Mapping[str, Any]) -> Fix:
    edits = tuple(Edit(span(edit["at"]), edit["text"]) for edit in facts["edits"])
    return Fix(facts.get("message", "mend it"), edits, facts.get("safe", True))
