"""What HTML inside Markdown says: links, images, headings. One linear pass over its tags.

The standard library's parser takes cubic time on some broken tags; this reader never goes back.
"""

from __future__ import annotations

import html
from collections.abc import Iterator
from dataclasses import dataclass

from docs_agent.indexers.plain import plain_text


@dataclass(frozen=True, slots=True)
class Tag:
    """One tag of an HTML text."""

    name: str
    """Lower case; `/name` for a closing tag."""
    attributes: dict[str, str]
    """Names in lower case, entities decoded; the first of a name counts."""
    start: int
    """Offset of `<`."""
    end: int
    """Offset after `>`."""


def tags(text: str) -> Iterator[Tag]:
    """Complete tags in order; comments and broken tags are passed over."""
    missing: set[str] = set()
    position = text.find("<")
    while position >= 0:
        if text.startswith("<!--", position):
            close = text.find("-->", position)
            if close < 0:
                return
            position = text.find("<", close)
            continue
        end = position + 1
        while end < len(text) and (text[end].isalnum() or text[end] in "-:."):
            end += 1
        closing = text.startswith("/", position + 1)
        if closing:
            close = text.find(">", position)
            if close < 0:
                return
            yield Tag(f"/{text[position + 2 : close].strip().lower()}", {}, position, close + 1)
            end = close + 1
        elif end > position + 1:
            name = text[position + 1 : end].lower()
            attributes, end, complete = _attributes(text, end, missing)
            if complete:
                yield Tag(name, attributes, position, end)
        position = text.find("<", end)


def html_links(text: str, line: int) -> Iterator[tuple[str, str, int]]:
    """(target, text, line) of each `<a href>` and `<img src>`; `line` is the text's first."""
    lower = text.lower()
    if "href" not in lower and "src" not in lower:
        return
    opened: Tag | None = None
    counted, at = 0, line
    for tag in tags(text):
        if tag.name not in ("a", "/a", "img"):
            continue
        if opened:
            yield opened.attributes["href"], plain_text(text[opened.end : tag.start]), at
            opened = None
        at += text.count("\n", counted, tag.start)
        counted = tag.start
        if tag.name == "a" and tag.attributes.get("href"):
            opened = tag
        elif tag.name == "img" and tag.attributes.get("src"):
            yield tag.attributes["src"], tag.attributes.get("alt", ""), at
    if opened:
        yield opened.attributes["href"], plain_text(text[opened.end :]), at


def first_h1(text: str) -> str:
    """Text of the first `<h1>` of an HTML block, or empty."""
    if "<h1" not in text.lower():
        return ""
    opened: Tag | None = None
    for tag in tags(text):
        if tag.name == "h1" and not opened:
            opened = tag
        elif tag.name == "/h1" and opened:
            return " ".join(plain_text(text[opened.end : tag.start]).split())
    return ""


def _attributes(text: str, position: int, missing: set[str]) -> tuple[dict[str, str], int, bool]:
    """(attributes, offset reached, whether the tag was complete) from the end of a tag's name."""
    found: dict[str, str] = {}
    size = len(text)
    while position < size:
        char = text[position]
        if char == ">":
            return found, position + 1, True
        if char == "<":
            return found, position, False
        if char in " \t\n\f/":
            position += 1
            continue
        start = position
        while position < size and text[position] not in "= \t\n\f/><":
            position += 1
        name = text[start:position].lower()
        if position < size and text[position] == "=":
            value, position = _value(text, position + 1, missing)
            found.setdefault(name, html.unescape(value))
        else:
            found.setdefault(name, "")
    return found, size, False


def _value(text: str, position: int, missing: set[str]) -> tuple[str, int]:
    while position < len(text) and text[position] in " \t\n\f":
        position += 1
    quote = text[position : position + 1]
    if quote in ("'", '"') and quote not in missing:
        close = text.find(quote, position + 1)
        if close >= 0:
            return text[position + 1 : close], close + 1
        missing.add(quote)
    start = position
    while position < len(text) and text[position] not in " \t\n\f><":
        position += 1
    return text[start:position], position
