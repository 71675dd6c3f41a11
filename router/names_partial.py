"""Titles of which the question has one word, beside the word for what they are.

"Процесс начисления" means the only page with "начисление" in its title.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Final

from docs_agent.core.records import KnownName, title_word_key
from docs_agent.router.question import Question

_TITLE_WORDS: Final = 2


def title_words(
    question: Question, nouns: Collection[int], informative: Collection[int]
) -> tuple[str, ...]:
    """Keys of the words that stand where a noun ("процесс", "process") has its name.

    Behind the noun in Russian; in English ahead of it.
    """
    found = []
    for noun in sorted(nouns):
        at = noun + 1 if question.words[noun].is_cyrillic else noun - 1
        if at in informative and question.adjoin(*sorted((at, noun))):
            found.append(title_word_key(question.words[at].stem))
    return tuple(dict.fromkeys(found))


def partial_title(
    keys: Iterable[str], known: Mapping[str, list[KnownName]]
) -> tuple[KnownName, ...]:
    """The page whose title alone has one of the words; a word of several titles names none."""
    found = [[n for n in known.get(key, ()) if n.kind == "title_word"] for key in keys]
    names = (same[0] for same in found if len({n.path for n in same}) == 1)
    return tuple(dict.fromkeys(n._replace(kind="title") for n in names))


def whole_title(keys: Iterable[str], known: Mapping[str, list[KnownName]]) -> tuple[KnownName, ...]:
    """The page whose title alone has all of the words, in whatever form; two words at least.

    "Отмена записи" means the page "Отменить запись".
    """
    found = [{n.path: n for n in known.get(key, ()) if n.kind == "title_word"} for key in keys]
    if len(found) < _TITLE_WORDS:
        return ()
    paths = set(found[0]).intersection(*found[1:])
    return tuple(found[0][p]._replace(kind="title") for p in paths) if len(paths) == 1 else ()
