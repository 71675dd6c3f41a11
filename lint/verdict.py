"""From hits to findings: what is on, how it is weighed, what a comment keeps quiet."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from docs_agent.lint.finding import Finding, Span
from docs_agent.lint.registry import RULES, UNKNOWN_CODE, UNUSED, rule_of
from docs_agent.lint.rule import Hit
from docs_agent.lint.suppressions import Suppression

_CODES = tuple(rule.code for rule in RULES)


def findings_of(
    path: str,
    hits: Iterable[tuple[str, Hit]],
    severities: Mapping[str, str],
    suppressions: tuple[Suppression, ...],
) -> tuple[list[Finding], int]:
    """Findings of one file, and how many were suppressed.

    severities: by code, of the rules that are on for this file.
    """
    kept: list[Finding] = []
    used: set[Suppression] = set()
    suppressed = 0
    for code, hit in hits:
        if code not in severities:
            continue
        by = [s for s in suppressions if s.covers(code, hit.span.line, hit.span.end_line)]
        if by:
            used.update(by)
            suppressed += 1
        else:
            kept.append(_finding(path, code, hit, severities[code]))
    for code, hit in _about(suppressions, used, severities):
        by = [s for s in suppressions if s.codes and s.covers(code, hit.span.line, hit.span.line)]
        if code in severities and not by:
            kept.append(_finding(path, code, hit, severities[code]))
    return kept, suppressed


def _about(
    suppressions: tuple[Suppression, ...], used: set[Suppression], severities: Mapping[str, str]
) -> Iterator[tuple[str, Hit]]:
    """Hits about the suppressions themselves."""
    for one in suppressions:
        unknown = [code for code in one.codes if not any(k.startswith(code) for k in _CODES)]
        for code in unknown:
            yield UNKNOWN_CODE.code, Hit(one.span, f"no rule has the code {code}")
        known = [code for code in one.codes if code not in unknown]
        is_on = any(code.startswith(tuple(known)) for code in severities) if known else not unknown
        if one not in used and is_on:
            what = ", ".join(known) or "anything"
            yield (
                UNUSED.code,
                Hit(one.span, f"nothing is reported that `ignore` of {what} would hide"),
            )


def _finding(path: str, code: str, hit: Hit, severity: str) -> Finding:
    rule = rule_of(code)
    name = rule.name if rule else ""
    span = hit.span if hit.span.line > 0 else Span(1, 1, 1, 1)
    return Finding(path, span, code, name, severity, hit.message, hit.fix, hit.related)
