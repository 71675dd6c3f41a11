"""From the bytes of a file to a page."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from docs_agent.indexers.decode import Decoded, decode, split_lines
from docs_agent.lint.page import Page
from docs_agent.lint.read_front import read_front
from docs_agent.lint.site_blocks import MARKS, with_readable_blocks

MAX_BYTES: Final = 4_000_000
_LINE_END: Final = re.compile(r"\r\n|\r|\n")


class Unreadable(Exception):
    """A file that is no document: binary, too large. message: what and why."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class ReadPage:
    """A page and how its bytes became text."""

    __slots__ = ("decoded", "page")

    def __init__(self, page: Page, decoded: Decoded) -> None:
        self.page = page
        self.decoded = decoded


def read_page(path: str, data: bytes, docs_root: str = ".", max_bytes: int = MAX_BYTES) -> ReadPage:
    """Take a file apart.

    path: relative to the project root, for messages. Raises Unreadable.
    """
    from docs_agent.lint.body import Body

    if len(data) > max_bytes:
        raise Unreadable(
            f"the file has {len(data):,} bytes, the limit is {max_bytes:,} "
            "(`index.max_file_bytes`). Split it, or exclude it"
        )
    decoded = decode(data)
    if decoded is None:
        raise Unreadable("the file is binary. Remove it from the documentation, or exclude it")
    text = decoded.text
    lines = split_lines(text)
    ends = _line_ends(text)
    front = read_front(path, lines)
    body: Sequence[str] = lines[front.body :]
    if any(mark in text for mark in MARKS):
        body = with_readable_blocks(body)
    parts = Body("\n".join(body), front.body + 1).read()
    page = Page(
        path=path,
        docs_root=docs_root,
        lines=tuple(lines),
        has_bom=data.startswith(b"\xef\xbb\xbf"),
        line_ends=tuple(dict.fromkeys(ends)),
        mixed_ends=ends if len(set(ends)) > 1 else (),
        front=front,
        headings=tuple(parts.headings),
        links=tuple(parts.links),
        definitions=tuple(parts.definitions),
        undefined=tuple(parts.undefined),
        code_blocks=tuple(parts.code_blocks),
        inline_code=tuple(parts.inline_code),
        tables=tuple(parts.tables),
        html=tuple(parts.html),
        paragraphs=tuple(parts.paragraphs),
        items=tuple(parts.items),
    )
    return ReadPage(page, decoded)


def _line_ends(text: str) -> tuple[str, ...]:
    """Every line end; just one where all are alike."""
    if "\r" not in text:
        return ("\n",) if "\n" in text else ()
    return tuple(_LINE_END.findall(text))
