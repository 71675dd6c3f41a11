"""Cutting text into words and identifiers.

An identifier (`exclude_unset`, `WWW-Authenticate`, `/items/{id}`, `v0.100.0`, `UploadFile`, `C++`)
is kept whole and also cut into its parts, so that it is found exactly and by any part. The plural
of an acronym (`ADRs`) is read as the acronym: stemmers leave the s of "slas" and "prs" on.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from docs_agent.core.text.normalize import normalize

# A path starts with a slash that no word precedes; a word may be joined by one of - _ . / : '
# inside.
_TOKEN = re.compile(
    r"(?<![\w}])/(?:[\w{][\w{}.:~-]*/?)+"
    r"|[^\W_]\w*(?:(?:[-./:'’](?=\w)|\{\w+\})\w*)*(?:\+\+|#(?!\w))?"
    r"|_+\w+"
)
_ACRONYMS = re.compile(r"[A-Z]{2,}s(?![a-z])")
_CAMEL = re.compile(
    r"[A-Z]{2,}s(?![a-z])|[A-ZА-ЯЁ]+(?![a-zа-яё])|[A-ZА-ЯЁ]?[a-zа-яё]+|\d+|[^\W\d_]+"
)
_SPLIT = re.compile(r"[^\w]+|_+")
_JOINER = re.compile(r"[-_./:{}+#]")
_MAX_TOKEN = 200
"""Characters; a longer run (base64, minified code) carries no word worth finding."""


class Token(NamedTuple):
    """One word or identifier of a text."""

    text: str
    """As written, outer punctuation removed."""
    start: int
    """Offset of the first character in the text."""
    whole: str
    """Normal form of the whole token."""
    parts: tuple[str, ...]
    """Normal forms of its parts; `(whole,)` for a plain word."""

    @property
    def is_identifier(self) -> bool:
        """True when the token is more than one plain word: joined, camelCase, or with digits."""
        return self.parts != (self.whole,)


def tokens(text: str) -> Iterator[Token]:
    """Words and identifiers in order of appearance. Never fails, whatever the text."""
    for match in _TOKEN.finditer(text):
        raw = trimmed(match.group())
        if raw:
            yield Token(raw, match.start(), *forms(raw))


def matches(text: str) -> list[str]:
    """What the token pattern finds, not `trimmed` yet; for those who cache by it."""
    found: list[str] = _TOKEN.findall(text)
    return found


def trimmed(raw: str) -> str:
    """A match of the token pattern without outer punctuation; empty when it is too long."""
    kept = raw.rstrip(".:-/'’") or raw
    return kept if len(kept) <= _MAX_TOKEN else ""


@lru_cache(maxsize=50_000)
def forms(raw: str) -> tuple[str, tuple[str, ...]]:
    """`whole` and `parts` of a token. Texts repeat their words: most are cut only once."""
    if _ACRONYMS.fullmatch(raw):
        singular = _form(raw)
        return singular, (singular,)
    return normalize(raw), _parts(raw)


def _form(word: str) -> str:
    """Normal form of one word as `_CAMEL` finds it."""
    return normalize(word[:-1] if _ACRONYMS.fullmatch(word) else word)


def _parts(raw: str) -> tuple[str, ...]:
    if raw.isalpha() and (raw.islower() or raw.isupper() or raw[1:].islower()):
        return (normalize(raw),)
    found: list[str] = []
    for piece in _SPLIT.split(raw):
        words = _with_initial(_CAMEL.findall(piece))
        if len(words) > 1:
            joined = "".join(map(_form, words))
            if _JOINER.search(raw) and joined not in found:
                found.append(joined)
        found.extend(_form(word) for word in words if len(word) > 1 or len(words) == 1)
    return tuple(dict.fromkeys(found)) or (normalize(raw),)


def _with_initial(words: list[str]) -> list[str]:
    """The words of a piece, a lone first letter joined to its word: iPhone, OAuth2, gRPC.

    A capital I stays apart: it marks interfaces (`IUserService`).
    """
    if len(words) > 1 and len(words[0]) == 1 and words[0] != "I" and words[1].isalpha():
        return [words[0] + words[1], *words[2:]]
    return words
