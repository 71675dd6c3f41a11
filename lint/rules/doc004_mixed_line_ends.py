"""Lines that end in different ways

What it does: reports a file whose lines end partly with CRLF, partly with LF or CR. The finding
stands at the first line that ends otherwise than most.

Why: every tool that rewrites the file changes the whole of it, and git shows lines as changed that
look the same.

Example: a section pasted on Windows into a page written on Linux.

Fix: `--fix` gives all lines the end that most of them have.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from docs_agent.lint.finding import Edit, Fix, Span
from docs_agent.lint.page import Page
from docs_agent.lint.rule import Hit, Rule
from docs_agent.lint.scope import Scope

_NAMES = {"\r\n": "CRLF", "\n": "LF", "\r": "CR"}


def check(page: Page, scope: Scope) -> Iterator[Hit]:
    """Report the first line that ends otherwise than most."""
    if not page.mixed_ends:
        return
    counts = Counter(page.mixed_ends)
    most = max(counts, key=lambda end: (counts[end], end == "\n"))
    others = [line for line, end in enumerate(page.mixed_ends, 1) if end != most]
    told = ", ".join(
        f"{counts[end]} with {_NAMES[end]}" for end in sorted(counts, key=lambda end: _NAMES[end])
    )
    fix = Fix(
        f"end all lines with {_NAMES[most]}",
        tuple(
            Edit(Span(line, len(page.lines[line - 1]) + 1, line + 1, 1), most) for line in others
        ),
    )
    span = page.line_span(others[0])
    # A lone CR cannot be asked for by an edit: such files are left to people.
    yield Hit(span, f"lines end in different ways: {told}", fix if most != "\r" else None)


RULE = Rule("DOC004", "mixed-line-ends", "Lines end in different ways", page=check, fixable="safe")
