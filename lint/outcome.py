"""What a run gives: the findings, the rules they are of, and the count of everything."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace

from docs_agent.lint.finding import ERROR, WARNING, Finding


@dataclass(frozen=True, slots=True)
class RuleInfo:
    """A rule as a report tells it.

    code, name: `DOC301`, `dead-link`.
    summary: one sentence.
    severity: the one it has without configuration.
    explanation: Markdown, the text of `--explain`.
    """

    code: str
    name: str
    summary: str
    severity: str
    explanation: str


@dataclass(frozen=True, slots=True)
class Summary:
    """Counts of a run.

    files: files looked at.
    errors, warnings: findings that are reported.
    suppressed: findings that a comment in the document hides.
    baseline: findings that the baseline hides.
    stale: entries of the baseline that are no longer found.
    fixable, fixable_unsafe: reported findings with a safe fix, with an unsafe one.
    fixed: findings whose fix was made in this run; they are not reported.
    """

    files: int
    errors: int = 0
    warnings: int = 0
    suppressed: int = 0
    baseline: int = 0
    stale: int = 0
    fixable: int = 0
    fixable_unsafe: int = 0
    fixed: int = 0


def no_lines(path: str) -> Sequence[str]:
    """The lines of a file when nobody has them."""
    return ()


@dataclass(frozen=True, slots=True)
class Report:
    """A run, ready to be told.

    findings: in the order of a report, with fingerprints.
    rules: the rules that ran, ordered by code.
    version: of the tool.
    lines_of: path to the decoded lines of the file, without line ends and byte order mark; for
    formats that count bytes. Empty when they are not known.
    """

    findings: tuple[Finding, ...]
    rules: tuple[RuleInfo, ...]
    summary: Summary
    version: str
    lines_of: Callable[[str], Sequence[str]] = field(default=no_lines, compare=False)


def with_paths(report: Report, prefix: str) -> Report:
    """The report with a prefix before every path."""

    def moved(finding: Finding) -> Finding:
        related = tuple(replace(p, path=f"{prefix}{p.path}") for p in finding.related)
        return replace(finding, path=f"{prefix}{finding.path}", related=related)

    return replace(
        report,
        findings=tuple(map(moved, report.findings)),
        lines_of=lambda path: report.lines_of(path.removeprefix(prefix)),
    )


def summarise(
    findings: Iterable[Finding],
    *,
    files: int,
    suppressed: int = 0,
    baseline: int = 0,
    stale: int = 0,
    fixed: int = 0,
) -> Summary:
    """Count the findings that are reported; the other figures are told by who knows them."""
    severities: Counter[str] = Counter()
    fixes: Counter[bool] = Counter()
    for finding in findings:
        severities[finding.severity] += 1
        if finding.fix is not None:
            fixes[finding.fix.safe] += 1
    return Summary(
        files=files,
        errors=severities[ERROR],
        warnings=severities[WARNING],
        suppressed=suppressed,
        baseline=baseline,
        stale=stale,
        fixable=fixes[True],
        fixable_unsafe=fixes[False],
        fixed=fixed,
    )
