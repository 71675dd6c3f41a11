"""Text for people: one line per finding, which terminals and editors make a link, and a count."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from docs_agent.core.visible import visible_line
from docs_agent.lint.finding import Finding, Place
from docs_agent.lint.outcome import Report, Summary

PATH: Final = "path"
CODE: Final = "code"
FIX: Final = "fix"
NOTE: Final = "note"
PLAIN: Final = ""

Part = tuple[str, str]
"""Text without line feeds, and what it is: one of the names above, or a severity."""


def text(report: Report) -> str:
    """The lines, each ended."""
    return "".join("".join(part for part, _ in line) + "\n" for line in text_lines(report))


def text_lines(report: Report) -> Iterator[tuple[Part, ...]]:
    """The lines in parts, so that they can be coloured."""
    for finding in report.findings:
        yield _finding(finding)
        for place in finding.related:
            yield _related(place)
    yield ((_closing(report), NOTE),)


def counted(number: int, noun: str) -> str:
    """`1 error`, `2 errors`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _finding(finding: Finding) -> tuple[Part, ...]:
    parts: list[Part] = [
        (_where(finding), PATH),
        (": ", PLAIN),
        (finding.severity, finding.severity),
        (" ", PLAIN),
        (finding.code, CODE),
        (f" {visible_line(finding.message)}", PLAIN),
    ]
    if finding.fix is not None:
        parts.append((" [fixable]" if finding.fix.safe else " [fixable: unsafe]", FIX))
    return tuple(parts)


def _related(place: Place) -> tuple[Part, ...]:
    return (("  ", PLAIN), (_where(place), PATH), (f": {visible_line(place.message)}", NOTE))


def _where(item: Finding | Place) -> str:
    return f"{visible_line(item.path)}:{item.span.line}:{item.span.column}"


def _closing(report: Report) -> str:
    summary = report.summary
    sentences = [_found(summary), *_beside(summary)]
    if report.findings:
        code = report.findings[0].code
        sentences.append(f"`docs-agent lint --explain {code}` tells more.")
    return " ".join(sentences)


def _found(summary: Summary) -> str:
    found = summary.errors + summary.warnings
    files = counted(summary.files, "file")
    if not found:
        return f"No findings in {files}."
    kinds = ((summary.errors, "error"), (summary.warnings, "warning"))
    told = ", ".join(counted(number, noun) for number, noun in kinds if number)
    return f"{counted(found, 'finding')} in {files}: {told}."


def _beside(summary: Summary) -> Iterator[str]:
    """What else happened, one sentence each, and only what did."""
    if summary.fixed:
        yield f"{summary.fixed} fixed."
    if summary.fixable:
        yield f"{summary.fixable} can be fixed with --fix."
    if summary.fixable_unsafe:
        yield f"{summary.fixable_unsafe} can be fixed with --unsafe-fixes."
    if summary.suppressed:
        yield f"{summary.suppressed} suppressed."
    if summary.baseline:
        yield f"{summary.baseline} in the baseline."
    if summary.stale:
        yield f"{counted(summary.stale, 'finding')} of the baseline no longer there."
