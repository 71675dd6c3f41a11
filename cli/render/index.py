"""What `index` says when it is done."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from docs_agent.cli.lines import Line, plain
from docs_agent.core.layers import DOCS_LAYERS

if TYPE_CHECKING:
    from docs_agent.core.embed.protocol import Spent
    from docs_agent.core.records import IndexWarning
    from docs_agent.indexers.run_report import IndexReport

_SHOWN_WARNINGS = 20


def report_lines(report: IndexReport, root: Path) -> list[Line]:
    """Counts, then the warnings with file and line."""
    files = report.files.as_json()
    parts = [
        f"{files[key]} {word}"
        for key, word in (
            ("indexed", "new or changed"),
            ("unchanged", "unchanged"),
            ("deleted", "deleted"),
            ("failed", "failed"),
        )
        if files[key] or key == "indexed"
    ]
    lines = [
        plain(f"{_count(files['seen'], 'file')}: {', '.join(parts)}."),
        plain(
            f"{_count(sum(report.records.values()), 'record')} ({layer_counts(report.records)}) "
            f"in {report.seconds:.1f} s → {shown_path(report.db, root)}"
        ),
    ]
    if report.spent is not None:
        lines.append(plain(_spent(report.spent, report.embedder)))
    return lines + warning_lines(report.warnings)


def _spent(spent: Spent, embedder: str) -> str:
    """What went to the embedder's service."""
    if not spent.requests:
        return f"Nothing was sent to {embedder}: every vector is known."
    size = f"{spent.tokens:,} tokens" if spent.tokens else f"{spent.characters:,} characters"
    return (
        f"{_count(spent.texts, 'text')} ({size}) sent to {embedder} in "
        f"{_count(spent.requests, 'request')}, {spent.seconds:.1f} s"
    )


def layer_counts(records: Mapping[str, int]) -> str:
    """`D0 61 · D1 15 · …`, layers that have rows."""
    return " · ".join(f"{name[:2]} {records[name]}" for name in DOCS_LAYERS if records.get(name))


def warning_lines(warnings: tuple[IndexWarning, ...]) -> list[Line]:
    """The first warnings, then how many more there are."""
    if not warnings:
        return []
    lines: list[Line] = [((_count(len(warnings), "warning"), "yellow"),)]
    for warning in warnings[:_SHOWN_WARNINGS]:
        place = warning.path + (f":{warning.line}" if warning.line else "")
        lines.append(
            ((f"  {place}", "bold"), (f"  {warning.message}", ""), (f"  [{warning.code}]", "dim"))
        )
    if len(warnings) > _SHOWN_WARNINGS:
        rest = len(warnings) - _SHOWN_WARNINGS
        lines.append(plain(f"  … and {rest} more (--json lists them all)"))
    return lines


def shown_path(path: str | Path, root: Path) -> str:
    """Relative to the root when inside it."""
    absolute = os.path.abspath(path)
    relative = os.path.relpath(absolute, root)
    return absolute if relative.startswith("..") else relative


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" + ("" if number == 1 else "s")
