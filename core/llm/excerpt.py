"""What a service said, made fit to be shown: one line, no escape sequences, no secrets, short."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any, Final

SHOWN_CHARS: Final = 200
DETAIL_CHARS: Final = 2000
_SECRET_CHARS = 8
"""Shorter keys and prompts are words, such as `none` as the key of a local service."""
_READ_CHARS = 65_536
_ECHO_CHARS = 24
"""So many characters in a row that also stand in the prompt are taken for a copy of it."""
_ESCAPE = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]{0,1000}(?:\x07|\x1b\\)?|\x1b.?")
_SPACE = re.compile(r"\s+")
_HTML = re.compile(r"\s*<(?:!doctype|html|head|body|\?xml)\b", re.IGNORECASE)


def clean(text: str) -> str:
    """One line of printable text."""
    text = _SPACE.sub(" ", _ESCAPE.sub("", text))
    return "".join(char for char in text if char.isprintable()).strip()


@dataclass(frozen=True, slots=True, repr=False)
class Hidden:
    """What no error, log or message may repeat."""

    secrets: tuple[str, ...] = ()
    """Keys and tokens of the call."""
    prompts: tuple[str, ...] = ()
    """What was asked: a service may repeat it in its error."""

    def out_of(self, text: str) -> str:
        """The text on one line without secrets, up to DETAIL_CHARS characters; empty when it
        repeats a piece of the prompt."""
        text = clean(text[:_READ_CHARS])
        # Before cutting, so that no half of a secret is left at the end.
        for secret in self.secrets:
            if len(secret) >= _SECRET_CHARS:
                text = text.replace(secret, "[secret]")
        text = text[:DETAIL_CHARS]
        return "" if any(_echoes(text, clean(prompt)) for prompt in self.prompts) else text


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
