"""Where code spans end: as many backticks as opened them, nothing else counts inside."""

from __future__ import annotations

from collections.abc import Iterator


def code_end(text: str, position: int, run: str) -> int:
    """Offset of the backticks that close a span opened by `run` before `position`, or -1."""
    close = text.find(run, position)
    while close >= 0:
        after = close + len(run)
        while text.startswith("`", after):
            after += 1
        if after - close == len(run):
            return close
        close = text.find(run, after)
    return -1


def backticks_at(text: str, position: int) -> str:
    """The whole run of backticks that begins at a position."""
    end = position
    while text.startswith("`", end):
        end += 1
    return text[position:end]


def code_content(raw: str) -> str:
    """What a span shows: line breaks are blanks, one blank on each side goes."""
    code = raw.replace("\n", " ")
    if code[:1] == " " and code[-1:] == " " and code.strip(" "):
        return code[1:-1]
    return code


def code_spans(text: str) -> Iterator[tuple[str, int]]:
    """(content, offset) of each code span of a text that has backticks as its only markup."""
    unclosed: set[str] = set()
    position = text.find("`")
    while position >= 0:
        run = backticks_at(text, position)
        after = position + len(run)
        close = -1 if run in unclosed else code_end(text, after, run)
        if close < 0:
            unclosed.add(run)
        else:
            yield code_content(text[after:close]), position
            after = close + len(run)
        position = text.find("`", after)
