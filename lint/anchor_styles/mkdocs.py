"""MkDocs: the extension `toc` of Python-Markdown with one of three slug functions.

By default a slug is ASCII: letters are taken apart (NFKD) and what is left beyond ASCII goes, so
that a Cyrillic heading has none and is called `_1`, `_2`, … Explicit ids `{ #id }` and `{: #id }`
(the extension `attr_list`, which the usual themes turn on) are taken first. Checked against
Python-Markdown itself by the tests; of `pymdownx.slugs` its source was read.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

from docs_agent.lint.anchor_styles.heading_text import HeadingText

_ATTRIBUTES: Final = re.compile(r"[ ]+\{:?[ ]*([^}\n ][^\n]*)\}[ ]*$")
_ID: Final = re.compile(r"(?:^|\s)#([^\s#{}\"']+)|(?:^|\s)id=[\"']?([^\s\"'}]+)")
_NO_WORD: Final = re.compile(r"[^\w\s-]")
_JOINED: Final = re.compile(r"[-\s]+")
_NO_SLUG: Final = re.compile(r"[^\w\- ]")
_COUNT: Final = re.compile(r"(.*)_([0-9]+)", re.DOTALL)
_WIDTH: Final = 1000
"""Characters at the end of a heading that are searched for attributes."""


def ascii_anchors(headings: Sequence[HeadingText]) -> list[str]:
    """Anchors with the default slug function."""
    return _anchors(headings, _ascii)


def unicode_anchors(headings: Sequence[HeadingText]) -> list[str]:
    """Anchors with `slugify_unicode`."""
    return _anchors(headings, _unicode)


def pymdownx_anchors(headings: Sequence[HeadingText]) -> list[str]:
    """Anchors with `pymdownx.slugs.slugify`, `case: lower`."""
    return _anchors(headings, _pymdownx)


def _ascii(text: str) -> str:
    return _unicode(unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode("ascii"))


def _unicode(text: str) -> str:
    return _JOINED.sub("-", _NO_WORD.sub("", text).strip().lower())


def _pymdownx(text: str) -> str:
    normal = unicodedata.normalize("NFC", text).strip().lower()
    return _NO_SLUG.sub("", normal).replace(" ", "-")


def _anchors(headings: Sequence[HeadingText], slug: Callable[[str], str]) -> list[str]:
    texts = [_taken_apart(heading.text) for heading in headings]
    taken = {name for _, name in texts if name}
    free = _unique((slug(text) for text, name in texts if not name), taken)
    return [name or next(free) for _, name in texts]


def _taken_apart(text: str) -> tuple[str, str]:
    """(text, explicit id)."""
    start = max(len(text) - _WIDTH, 0)
    found = _ATTRIBUTES.search(text, start)
    if not found:
        return text, ""
    names = [one or other for one, other in _ID.findall(found[1])]
    return text[: found.start()].rstrip("#").rstrip(), names[-1] if names else ""


def _unique(slugs: Iterable[str], taken: set[str]) -> Iterator[str]:
    """Each slug, or the next number after it that is free: `a`, `a_1`."""
    counters: dict[str, int] = {}
    for wanted in slugs:
        name = wanted
        if not name or name in taken:
            found = _COUNT.fullmatch(name)
            base, count = (found[1], int(found[2][:12])) if found else (name, 0)
            count = max(count, counters.get(base, 0) if not found else 0) + 1
            while f"{base}_{count}" in taken:
                count += 1
            name = f"{base}_{count}"
            if not found:
                counters[base] = count
        taken.add(name)
        yield name
