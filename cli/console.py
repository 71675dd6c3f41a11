"""The only place that writes to stdout and stderr."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Any, Final, TextIO

from docs_agent.cli.lines import INVISIBLE, UNSAFE, Line, safe
from docs_agent.core.errors import OutputError

_COLUMNS: Final = 80
"""Width of a terminal that does not tell its own."""


def use_utf8() -> None:
    """Results are UTF-8 whatever the locale; what cannot be encoded is written as an escape."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(encoding="utf-8", errors="backslashreplace")


def styled(stream: TextIO) -> bool:
    """Colours only on a terminal, and never against NO_COLOR (https://no-color.org)."""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def print_lines(lines: Iterable[Line]) -> None:
    """Lines to stdout: through Rich on a terminal, plain elsewhere. Raises OutputError."""
    target = sys.stdout
    if not styled(target):
        _write("".join("".join(safe(text) for text, _ in line) + "\n" for line in lines))
        return
    from rich.console import Console
    from rich.text import Text

    console = Console(file=target, highlight=False, soft_wrap=False)
    if console.width < 1:
        # COLUMNS=0: some shells say so, and Rich would print nothing at all.
        console.width = _COLUMNS
    for line in lines:
        console.print(Text.assemble(*((safe(text), style) for text, style in line)))


def print_json(value: Mapping[str, Any], *, indent: int | None = 2) -> None:
    """Exactly one JSON document, UTF-8, ending with a newline. Raises OutputError."""
    import json

    text = json.dumps(value, ensure_ascii=False, indent=indent, allow_nan=False)
    # Legal in JSON but not on a terminal; escaped, they mean the same. A lone surrogate is no
    # UTF-8.
    shown = re.sub(f"{UNSAFE}|{INVISIBLE}", lambda found: f"\\u{ord(found.group()):04x}", text)
    _write(shown.encode("utf-8", "backslashreplace").decode("utf-8") + "\n")


def _write(text: str) -> None:
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise OutputError(
            f"the output cannot be written: {error.strerror}",
            remedy="write it to a place with space left",
        ) from None


def note(text: str) -> None:
    """One line for the person at the terminal, to stderr."""
    # Whoever closed stderr does not want to be told; the exit status still says it.
    with suppress(OSError):
        sys.stderr.write(safe(text) + "\n")
        sys.stderr.flush()
