"""Cutting a paragraph into sentences, Russian and English, in one pass over its characters."""

from __future__ import annotations

from typing import Final

_ENDS: Final = ".!?…"
_CLOSERS: Final = "\"'”’»)]*_"
_ABBREVIATIONS: Final = frozenset(
    (
        *("e.g", "i.e", "etc", "vs", "cf", "no", "fig", "approx", "resp", "mr", "mrs", "dr", "st"),
        *("т.е", "т.п", "т.д", "т.к", "т.н", "др", "пр", "см", "рис", "табл", "стр", "г", "гг"),
        *("руб", "тыс", "млн", "напр", "англ"),
    )
)


def sentences(text: str) -> list[tuple[int, int]]:
    """Offsets (start, end) of the sentences of `text`; nothing but white space lies between them.

    A full stop inside inline code, after an abbreviation or an initial, or before a lower-case
    letter ends no sentence.
    """
    found: list[tuple[int, int]] = []
    start = 0
    code = False
    i = 0
    while i < len(text):
        char = text[i]
        if char == "`":
            code = not code
        elif char in _ENDS and not code:
            end = i + 1
            while end < len(text) and text[end] in _ENDS + _CLOSERS:
                end += 1
            if _breaks(text, start, i, end):
                found.append((start, end))
                start = end
                while start < len(text) and text[start].isspace():
                    start += 1
            i = max(end, start) - 1
        i += 1
    if text[start:].strip():
        found.append((start, len(text.rstrip())))
    return found


def _breaks(text: str, start: int, stop: int, end: int) -> bool:
    if end >= len(text):
        return True
    if not text[end].isspace():
        return False
    following = text[end : end + 8].lstrip()[:1]
    if following.islower():
        return False
    word = text[max(start, stop - 24) : stop].rsplit(None, 1)
    last = word[-1].lstrip("(«\"'").lower() if word else ""
    initial = len(last) == 1 and last.isalpha() and text[stop] == "."
    return not (text[stop] == "." and last in _ABBREVIATIONS) and not initial
