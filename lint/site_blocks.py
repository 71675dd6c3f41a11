"""Blocks of MkDocs whose content is indented: admonitions, details and tabs.

CommonMark takes the indented lines for code, and what they hold would not be checked. Their opening
lines are turned into list items of the same length, so that every column stays where it is.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

MARKS: Final = ("!!!", "???", "===")
"""A text without any of them has no such block."""
_OPENING: Final = re.compile(r"^((?: {4}|\t)*)(!!!|\?\?\?\+?|===[!+]?)([ \t]+)(?=[\w\"])")
_FENCE: Final = re.compile(r"^ *(`{3,}|~{3,})")


def with_readable_blocks(lines: Sequence[str]) -> Sequence[str]:
    """The lines as the Markdown parser gets them."""
    changed = list(lines)
    fence = ""
    for number, line in enumerate(lines):
        mark = _FENCE.match(line)
        if mark:
            if not fence:
                fence = mark[1]
            elif mark[1].startswith(fence) and not line[mark.end() :].strip():
                fence = ""
            continue
        found = None if fence else _OPENING.match(line)
        if found and _holds_block(lines, number, len(found[1].expandtabs(4))):
            changed[number] = _as_item(line, found)
    return changed


def _holds_block(lines: Sequence[str], number: int, indent: int) -> bool:
    following = next((line for line in lines[number + 1 : number + 12] if line.strip()), "")
    wide = following.expandtabs(4)
    return len(wide) - len(wide.lstrip()) >= indent + 4


def _as_item(line: str, found: re.Match[str]) -> str:
    # The content of `-   x` begins at the fourth column, where the block's lines begin.
    blank = len(found[1])
    rest = line[blank + 4 :]
    return f"{found[1]}-   {'.' + rest[1:] if rest[:1].isspace() else rest}"
