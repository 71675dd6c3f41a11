"""Stems: Snowball Russian for Cyrillic words, Snowball English for Latin ones."""

from __future__ import annotations

from functools import lru_cache

import Stemmer

from docs_agent.core.text.normalize import normalize
from docs_agent.core.text.tokens import forms, matches, tokens, trimmed

_RUSSIAN = Stemmer.Stemmer("russian")
_ENGLISH = Stemmer.Stemmer("english")
# The stemmers keep a cache of their own; ours below also spares the script test.
_RUSSIAN.maxCacheSize = 0
_ENGLISH.maxCacheSize = 0

_VERB_LIKE = ("пись", "мен", "мена", "мены")
"""Ends of nouns that the stemmer cuts like verbs."""
_SHORT_NOUN = 4
"""Letters; shorter words keep more than the end anyway."""


@lru_cache(maxsize=200_000)
def stem(word: str) -> str:
    """Stem of one word in normal form; words with digits or joiners come back unchanged."""
    if not word.isalpha():
        return word
    if word.isascii():
        return str(_ENGLISH.stemWord(word))
    if "а" <= word[0] <= "я":
        return _noun_stem(word) or normalize(_RUSSIAN.stemWord(word))
    return word


def _noun_stem(word: str) -> str:
    """Stem of a noun in -пись or -мен(а), whose end Snowball takes for that of a verb: "запись"
    would be "зап" and "записи" "запис", "отмена" "отм" and "отмену" "отмен"."""
    if len(word) > _SHORT_NOUN and word.endswith(_VERB_LIKE):
        return word.rstrip("аыь")
    return ""


def stems(text: str) -> list[str]:
    """Stems of a text in order, repeats kept: each plain word's stem; an identifier whole, then its
    parts' stems."""
    found: list[str] = []
    for match in matches(text):
        found += _stems_of(match)
    return found


@lru_cache(maxsize=50_000)
def _stems_of(match: str) -> tuple[str, ...]:
    word = trimmed(match)
    if not word:
        return ()
    whole, parts = forms(word)
    stemmed = tuple(map(stem, parts))
    return stemmed if parts == (whole,) else (whole, *stemmed)


def name_key(name: str) -> str:
    """The form in which names of the project are looked up: stems of its words, joined by one
    space.

    "Цикл доставки" and "цикла доставки" share a key, and so do `DeliveryLoop`, `delivery_loop` and
    "delivery loop".
    """
    return " ".join(stem(part) for token in tokens(name) for part in _words(token.parts))


def _words(parts: tuple[str, ...]) -> tuple[str, ...]:
    """Parts without the joined forms that `tokens` adds for camelCase."""
    if len(parts) < 2:
        return parts
    return tuple(p for i, p in enumerate(parts) if not "".join(parts[i + 1 :]).startswith(p))
