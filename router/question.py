"""A question cut into words once, for all the modules that look at it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from docs_agent.core.text import Token, name_key, stem, tokens
from docs_agent.router.normalizer import normalize_query

MAX_WORDS = 200
"""Words of a question that are looked at; a pasted log file must not cost more than a question."""
MAX_CHARACTERS = 4000
"""Characters that are looked at, for text that is not cut into words."""

_BREAKS = ".?!;…"
_PAUSES = ".?!;…,:()—"
# What may surround a name or path without being part of it.
_CHUNK_BREAK = r"[\s`'\"«»“”„‘’()\[\]>,;|!?…]+"
_QUOTES = "`'\"«»“”„‘’"
_MAX_CHUNK = 300
"""Characters; nobody writes a longer path in a question."""


class Word(NamedTuple):
    """One token of the question in the forms it is compared in."""

    text: str
    """As written."""
    form: str
    """Normal form without an apostrophe's tail: `what's` is `what`."""
    stem: str
    """Stem of `form`; an identifier is its own stem."""
    stems: tuple[str, ...]
    """`stem`, and the stems of an identifier's parts."""
    key: str
    """The key under which the index would know it as a name, see `core.text.name_key`."""
    start: int
    end: int
    sentence: int
    """Which sentence of the question, from 0."""
    clause: int
    """Which stretch without a comma, colon or bracket, counted through the question."""
    is_identifier: bool
    """Written as code: joined, camelCase, or letters with digits."""
    quoted: bool
    """Stands directly behind or before a quotation mark or backtick."""

    @property
    def is_cyrillic(self) -> bool:
        return "а" <= self.form[0] <= "я"


class LookedAt(NamedTuple):
    """The part of a question that is read, by the router and by all that follows it."""

    text: str
    """As it came; with white space collapsed when there is more of it than is looked at."""
    left_out: int
    """Characters after it, white space collapsed, that nothing looks at."""


class Question(NamedTuple):
    """The normalised question and its first words."""

    text: str
    words: tuple[Word, ...]
    chunks: tuple[str, ...]
    """Runs without white space, quotes or brackets, as written: where paths are looked for."""

    def adjoin(self, first: int, second: int) -> bool:
        """Whether nothing but white space and quotes stands between two words."""
        between = self.text[self.words[first].end : self.words[second].start]
        return not between.strip(_QUOTES + " ")

    def phrase(self, start: int, end: int) -> str:
        """Words `start` to `end` (exclusive) as written, with what stands between them."""
        return self.text[self.words[start].start : self.words[end - 1].end]


class Span(NamedTuple):
    """A run of words of a question."""

    start: int
    end: int
    """Exclusive."""

    @property
    def positions(self) -> range:
        return range(self.start, self.end)


def looked_at(question: str) -> LookedAt:
    """The beginning of a question up to MAX_WORDS words and MAX_CHARACTERS characters, with its
    last word whole; a question of usual length is given back as it came.

    The only bound on the length of a question: whatever reads one reads what is given back here.
    """
    if len(question) <= MAX_CHARACTERS and _end(question) == len(question):
        return LookedAt(question, 0)
    whole = normalize_query(question)
    text = whole
    if len(whole) > MAX_CHARACTERS:
        text = whole[: MAX_CHARACTERS + 1].rpartition(" ")[0] or whole[:MAX_CHARACTERS]
    text = text[: _end(text)].rstrip()
    return LookedAt(text, len(whole) - len(text))


def _end(text: str) -> int:
    """Where the first word stands that is one too many; the end of the text when none is."""
    surplus = next(islice(tokens(text), MAX_WORDS, None), None)
    return len(text) if surplus is None else surplus.start


def read_question(text: str) -> Question:
    """Cuts what is looked at of a normalised question; never fails, whatever the text."""
    text = looked_at(text).text
    words = tuple(_words(text))
    chunks = (chunk for chunk in re.split(_CHUNK_BREAK, text) if len(chunk) <= _MAX_CHUNK)
    return Question(text, words, tuple(filter(None, (_trim(chunk) for chunk in chunks))))


def _trim(chunk: str) -> str:
    """A chunk without Markdown around it; `</div>` is no path."""
    return "" if chunk.startswith("</") else chunk.lstrip("*_<").rstrip("*_.:")


def _words(text: str) -> Iterator[Word]:
    sentence = clause = last = 0
    for token in tokens(text):
        end = token.start + len(token.text)
        if text.startswith("://", end):
            continue
        if last:
            between = text[last : token.start]
            sentence += any(char in _BREAKS for char in between)
            clause += any(char in _PAUSES for char in between)
        last = end
        yield _word(token, text, sentence, clause)


def _word(token: Token, text: str, sentence: int, clause: int) -> Word:
    end = token.start + len(token.text)
    form = token.whole.replace("’", "'").partition("'")[0] or token.whole
    whole = form == token.whole
    before, after = text[max(token.start - 1, 0) : token.start], text[end : end + 1]
    return Word(
        text=token.text,
        form=form,
        stem=stem(form),
        stems=(stem(form), *map(stem, token.parts if whole else ())),
        key=name_key(token.text) if token.is_identifier else stem(token.whole),
        start=token.start,
        end=end,
        sentence=sentence,
        clause=clause,
        is_identifier=whole and _is_code(token),
        quoted=bool(before and before in _QUOTES) or bool(after and after in _QUOTES),
    )


def _is_code(token: Token) -> bool:
    """Whether a token is written as code: `exclude_unset`, `UploadFile`, `v2`; not `всё-таки`."""
    if any("а" <= char <= "я" for char in token.whole) and "_" not in token.whole:
        return False
    return token.is_identifier or not (token.whole.isalpha() or token.whole.isdigit())
