"""Inline Markdown as text: plain words, labels, code references, sentences."""

from __future__ import annotations

import html
import re
from typing import Final

_LINK = re.compile(r"!?\[([^\[\]]*)\]\(([^()\s]*)(?:\s[^()]*)?\)")
_BREAKING_TAG = re.compile(r"</?(?:br|p|div|li|td|th|tr|h[1-6])\b[^<>]*>", re.IGNORECASE)
_TAG = re.compile(r"</?[A-Za-z][^<>]*>")
_EMPHASIS = re.compile(r"(?<![\w*])\*(?!\s)([^*\n]+)(?<!\s)\*(?![\w*])")
_UNDERLINE = re.compile(r"(?<!\w)_([^_\n]+)_(?!\w)")
_ESCAPE = re.compile(r"\\([\\`*_{}\[\]()#+.!|<>~-])")
_SENTENCE = re.compile(r"(?<=[.!?…])\s+")
_MAX_KEY: Final = 60
"""Characters of the text before a colon that may still be a key."""


def plain(text: str) -> str:
    """The words of a Markdown text, lines and list marks kept; code spans keep their content.

    Every line of every document passes here more than once, for search and for values: it is five
    times as fast as `indexers.plain.plain_text`, which reads Markdown exactly, for display.
    """
    if "](" in text:
        text = _LINK.sub(r"\1", text)
        if "](" in text:  # a linked image
            text = _LINK.sub(r"\1", text)
    if "`" not in text:
        return _plain_prose(text)
    pieces = text.split("`")
    last_open = len(pieces) % 2 == 0
    return "".join(
        piece if i % 2 and not (last_open and i == len(pieces) - 1) else _plain_prose(piece)
        for i, piece in enumerate(pieces)
    )


def _plain_prose(text: str) -> str:
    if "<" in text:
        text = _TAG.sub("", _BREAKING_TAG.sub(" ", text))
    if "*" in text:
        text = _EMPHASIS.sub(r"\1", text.replace("**", ""))
    if "_" in text:
        text = _UNDERLINE.sub(r"\1", text)
    if "\\" in text:
        text = _ESCAPE.sub(r"\1", text)
    return html.unescape(text) if "&" in text else text


def key_and_value(text: str, max_words: int = 6) -> tuple[str, str] | None:
    """`Key: value`, `**Key**: value`, `**Key:** value` or `` `key`: value`` as a pair.

    The key is plain, the value as written. None when the text is no such bullet.
    """
    for mark in ("**", "__", "`"):
        if text.startswith(mark):
            inner, closed, rest = text[len(mark) :].partition(mark)
            if not closed or not (inner.endswith(":") or rest.lstrip().startswith(":")):
                return None
            return _pair(inner.rstrip(": "), rest.lstrip(" :"), max_words)
    key, colon, value = text.partition(":")
    if not colon or (value and not value[0].isspace()):
        return None
    return _pair(key, value, max_words)


def _pair(key: str, value: str, max_words: int) -> tuple[str, str] | None:
    key = plain(key).strip()
    if not key or len(key) > _MAX_KEY or len(key.split()) > max_words:
        return None
    return key, value.strip()


def bold_label(text: str) -> tuple[str, str] | None:
    """`**Label** rest` as (label, rest), colons and dashes between them dropped."""
    for mark in ("**", "__"):
        if text.startswith(mark):
            inner, closed, rest = text[len(mark) :].partition(mark)
            if closed and 0 < len(inner) <= _MAX_KEY:
                return inner.strip(" :."), rest.lstrip(" :.—–-").strip()
    return None


def reference_in(value: str) -> str:
    """The one thing a value points to: its only link target, else its only code span, else ``."""
    links = _LINK.findall(value)
    if links:
        return str(links[0][1]) if len(links) == 1 else ""
    pieces = value.split("`")
    return pieces[1].strip() if len(pieces) == 3 else ""


def sentences(text: str) -> list[str]:
    """Sentences of one paragraph, white space collapsed."""
    return _SENTENCE.split(" ".join(text.split()))


def clip(text: str, limit: int) -> str:
    """At most `limit` characters, cut after a line or sentence, else after a word."""
    if len(text) <= limit:
        return text
    head = text[:limit]
    ends = [m.start() for m in _SENTENCE.finditer(head)]
    cut = max(head.rfind("\n"), ends[-1] if ends else -1)
    if cut < limit // 3:
        cut = head.rfind(" ") if " " in head[limit // 3 :] else limit - 1
        return head[:cut].rstrip() + "…"
    return head[:cut].rstrip()
