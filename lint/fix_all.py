"""Making fixes in a whole collection: what is mended in one file may be asked for by another."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from docs_agent.lint.finding import Finding
from docs_agent.lint.fixing import make_fixes
from docs_agent.lint.run import Checked, Linter
from docs_agent.lint.source import read_source

_ROUNDS: Final = 20
"""A fix that waits for another takes one; more is a quarrel of rules."""


@dataclass(frozen=True, slots=True)
class FixedAll:
    """A collection after its fixes."""

    changed: Mapping[str, bytes]
    """New content of the files that changed, by path."""
    made: tuple[Finding, ...]
    """Findings that were mended, in the order of mending."""
    left: Checked
    """What is found in the new content."""


def fix_all(linter: Linter, *, unsafe: bool = False) -> FixedAll:
    """Make the safe fixes, and the unsafe ones when asked. Nothing is written.

    Each round makes the fixes that do not touch one another and looks at everything again, what did
    not change aside. A fix whose finding comes back unchanged is not made a second time.
    """
    overlay: dict[str, bytes] = {}
    made: list[Finding] = []
    tried: set[tuple[str, str, str]] = set()
    checked = linter.check()
    for _ in range(_ROUNDS):
        changed = False
        for path, findings in _by_path(checked.findings, tried, unsafe=unsafe).items():
            data = linter.data(path, overlay)
            source = read_source(data) if data is not None else None
            if source is None:
                continue
            text, done = make_fixes(source, findings)
            tried.update(map(_effect, done))
            if done:
                overlay[path] = text.encode("utf-8")
                made += done
                changed = True
        if not changed:
            break
        checked = linter.check(overlay)
    return FixedAll(overlay, tuple(made), checked)


def _by_path(
    findings: Iterable[Finding], tried: set[tuple[str, str, str]], *, unsafe: bool
) -> Mapping[str, list[Finding]]:
    found: defaultdict[str, list[Finding]] = defaultdict(list)
    for finding in findings:
        if finding.fix and (finding.fix.safe or unsafe) and _effect(finding) not in tried:
            found[finding.path].append(finding)
    return found


def _effect(finding: Finding) -> tuple[str, str, str]:
    return finding.path, finding.code, finding.fingerprint
