"""Names that the question has in the other alphabet, or joined: «хелсчек» and `healthcheck` for
"health check"."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from docs_agent.core.knowledge import Knowledge
from docs_agent.core.records import KnownName, sound_key
from docs_agent.core.text import name_key, sound_keys
from docs_agent.router.question import Question, Span

_MAX_WORDS: Final = 3
_MIN_LETTERS: Final = 4


def heard_spans(
    question: Question, informative: frozenset[int], candidates: frozenset[int]
) -> dict[str, list[Span]]:
    """Runs of up to three informative words by the keys of their sound.

    candidates: positions of which a run must have one: words that the index does not have, since a
    word that it has means what it says, and words that are called a name of something.
    """
    found: dict[str, list[Span]] = {}
    for at in sorted(candidates & informative):
        for start, end in _around(question, informative, at):
            text = question.phrase(start, end)
            for key in sound_keys(text) if len(text) >= _MIN_LETTERS else ():
                found.setdefault(sound_key(key), []).append(Span(start, end))
    return found


def _around(question: Question, informative: frozenset[int], at: int) -> Iterator[tuple[int, int]]:
    """Runs of informative words of one sentence that hold a position."""
    for start in range(at, at - _MAX_WORDS, -1):
        if start not in informative or not _continues(question, start, at):
            return
        for end in range(at + 1, start + 1 + _MAX_WORDS):
            if end - 1 not in informative or not _continues(question, at, end - 1):
                break
            yield start, end


def heard_names(
    spans: Mapping[str, list[Span]],
    known: Mapping[str, list[KnownName]],
    question: Question,
    knowledge: Knowledge,
) -> dict[str, list[KnownName]]:
    """The names behind the sounds that the index knows, of each kind when only one sounds so."""
    found: dict[str, list[KnownName]] = {}
    for key, places in spans.items():
        said = _letters(question.phrase(places[0].start, places[0].end))
        sounds = [
            n for n in known.get(key, ()) if n.kind == "sound" and _agrees(said, _letters(n.value))
        ]
        if sounds:
            meant = {(name_key(n.value), n.path) for n in sounds}
            names = knowledge.names({name for name, _ in meant})
            found[key] = list(_unambiguous([n for n in names if (n.key, n.path) in meant]))
    return found


def _unambiguous(names: list[KnownName]) -> Iterator[KnownName]:
    """Names of a kind of which no other name sounds alike; word breaks make no difference."""
    for kind in dict.fromkeys(name.kind for name in names):
        same = [name for name in names if name.kind == kind]
        if kind != "sound" and len({name.key.replace(" ", "") for name in same}) == 1:
            yield from same


def _continues(question: Question, start: int, last: int) -> bool:
    return question.words[start].sentence == question.words[last].sentence


def _agrees(said: str, name: str) -> bool:
    """In one alphabet only the very letters count, for there "firm" is not "form"."""
    return said.isascii() != name.isascii() or said == name


def _letters(text: str) -> str:
    return "".join(c for c in text.lower() if c.isalpha())
