"""Russian or English, by script."""

from __future__ import annotations

import re

_CYRILLIC = re.compile(r"[а-яё]", re.IGNORECASE)
_LATIN = re.compile(r"[a-z]", re.IGNORECASE)
_CODE = re.compile(r"`[^`\n]*`|\bhttps?://\S+|(?<!\w)/[\w{][\w{}/.-]*")

# A Russian sentence about code is full of Latin words; an English one has no Cyrillic ones.
_RUSSIAN_SHARE = 0.25


def language_of(text: str) -> str:
    """`ru`, `en`, or empty when the text has no letter of either script.

    Inline code, URLs and paths do not count: "как работает /health" is Russian.
    """
    if text.isascii():
        return "en" if _LATIN.search(text) else ""
    words = _CODE.sub(" ", text)
    cyrillic = len(_CYRILLIC.findall(words))
    latin = len(_LATIN.findall(words))
    if not cyrillic and not latin:
        return "en" if _LATIN.search(text) else ""
    return "ru" if cyrillic >= _RUSSIAN_SHARE * (cyrillic + latin) else "en"
