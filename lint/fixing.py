"""Making fixes in a text: those that do not touch one another, each as a whole."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Sequence
from typing import NamedTuple

from docs_agent.lint.finding import Finding, Fix, Span
from docs_agent.lint.source import Source


class Change(NamedTuple):
    """Characters `start` to `end` of a text become `text`."""

    start: int
    end: int
    text: str


def changes_of(source: Source, fix: Fix) -> tuple[Change, ...]:
    """What the fix changes, in the order of the text; edits that change nothing are left out.

    Empty when the fix cannot be made: it names a place that is not there, its edits overlap, or
    its text cannot be written as UTF-8.
    """
    changes = []
    for edit in fix.edits:
        place = source.range_of(edit.span)
        text = source.written(edit)
        if place is None or not _is_utf8(text):
            return ()
        if source.text[place[0] : place[1]] != text:
            changes.append(Change(*place, text))
    # Edits that insert at one place stay in their order.
    changes.sort(key=lambda change: change[:2])
    ends = [0]
    for change in changes:
        if change.start < ends[-1]:
            return ()
        ends.append(change.end)
    return tuple(changes)


def with_changes(text: str, changes: Sequence[Change]) -> str:
    """The text after the changes, which are in order and do not overlap."""
    parts: list[str] = []
    done = 0
    for change in changes:
        parts += (text[done : change.start], change.text)
        done = change.end
    return "".join((*parts, text[done:]))


def make_fixes(source: Source, findings: Sequence[Finding]) -> tuple[str, tuple[Finding, ...]]:
    """The text after as many of the fixes as can be made together, and the findings they are of.

    Of fixes that touch one another the one named first is made. Findings without a fix, and those
    whose fix changes nothing, are passed over.
    """
    taken: list[Change] = []
    made = []
    for finding in findings:
        changes = changes_of(source, finding.fix) if finding.fix else ()
        if changes and not any(_touches(change, taken) for change in changes):
            for change in changes:
                # Behind those at the same place: the edits of one fix keep their order.
                insort(taken, change, key=lambda other: other[:2])
            made.append(finding)
    return with_changes(source.text, taken), tuple(made)


def merged_edit(source: Source, fix: Fix) -> tuple[Span, str] | None:
    """The fix as one replacement, for formats that know no other; None when it cannot be made.

    Lines of the text end as in the file.
    """
    changes = changes_of(source, fix)
    if not changes:
        return None
    start, end = changes[0].start, changes[-1].end
    moved = [Change(c.start - start, c.end - start, c.text) for c in changes]
    return source.span_of(start, end), with_changes(source.text[start:end], moved)


def _touches(change: Change, taken: Sequence[Change]) -> bool:
    """Whether a change overlaps one of those, or one of both inserts where the other begins or
    ends: which of them comes first is not for us to guess."""
    index = bisect_left(taken, change.start, key=lambda other: other.end)
    # `taken` does not overlap itself, so the first that ends behind our start decides, but for
    # those that only meet us.
    for other in taken[index:]:
        if other.start > change.end:
            return False
        if other.start < change.end and change.start < other.end:
            return True
        if change.start == change.end or other.start == other.end:
            return True
    return False


def _is_utf8(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True
