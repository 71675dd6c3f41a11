"""The one place that turns an error into words and an exit status."""

from __future__ import annotations

import sys
import traceback

from docs_agent.cli.console import note
from docs_agent.core.errors import DocsAgentError, NoIndexError

INTERRUPTED = 130
INTERNAL = 70
"""A fault of the tool itself (EX_SOFTWARE of sysexits.h)."""


def report(error: BaseException, *, debug: bool) -> int:
    """Writes the error to stderr and returns the exit status."""
    if isinstance(error, KeyboardInterrupt):
        note("interrupted; nothing was changed")
        return INTERRUPTED
    if debug:
        traceback.print_exception(error, file=sys.stderr)
    if isinstance(error, DocsAgentError):
        for line in describe(error):
            note(line)
        return error.exit_status
    note(f"error: {type(error).__name__}: {error}")
    note("  this is a fault of docs-agent itself")
    note("  do this     run it again with --debug and report what it prints")
    return INTERNAL


def describe(error: DocsAgentError) -> list[str]:
    """What happened, where, and what to do next."""
    lines = [f"error: {error.message}"]
    if error.path:
        label = "looked for" if isinstance(error, NoIndexError) else "at        "
        lines.append(f"  {label}  {error.path}" + (f":{error.line}" if error.line else ""))
    if error.remedy:
        lines.append(f"  do this     {error.remedy}")
    return lines
