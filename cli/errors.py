"""The one place that turns an error into words and an exit status."""

from __future__ import annotations

import os
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
    if isinstance(error, OSError | MemoryError):
        for line in _refused_by_system(error):
            note(line)
        return DocsAgentError.exit_status
    note(f"error: {type(error).__name__}: {error}")
    note("  this is a fault of docs-agent itself")
    note("  do this     run it again with --debug and report what it prints")
    return INTERNAL


def _refused_by_system(error: OSError | MemoryError) -> list[str]:
    """What the operating system does not grant is no fault of the tool: it is told as it is."""
    if isinstance(error, MemoryError):
        return ["error: there is not enough memory", "  do this     give the process more memory"]
    reason = error.strerror or str(error) or type(error).__name__
    lines = [f"error: the operating system refused: {reason}"]
    if error.filename:
        lines.append(f"  at          {os.fsdecode(error.filename)}")
    return [
        *lines,
        "  do this     mend that, or run it again with --debug to see where it happened",
    ]


def describe(error: DocsAgentError) -> list[str]:
    """What happened, where, and what to do next."""
    lines = [f"error: {error.message}"]
    if error.path:
        label = "looked for" if isinstance(error, NoIndexError) else "at        "
        lines.append(f"  {label}  {error.path}" + (f":{error.line}" if error.line else ""))
    if error.remedy:
        lines.append(f"  do this     {error.remedy}")
    return lines
