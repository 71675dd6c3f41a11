"""Names that the question has in the other alphabet, or joined: «хелсчек» and `healthcheck` for
"health check"."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final

from docs_agent.core.knowledge import Knowledge
from docs_agent.core.records import KnownName, sound_key
from docs_agent.core.text import name_key, sound_keys
from docs_agent.router.question import Question, Span

_MAX_WORDS: Final = 3
_MIN_LETTERS: Final = 4


def heard_spans(
    question: Question, informative: Collection[int], candidates: frozenset[int]
) -> dict[str, list[Span]]:
    """Runs of up to three informative words by the keys of their sound.

    candidates: positions of which a run must have one: words that the index does not have, since a
    word that it has means what it says, and words that are called a name of something.
    """
    found: dict[str, list[Span]] = {}
    for start in sorted(informative):
        for end in range(start + 1, start + 1 + _MAX_WORDS):
            last = end - 1
            if last not in informative or not _continues(question, start, last):
                break
            text = question.phrase(start, end)
            if len(text) < _MIN_LETTERS or candidates.isdisjoint(range(start, end)):
                continue
            for key in sound_keys(text):
                found.setdefault(sound_key(key), []).append(Span(start, end))
    return found


def heard_names(
    spans: Mapping[str, list[Span]],
    known: Mapping[str, list[KnownName]],
    question: Question,
    knowledge: Knowledge,
) -> dict[str, list[KnownName]]:
    """The names behind the sounds that the index knows, unless several names sound alike."""
    found: dict[str, list[KnownName]] = {}
    for key, places in spans.items():
        said = _letters(question.phrase(places[0].start, places[0].end))
        sounds = [
            n for n in known.get(key, ()) if n.kind == "sound" and _agrees(said, _letters(n.value))
        ]
        keys = {name_key(n.value) for n in sounds}
        if len({key.replace(" ", "") for key in keys}) == 1:
            paths = {n.path for n in sounds}
            found[key] = [n for n in knowledge.names(keys) if n.path in paths]
    return found


def _continues(question: Question, start: int, last: int) -> bool:
    return question.words[start].sentence == question.words[last].sentence


def _agrees(said: str, name: str) -> bool:
    """In one alphabet only the very letters count, for there "firm" is not "form"."""
    return said.isascii() != name.isascii() or said == name


def _letters(text: str) -> str:
    return "".join(c for c in text.lower() if c.isalpha())
