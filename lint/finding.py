"""What a rule reports: where, what, and which edits would mend it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import NamedTuple

ERROR = "error"
WARNING = "warning"
SEVERITIES = (ERROR, WARNING)


class Span(NamedTuple):
    """A stretch of a text file.

    Lines and columns are 1-based; columns count characters (code points) of the decoded line, the
    end is exclusive. A finding about a whole file has the span (1, 1, 1, 1). In an edit, column 0
    of line 1 stands before a byte order mark.
    """

    line: int
    column: int
    end_line: int
    end_column: int


@dataclass(frozen=True, slots=True)
class Edit:
    """Put `text` in the place of `span`; an empty span inserts.

    A line feed in `text` becomes the line end of the line that is edited, except where the edit
    replaces exactly one line end by another: that is what was meant.
    """

    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class Fix:
    """Edits that belong together: all of them are made, or none.

    message: what the fix does, in the imperative.
    safe: it only writes down what follows from the files; `--fix` makes it.
    edits: in the file of the finding.
    """

    message: str
    edits: tuple[Edit, ...]
    safe: bool = True


@dataclass(frozen=True, slots=True)
class Place:
    """Another place that a finding speaks of: the first of two equal ids, the page linked to."""

    path: str
    span: Span
    message: str


@dataclass(frozen=True, slots=True)
class Finding:
    """One fault at one place.

    path: POSIX, relative to the project root.
    fingerprint: of the content, not of the line number; see `lint/fingerprint.py`. Empty until
    the whole run is known.
    """

    path: str
    span: Span
    code: str
    name: str
    severity: str
    message: str
    fix: Fix | None = None
    related: tuple[Place, ...] = ()
    fingerprint: str = field(default="", compare=False)

    @property
    def sort_key(self) -> tuple[str, Span, str, str]:
        """Order of a report: by file, place, rule, words."""
        return self.path, self.span, self.code, self.message


def in_order(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Return the findings in the order of a report."""
    return tuple(sorted(findings, key=lambda finding: finding.sort_key))


def with_severity(finding: Finding, severity: str) -> Finding:
    """Return the finding as the project weighs it."""
    return replace(finding, severity=severity)


def last_line(span: Span) -> int:
    """The last line that the span has a character of; its first when it is empty."""
    if span.end_line > span.line and span.end_column <= 1:
        return span.end_line - 1
    return span.end_line
