"""The normal form in which words are compared."""

from __future__ import annotations

import unicodedata


def normalize(text: str) -> str:
    """NFC, lower case, `ё` as `е`. For comparison, never for display: length may change."""
    if text.isascii():
        return text.lower()
    return unicodedata.normalize("NFC", text).lower().replace("ё", "е")
