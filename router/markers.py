"""Markers: phrases of a question that say what it is after. They are data: `markers.toml`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from os import path
from typing import Final, NamedTuple

from docs_agent.core.errors import ConfigError
from docs_agent.core.text import normalize, stem
from docs_agent.router.question import Question, Word

WORD_GROUPS: Final = ("question", "intent", "filler", "generic", "whole")
"""Groups of single words; their phrases are never looked for."""

_GAP: Final = "..."
_ANY: Final = "*"
_MAX_GAP: Final = 10


class Marker(NamedTuple):
    """One phrase found in a question."""

    group: str
    phrase: str
    """As written in the question."""
    positions: tuple[int, ...]
    """Words of the question that the phrase itself consists of; words inside a gap are not in."""


class _Element(NamedTuple):
    """One place of a phrase."""

    forms: frozenset[str]
    """Words taken literally."""
    stems: frozenset[str]
    """Russian words taken by stem."""
    optional: bool = False
    ends: bool = False
    """The end of the sentence will do as well."""
    gap: bool = False
    anything: bool = False
    """Any word fills the place."""

    def fits(self, word: Word) -> bool:
        return self.anything or word.form in self.forms or word.stem in self.stems


class _Phrase(NamedTuple):
    group: str
    parts: tuple[str, ...]
    """Its places as written. Read when a question has its first word: one in a hundred is."""
    at_start: bool


class Vocabulary(NamedTuple):
    """All groups, made ready for look-up."""

    phrases: Mapping[str, tuple[_Phrase, ...]]
    """By each form or stem a phrase may begin with."""
    words: Mapping[str, frozenset[str]]
    """Of every group: the stems of its single words (English words as they are)."""
    lines: Mapping[str, tuple[str, ...]]
    """Of every group: its phrases as written in the file."""

    def find(self, question: Question) -> tuple[Marker, ...]:
        """All markers of a question in order of appearance, longest first where several begin."""
        found = [
            marker for start in range(len(question.words)) for marker in self._at(question, start)
        ]
        found.sort(key=lambda m: (m.positions[0], -len(m.positions)))
        return _without_exceptions(found)

    def has(self, word: Word, *groups: str) -> bool:
        """Whether the word is one of the single words of any of the groups."""
        return any(
            word.stem in self.words[group] or word.form in self.words[group] for group in groups
        )

    def knows(self, form: str, *groups: str) -> bool:
        """The same for a word that stands in no question."""
        key = stem(form)
        return any(key in self.words[group] or form in self.words[group] for group in groups)

    def _opens(self, words: tuple[Word, ...], at: int) -> bool:
        """Whether a word begins its sentence, greetings ahead of it not counted."""
        while at and words[at - 1].sentence == words[at].sentence:
            if not self.has(words[at - 1], "greeting"):
                return False
            at -= 1
        return True

    def _at(self, question: Question, start: int) -> Iterator[Marker]:
        words = question.words
        word = words[start]
        candidates = (*self.phrases.get(word.form, ()), *self.phrases.get(word.stem, ()))
        # Told apart by identity: hashing whole phrases took a tenth of the time of a route.
        for phrase in {id(phrase): phrase for phrase in candidates}.values():
            if phrase.at_start and not self._opens(words, start):
                continue
            positions = _match(_elements(phrase.parts), words, start, word.sentence)
            if positions:
                text = question.phrase(positions[0], positions[-1] + 1)
                yield Marker(phrase.group, text, positions)


def _without_exceptions(found: list[Marker]) -> tuple[Marker, ...]:
    """Drops the markers of a group `x` that share a word with one of the group `not_x`."""
    excepted: dict[str, set[int]] = {}
    for marker in found:
        if marker.group.startswith("not_"):
            excepted.setdefault(marker.group[4:], set()).update(marker.positions)
    return tuple(
        marker
        for marker in found
        if not marker.group.startswith("not_")
        and excepted.get(marker.group, set()).isdisjoint(marker.positions)
    )


def _match(
    elements: tuple[_Element, ...], words: tuple[Word, ...], at: int, sentence: int
) -> tuple[int, ...] | None:
    """Positions of the words that fill the elements from `at` on, or None."""
    if not elements:
        return ()
    first, rest = elements[0], elements[1:]
    if first.gap:
        for skip in range(_MAX_GAP + 1):
            tail = _match(rest, words, at + skip, sentence)
            if tail is not None:
                return tail
            if at + skip >= len(words) or words[at + skip].clause != words[at - 1].clause:
                return None
        return None
    inside = at < len(words) and words[at].sentence == sentence
    if inside and first.fits(words[at]):
        tail = _match(rest, words, at + 1, sentence)
        if tail is not None:
            return tail if first.anything else (at, *tail)
    if first.optional or (first.ends and not inside):
        return _match(rest, words, at, sentence)
    return None


@lru_cache(maxsize=1)
def _shipped() -> Mapping[str, str]:
    """Text of each group of `markers.toml`.

    Of TOML the file uses comments and multi-line literal strings alone, and is read as that: to
    load tomllib takes longer than to route a question. A test compares the two.
    """
    with open(path.join(path.dirname(__file__), "markers.toml"), encoding="utf-8") as file:
        parts = file.read().split("'''")
    # Between two strings: comments, and the name of the group in the last line.
    names = (head.rpartition("\n")[2].removesuffix(" = ") for head in parts[::2])
    return {name: text.removeprefix("\n") for name, text in zip(names, parts[1::2], strict=False)}


def vocabulary(extra: Mapping[str, tuple[str, ...]] | None = None) -> Vocabulary:
    """The shipped markers with a project's own added.

    Raises ConfigError when `extra` names a group that does not exist.
    """
    return _vocabulary(
        tuple(sorted((group, tuple(lines)) for group, lines in (extra or {}).items()))
    )


def unknown_group(extra: Iterable[str]) -> tuple[str, str] | None:
    """The first of the names that is no marker group, and what to do about it; None when all are
    groups."""
    from difflib import get_close_matches

    for group in extra:
        if group not in _shipped():
            close = get_close_matches(group, _shipped(), n=1)
            return group, f"did you mean `{close[0]}`?" if close else _one_of(_shipped())
    return None


def _one_of(groups: Iterable[str]) -> str:
    return "use one of " + ", ".join(groups)


@lru_cache(maxsize=4)
def _vocabulary(extra: tuple[tuple[str, tuple[str, ...]], ...]) -> Vocabulary:
    lines = {group: tuple(text.splitlines()) for group, text in _shipped().items()}
    for group, added in extra:
        if group not in lines:
            raise ConfigError(
                f"there is no marker group {group!r}",
                remedy=_one_of(lines),
            )
        lines[group] = (*lines[group], *added)
    starts: dict[str, list[_Phrase]] = {}
    for group in lines:
        if group in WORD_GROUPS:
            continue
        for phrase in _phrases(group, lines[group]):
            first = _element(phrase.parts[0])
            for key in first.forms | first.stems:
                starts.setdefault(key, []).append(phrase)
    return Vocabulary(
        phrases={key: tuple(found) for key, found in starts.items()},
        words={group: frozenset(_single_words(group, lines[group])) for group in lines},
        lines=lines,
    )


def _phrases(group: str, lines: Iterable[str]) -> Iterator[_Phrase]:
    for line in lines:
        parts = tuple(line.split())
        at_start = parts[:1] == ("^",)
        parts = parts[at_start:]
        # Optional first places are written out, so that every phrase begins with a word.
        while parts and (parts[0] == _GAP or parts[0].endswith("?")):
            if parts[0] != _GAP:
                yield _Phrase(group, (parts[0].removesuffix("?"), *parts[1:]), at_start)
            parts = parts[1:]
        if parts:
            yield _Phrase(group, parts, at_start)


@lru_cache(maxsize=4000)
def _elements(parts: tuple[str, ...]) -> tuple[_Element, ...]:
    return tuple(map(_element, parts))


@lru_cache(maxsize=4000)
def _element(part: str) -> _Element:
    if part == _GAP:
        return _Element(frozenset(), frozenset(), gap=True)
    optional = part.endswith("?")
    if part.removesuffix("?") == _ANY:
        return _Element(frozenset(), frozenset(), optional, anything=True)
    forms: set[str] = set()
    stemmed: set[str] = set()
    ends = False
    for word in part.removesuffix("?").split("|"):
        if word == "$":
            ends = True
        elif word.startswith("="):
            forms.add(normalize(word[1:]))
        elif word:
            _add_word(normalize(word), forms, stemmed)
    return _Element(frozenset(forms), frozenset(stemmed), optional, ends)


def _add_word(word: str, forms: set[str], stemmed: set[str]) -> None:
    if "а" <= word[0] <= "я" and word.isalpha():
        stemmed.add(stem(word))
    else:
        forms.add(word)


def _single_words(group: str, lines: Iterable[str]) -> Iterator[str]:
    """Stems and forms of the words of a word list, or of the one-word phrases of a phrase list."""
    for line in lines:
        parts = line.split()
        if group in WORD_GROUPS or len(parts) == 1:
            for element in map(_element, parts):
                yield from element.forms
                yield from element.stems
