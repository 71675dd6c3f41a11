"""Comments that keep a finding quiet.

    <!-- docs-lint: ignore DOC301 -->                 on a line of its own: the next line (the whole
                                                      table, list item or paragraph line after it);
                                                      after text: the line it stands on
    <!-- docs-lint: ignore-start DOC301, DOC2 -->     up to `ignore-end`, or the end of the file
    <!-- docs-lint: ignore-end -->
    <!-- docs-lint: ignore-file DOC4 -->              the whole file
    # docs-lint: ignore DOC110                        the same in a metadata block

A code may be a beginning of codes. Without codes everything is kept quiet. What stands after ` -- `
or `:` is the reason, for people.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from docs_agent.lint.finding import Span
from docs_agent.lint.page import Page

_COMMENT: Final = re.compile(
    r"docs-lint:\s*(ignore(?:-start|-end|-file|-next-line|-line)?)\b([^<>\n]*?)(?:-->|$)"
)
_CODE: Final = re.compile(r"[A-Za-z]+\d*")
_REASON: Final = re.compile(r"\s--\s|:\s")


@dataclass(frozen=True, slots=True)
class Suppression:
    """A comment and the lines it speaks for."""

    codes: tuple[str, ...]
    """Beginnings of codes, upper case; empty = every code."""
    first: int
    last: int
    """Lines, inclusive; 0 = the file, findings without a line included."""
    span: Span
    """Of the comment."""

    def covers(self, code: str, line: int, last: int) -> bool:
        """Whether it speaks for a finding on these lines."""
        return self._is_about(line, last) and self._names(code)

    def _is_about(self, line: int, last: int) -> bool:
        return not self.first or (self.first <= line <= self.last) or line <= self.first <= last

    def _names(self, code: str) -> bool:
        return not self.codes or code.startswith(self.codes)


def suppressions_of(page: Page) -> tuple[Suppression, ...]:
    """The suppressions of a page, in order."""
    return tuple(_paired(list(_comments(page)), len(page.lines)))


def _comments(page: Page) -> Iterator[tuple[str, tuple[str, ...], Span]]:
    for number in range(page.front.start, page.front.end):
        text = page.lines[number]
        mark = text.find("#")
        if mark >= 0 and "docs-lint:" in text:
            yield from _read(text[mark:], number + 1, mark)
    for piece in page.html:
        if "docs-lint:" not in piece.text or not piece.text.lstrip().startswith("<!--"):
            continue
        # A block of HTML goes on to the next blank line and may hold several comments.
        for offset, text in enumerate(piece.text.split("\n")):
            yield from _read(
                text, piece.span.line + offset, piece.span.column - 1 if not offset else 0
            )


def _read(text: str, line: int, shift: int) -> Iterator[tuple[str, tuple[str, ...], Span]]:
    for found in _COMMENT.finditer(text):
        codes = tuple(code.upper() for code in _CODE.findall(_REASON.split(found[2], 1)[0]))
        span = Span(line, found.start() + shift + 1, line, found.end() + shift + 1)
        yield found[1], codes, span


def _paired(comments: list[tuple[str, tuple[str, ...], Span]], last: int) -> Iterator[Suppression]:
    for index, (word, codes, span) in enumerate(comments):
        if word == "ignore-file":
            yield Suppression(codes, 0, 0, span)
        elif word == "ignore-start":
            ends = (
                later.line
                for kind, named, later in comments[index + 1 :]
                if kind == "ignore-end" and (not named or named == codes)
            )
            yield Suppression(codes, span.line, next(ends, last), span)
        elif word in ("ignore", "ignore-line", "ignore-next-line"):
            yield Suppression(codes, span.line, span.line, span)


def widened(found: tuple[Suppression, ...], page: Page) -> tuple[Suppression, ...]:
    """The same with the line after a comment that stands alone on its line."""
    return tuple(_widened(one, page) for one in found)


def _widened(one: Suppression, page: Page) -> Suppression:
    if not one.first or one.last != one.first:
        return one
    text = page.lines[one.first - 1]
    around = re.sub(r"<!--.*?-->", "", text).strip() if "<!--" in text else text.strip()
    alone = not around or around.startswith("#")
    if not alone:
        return one
    after = one.first + 1
    while after <= len(page.lines) and not page.lines[after - 1].strip():
        after += 1
    return Suppression(one.codes, one.first, after, one.span)
