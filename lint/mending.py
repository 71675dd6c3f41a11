"""Mending a file: fixes are made, the file is checked again, until nothing is left to make."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from docs_agent.lint.finding import Finding, in_order
from docs_agent.lint.fingerprint import message_without_places
from docs_agent.lint.fixing import changes_of, make_fixes
from docs_agent.lint.source import Source, read_source

Check = Callable[[bytes], Sequence[Finding]]
"""The findings in a file of that content."""

_Effect = tuple[str, str, tuple[tuple[str, str], ...]]
"""What a fix does, wherever it does it: code and message of its finding, and the text before and
after each of its changes."""

_MAX_CHECKS: Final = 100
"""Checks of one file. A fix that waits for another takes one; more is a quarrel of rules."""


@dataclass(frozen=True, slots=True)
class Mended:
    """A file after its fixes.

    data: its content; the same bytes as before outside of what the fixes name.
    made: the findings whose fix was made, in the order of making.
    left: the findings in `data`.
    """

    data: bytes
    made: tuple[Finding, ...]
    left: tuple[Finding, ...]


def mend(data: bytes, check: Check, unsafe: bool = False) -> Mended:
    """Make the safe fixes of a file, and the unsafe ones when asked.

    A fix that does not cure its finding is not made, nor are fixes that undo each other. A second
    call changes nothing more. A file that is not UTF-8 is left alone.
    """
    checker = _Checker(check)
    now = Mended(data, (), checker(data))
    before = None
    # A pass may have banned more than it had to: the next one begins without bans.
    while before != now.data:
        before = now.data
        after = _pass(now, checker, unsafe)
        now = Mended(after.data, now.made + after.made, after.left)
    return now


class _Checker:
    """The check, and how often it may still be asked."""

    def __init__(self, check: Check) -> None:
        self._check = check
        self.left = _MAX_CHECKS

    def __call__(self, data: bytes) -> tuple[Finding, ...]:
        self.left -= 1
        return in_order(self._check(data))


def _pass(begin: Mended, checker: _Checker, unsafe: bool) -> Mended:
    """Fixes made from `begin` on, without those that come back after they were made: whenever one
    does, everything is made anew without it."""
    banned: frozenset[_Effect] = frozenset()
    while True:
        after, back = _rounds(begin, checker, unsafe, banned)
        if not back:
            return after
        banned |= back


def _rounds(
    begin: Mended, checker: _Checker, unsafe: bool, banned: frozenset[_Effect]
) -> tuple[Mended, frozenset[_Effect]]:
    """The file after as many rounds of fixes as it takes, and the effects that came back."""
    data, left = begin.data, begin.left
    made: tuple[Finding, ...] = ()
    # How many fixes of each effect may still be wanted when no made one comes back.
    owed: dict[_Effect, int] = {}
    while source := read_source(data):
        wanted = _wanted(source, left, unsafe, banned)
        counts = Counter(effect for _, effect in wanted)
        back = frozenset(effect for effect, number in owed.items() if counts[effect] > number)
        if back:
            return begin, back
        text, done = make_fixes(source, [finding for finding, _ in wanted])
        if not done or not checker.left:
            break
        ids = {id(finding) for finding in done}
        done_counts = Counter(effect for finding, effect in wanted if id(finding) in ids)
        for effect in (*owed, *done_counts):
            owed[effect] = counts[effect] - done_counts[effect]
        data = text.encode("utf-8")
        made += done
        left = checker(data)
    return Mended(data, made, left), frozenset()


def _wanted(
    source: Source, findings: Iterable[Finding], unsafe: bool, banned: frozenset[_Effect]
) -> list[tuple[Finding, _Effect]]:
    """The findings whose fix is to be made, safe ones first: where two touch they win."""
    allowed = [f for f in findings if f.fix is not None and (f.fix.safe or unsafe)]
    allowed.sort(key=lambda finding: finding.fix is None or not finding.fix.safe)
    told = ((finding, _effect(source, finding)) for finding in allowed)
    return [(finding, effect) for finding, effect in told if effect not in banned]


def _effect(source: Source, finding: Finding) -> _Effect:
    changes = changes_of(source, finding.fix) if finding.fix else ()
    return (
        finding.code,
        message_without_places(finding.message),
        tuple((source.text[change.start : change.end], change.text) for change in changes),
    )
