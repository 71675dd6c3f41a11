"""How a word sounds, whatever alphabet it is written in: вебсокет and websocket."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from docs_agent.core.text.stems import stem
from docs_agent.core.text.tokens import tokens

_MIN_CONSONANTS: Final = 3
"""Of a sound key; names with fewer meet by chance."""
_MAX_WORDS: Final = 3
"""Of a name that has a sound key; longer ones are not said in the other alphabet."""

_CYRILLIC: Final = str.maketrans(
    dict(zip("абвгдезийклмнопрстуфхцыэ", "abvgdeziiklmnoprstufhzie", strict=True))
    | {"ж": "j", "ч": "ch", "ш": "sh", "щ": "sh", "ъ": "", "ь": "", "ю": "u", "я": "a", "ё": "e"}
)
_LATIN: Final = (
    ("sch", "sh"),
    ("tch", "ch"),
    ("ck", "k"),
    ("ph", "f"),
    ("th", "t"),
    ("wh", "v"),
    ("qu", "kv"),
    ("ce", "se"),
    ("ci", "si"),
    ("cy", "si"),
    ("ch", "\0"),
    ("c", "k"),
    ("\0", "ch"),
    ("q", "k"),
    ("w", "v"),
    ("x", "ks"),
    ("y", "i"),
    ("ee", "i"),
    ("oo", "u"),
)
# What `sound` leaves apart and a speaker of the other language does not.
_FOLDED: Final = (
    (re.compile("dj|j"), "g"),
    (re.compile("sh[aeiou]*n$"), "s"),
    (re.compile("z"), "s"),
    (re.compile("[aeiou]+"), "*"),
    (re.compile(r"(.)\1+"), r"\1"),
)
_ALPHABET: Final = re.compile("[a-z]+|[а-я]+")
_ION: Final = re.compile("[st]ion")


@lru_cache(maxsize=20_000)
def sound(word: str) -> str:
    """How a word in normal form sounds, in plain Latin letters; doubled letters once."""
    if word.isascii():
        for written, heard in _LATIN:
            word = word.replace(written, heard)
    else:
        word = word.translate(_CYRILLIC)
    once = "".join(c for i, c in enumerate(word) if i == 0 or c != word[i - 1])
    return once.rstrip("e") or once


@lru_cache(maxsize=20_000)
def sound_keys(name: str) -> tuple[str, ...]:
    """Keys under which a name of up to three words is known by ear, alike in both alphabets.

    A key is what `sound` gives for the joined words, vowels folded into one sign and endings cut,
    because a foreign vowel is written down in many ways: `billing`, «биллинг» and «биллинга»
    share the key `b*l*ng`, `healthcheck`, `health check` and «хелсчек» the key `h*lsch*k`. English
    "th" gives two keys, for it is heard as «т» and as «с»; an inflected Russian word gives that of
    its stem too. Empty for names with fewer than three consonants and for those with
    anything but letters of one of the two alphabets.
    """
    words = [part for token in tokens(name) for part in _plain(token.parts)]
    joined = "".join(words)
    if len(words) > _MAX_WORDS or not _ALPHABET.fullmatch(joined):
        return ()
    keys = (_folded(form) for form in _spoken(joined, words))
    return tuple(dict.fromkeys(k for k in keys if len(k) - k.count("*") >= _MIN_CONSONANTS))


def _plain(parts: tuple[str, ...]) -> tuple[str, ...]:
    """Parts of a token without the joined forms that stand before them."""
    return tuple(p for i, p in enumerate(parts) if not "".join(parts[i + 1 :]).startswith(p))


def _spoken(joined: str, words: list[str]) -> Iterator[str]:
    if joined.isascii():
        latin = _ION.sub("sia", joined)
        yield latin
        yield latin.replace("th", "z")
    else:
        yield joined
        yield "".join((*words[:-1], stem(words[-1])))


def _folded(word: str) -> str:
    key = sound(word)
    for heard, written in _FOLDED:
        key = heard.sub(written, key)
    return key.rstrip("*")
