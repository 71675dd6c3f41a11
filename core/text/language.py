"""Russian or English, by script."""

from __future__ import annotations

import re

# Compiled when first used, as `re` does with patterns given as text: an English question needs one.
_CYRILLIC = r"(?i)[а-яё]+"
_LATIN = r"(?i)[a-z]+"
# Each way to match begins with a letter of its own: all other places are passed over quickly.
_CODE = r"`[^`\n]*`|h(?<!\wh)ttps?://\S+|/(?<!\w/)[\w{][\w{}/.-]*"

# A Russian sentence about code is full of Latin words; an English one has no Cyrillic ones.
_RUSSIAN_SHARE = 0.25


def language_of(text: str) -> str:
    """`ru`, `en`, or empty when the text has no letter of either script.

    Inline code, URLs and paths do not count: "как работает /health" is Russian.
    """
    if text.isascii():
        return "en" if re.search(_LATIN, text) else ""
    words = re.sub(_CODE, " ", text)
    cyrillic = len("".join(re.findall(_CYRILLIC, words)))
    latin = len("".join(re.findall(_LATIN, words)))
    if not cyrillic and not latin:
        return "en" if re.search(_LATIN, text) else ""
    return "ru" if cyrillic >= _RUSSIAN_SHARE * (cyrillic + latin) else "en"
