"""A path that does not work everywhere

What it does: reports documents whose path differs from another one's in letter case alone, holds
a name or character that Windows refuses, or is written with decomposed letters.

Why: the repository cannot be checked out on the other system, or two files become one.

Example: `docs/API.md` beside `docs/api.md`; `docs/aux.md`; `docs/что?.md`.

Fix: rename the file, and the links to it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from docs_agent.lint.finding import ERROR, Place, Span
from docs_agent.lint.graph import Graph
from docs_agent.lint.rule import Hit, Rule

_RESERVED = re.compile(r"(?i:con|prn|aux|nul|com[1-9]|lpt[1-9])(?:\..*)?")
_REFUSED = re.compile(r'[<>:"|?*\\\x00-\x1f]')
_FILE = Span(1, 1, 1, 1)


def check(graph: Graph) -> Iterator[tuple[str, Hit]]:
    """Report each path once for every fault."""
    first: dict[str, str] = {}
    for page in graph.pages:
        folded = unicodedata.normalize("NFC", page.path).casefold()
        if folded in first:
            place = Place(first[folded], _FILE, "the other file")
            message = "the path differs from another one in letter case or form alone"
            yield page.path, Hit(_FILE, message, related=(place,))
        first.setdefault(folded, page.path)
        for part in page.path.split("/"):
            if message := _fault(part):
                yield page.path, Hit(_FILE, message)


def _fault(name: str) -> str:
    if _RESERVED.fullmatch(name):
        return f"Windows keeps the name `{name}` for a device"
    if found := _REFUSED.search(name):
        return f"Windows refuses `{found.group()}` in a name"
    if name.endswith((".", " ")) or name.startswith(" "):
        return "the name begins or ends with a blank or ends with a dot"
    if unicodedata.normalize("NFC", name) != name:
        return "letters of the name are decomposed (NFD); write it composed (NFC)"
    return ""


RULE = Rule(
    "DOC007", "non-portable-path", "A path does not work on every system", ERROR, graph=check
)
