"""What a service said, made fit to be shown: one line, no escape sequences, no secrets, short."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final

SHOWN_CHARS: Final = 200
DETAIL_CHARS: Final = 2000
_SECRET_CHARS = 8
"""Shorter keys and prompts are words, such as `none` as the key of a local service."""
_ECHO_CHARS = 24
"""So many characters in a row that also stand in the prompt are taken for a copy of it."""
_MASK: Final = "[secret]"
# Colours, cursor movements, window titles, and whatever else a terminal would obey.
_ESCAPE = re.compile(r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]?|(?:\x1b\]|\x9d)[^\x07\x1b\x9c]*|\x1b.?")
_CLOSED = re.compile(
    r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|(?:\x1b\]|\x9d)[^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)|\x1b.?"
)
"""The same, but nothing is swallowed by a window title that does not end."""
_SPACE = re.compile(r"\s+")
_HTML = re.compile(r"\s*<(?:!doctype|html|head|body|\?xml)\b", re.IGNORECASE)
_WRITTEN = re.compile(r"\\(?:u([0-9a-fA-F]{4})|(.))")


def bare(text: str) -> str:
    """The text without escape sequences and without what is invisible; white space stays."""
    return _visible(_ESCAPE.sub("", text))


def clean(text: str) -> str:
    """One line of printable text."""
    return _SPACE.sub(" ", bare(text)).strip()


@dataclass(frozen=True, slots=True, repr=False)
class Hidden:
    """What nothing that is told may repeat: no reply, error, log or message."""

    secrets: tuple[str, ...] = ()
    """Keys and tokens of the run."""
    prompts: tuple[str, ...] = ()
    """What was asked: a service may repeat it in its error."""

    def masked(self, text: str) -> str:
        """A whole text of the service without secrets, and without the beginning of one at its end.

        Must come before any cutting, which could leave half of a secret. A text that would show one
        only after escape sequences, invisible characters or the escapes of JSON are taken out of it
        is given back without these.
        """
        text = self._replaced(text)
        if "\\" in text or not "".join(text.split()).isprintable():
            for reading in _READINGS:
                plain = reading(text)
                if any(secret in plain for secret in self._needles()):
                    text = self._replaced(plain)
        begun = self.begun(text)
        return f"{text[:-begun]}{_MASK}" if begun >= _SECRET_CHARS else text

    def pieces(self, pieces: Iterable[str]) -> Iterator[str]:
        """The pieces of a text, cut anew so that no secret is spread over two, and masked.
        Invisible characters, which could part a secret, are left out."""
        held = ""
        for piece in pieces:
            held = self._replaced(held + _visible(piece))
            known = len(held) - self.begun(held)
            if known:
                yield held[:known]
                held = held[known:]
        if held:
            yield self.masked(held)

    def out_of(self, text: str) -> str:
        """The text on one line without secrets and parts of them, up to DETAIL_CHARS characters;
        empty when it repeats a piece of the prompt."""
        text = self._without_parts(self.masked(clean(self.masked(text)))[:DETAIL_CHARS])
        return "" if any(_echoes(text, clean(prompt)) for prompt in self.prompts) else text

    def begun(self, text: str) -> int:
        """How many characters at the end of a text can be the beginning of a secret."""
        longest = 0
        for secret in self._needles():
            for at in range(max(len(text) - len(secret) + 1, 0), len(text) - longest):
                if text[at] == secret[0] and secret.startswith(text[at:]):
                    longest = len(text) - at
                    break
        return longest

    def _replaced(self, text: str) -> str:
        for secret in self._needles():
            text = text.replace(secret, _MASK)
        return text

    def _without_parts(self, text: str) -> str:
        """Services like to quote the beginning and the end of a key that they refuse."""
        for secret in self._needles():
            kept: list[str] = []
            at = 0
            while at < len(text):
                end = at + _SECRET_CHARS
                if len(text) < end or text[at:end] not in secret:
                    kept.append(text[at])
                    at += 1
                    continue
                while end < len(text) and text[at : end + 1] in secret:
                    end += 1
                kept.append(_MASK)
                at = end
            text = "".join(kept)
        return text

    def _needles(self) -> Iterator[str]:
        """The longest first: one may be part of another."""
        secrets = {secret for secret in self.secrets if len(secret) >= _SECRET_CHARS}
        yield from sorted(secrets, key=len, reverse=True)


def detail(body: bytes, hidden: Hidden) -> str:
    """The error message in the body of a reply, or the body itself."""
    text = body.decode("utf-8", "replace")
    return "an HTML page" if _HTML.match(text) else hidden.out_of(_message(text))


def shown(text: str) -> str:
    """The beginning of a detail, for a message; with a colon in front, empty when it is."""
    if not text:
        return ""
    return f": {text[:SHOWN_CHARS]}{'…' if len(text) > SHOWN_CHARS else ''}"


def _message(text: str) -> str:
    try:
        value: Any = json.loads(text)
    except (ValueError, RecursionError):
        return text
    for key in ("error", "message", "detail", "error_description"):
        while isinstance(value, dict) and key in value:
            value = value[key]
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _echoes(text: str, prompt: str) -> bool:
    if len(prompt) >= _SECRET_CHARS and prompt in text:
        return True
    windows = range(len(text) - _ECHO_CHARS + 1)
    return any(text[at : at + _ECHO_CHARS] in prompt for at in windows)


def _read(match: re.Match[str]) -> str:
    """A character as JSON writes it."""
    code, char = match.groups()
    return chr(int(code, 16)) if code else char


def _visible(text: str) -> str:
    """Without what a terminal obeys or does not show, also when a sequence is cut in two."""
    if text.isprintable():
        return text
    return "".join(char for char in text if char.isprintable() or char.isspace())


def _read_json(text: str) -> str:
    return _WRITTEN.sub(_read, text)


_READINGS: Final[tuple[Callable[[str], str], ...]] = (
    _visible,
    lambda text: _visible(_CLOSED.sub("", text)),
    bare,
    lambda text: _visible(_read_json(text)),
    lambda text: _visible(_CLOSED.sub("", _read_json(text))),
    lambda text: bare(_read_json(text)),
)
"""What may be made of a text before it is shown; the router shows parts of the JSON in a reply."""
