"""What a question asks for, word by word, weighed by what the index knows of each word."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from functools import cache
from itertools import islice
from typing import Final, NamedTuple

from docs_agent.core.knowledge import Knowledge
from docs_agent.core.text import (
    Token,
    asking_stems,
    language_of,
    lookup_stems,
    stem,
    stems,
    stop_stems,
    tokens,
)
from docs_agent.router.markers import vocabulary

_VERSION: Final = r"v?\d+(?:\.\d+){2,}"
MAX_TOKENS: Final = 400
"""Words of a question that are looked at; a longer one is a pasted text, not a question."""
MAX_STEMS: Final = 48
"""Stems that are searched for: the rarest ones of a long question."""
CORRECTED_WEIGHT: Final = 0.6
"""Share of its weight that a word keeps when it had to be corrected."""
WEAK_WEIGHT: Final = 0.25
"""Share of its weight that a word of asking keeps ("how does … work"), and one that names documents
as such ("the docs page of …"); it keeps all of it when the question has no other word."""
UNSEEN: Final = 10
"""Documents without any of the words that every collection is thought to have besides its own: in
three documents a word that all of them have is still a word of the language's millions."""
SMALL: Final = 50
"""Documents up to which BM25, which takes a word of half of them for worthless, is not asked."""
WEIGHTY: Final = 0.1
"""Share of the question's mass from which a word that BM25 takes for worthless is looked up."""

_WEAK_GROUPS: Final = ("question", "intent", "filler", "generic")
"""Router's word lists whose words say how one asks, or that one asks of a document."""


class Term(NamedTuple):
    """One informative word or identifier of the question."""

    text: str
    """As asked."""
    stems: tuple[str, ...]
    """What is searched for: the stem of a word; an identifier whole and its parts' stems."""
    named: bool
    """A name: an identifier, an acronym, a word capitalised inside a sentence, a Latin word in a
    Russian question. Paraphrase seldom invents names, so one the index lacks tells a lot."""


class Question(NamedTuple):
    """A question ready to be searched for."""

    text: str
    """White space collapsed."""
    language: str
    """`ru`, `en`, or empty."""
    terms: tuple[Term, ...]
    """In the order asked, stop words left out unless there is nothing else."""
    idf: Mapping[str, float]
    """Rarity of each stem searched for; a stem the index lacks is as rare as can be."""
    known: frozenset[str]
    """Stems that occur in the index."""
    corrections: Mapping[str, str]
    """Unknown stem → stem of the index that was most likely meant."""
    weak: frozenset[str] = frozenset()
    """Stems that weigh little: words of asking, while there are others."""
    flat: frozenset[str] = frozenset()
    """Known stems that BM25 gives nothing for on whole pages, so frequent are they here."""

    @property
    def mass(self) -> float:
        """Sum of all idf: what a document that has every word would collect, never 0."""
        return sum(self.idf.values()) or 1.0

    @property
    def asked(self) -> tuple[str, ...]:
        """Stems to search for as asked, those the index has."""
        return tuple(s for s in self.idf if s in self.known)

    @property
    def told(self) -> tuple[Term, ...]:
        """The terms that say what the question is about: all but the weak ones."""
        return tuple(t for t in self.terms if not self.weak.issuperset(t.stems))

    @property
    def corrected(self) -> tuple[str, ...]:
        """Stems to search for in place of misspelt ones."""
        return tuple(dict.fromkeys(c for c in self.corrections.values() if c not in self.known))

    def covered(self, stems: frozenset[str] | set[str]) -> float:
        """Share of the question's idf mass found among stems, 0.0 to 1.0."""
        found = sum(idf for s, idf in self.idf.items() if s in stems)
        found += CORRECTED_WEIGHT * sum(
            self.idf.get(s, 0.0) for s, c in self.corrections.items() if c in stems
        )
        return min(1.0, found / self.mass)


def read_terms(text: str, *, file_lookup: bool) -> tuple[Term, ...]:
    """Informative words of a question.

    file_lookup: the words that ask for a document ("which file says …") say nothing of its subject.
    """
    ignored = stop_stems() | lookup_stems() if file_lookup else stop_stems()
    russian = language_of(text) == "ru"
    every = [_term(token, text, russian) for token in islice(tokens(text), MAX_TOKENS)]
    kept: dict[tuple[str, ...], Term] = {}
    for term in every:
        stems = tuple(s for s in term.stems if s not in ignored)
        if stems:
            kept.setdefault(stems, Term(term.text, stems, term.named))
    return tuple(kept.values()) or tuple({t.stems: t for t in every}.values())


def _term(token: Token, text: str, russian: bool) -> Term:
    parts = [stem(part) for part in token.parts]
    stems = [token.whole, *parts] if token.is_identifier else parts
    return Term(token.text, tuple(dict.fromkeys(stems)), _is_name(token, text, russian))


def _is_name(token: Token, text: str, russian: bool) -> bool:
    word = token.text
    if is_version(word):
        return True
    if not any(c.isalpha() for c in word) or len(word) < 2:
        return False
    if any(c.isupper() for c in word[1:]) or any(c in "_/" for c in word):
        return True
    if russian and word.isascii():
        return True
    before = text[: token.start].rstrip(" \t\"'«“(`*")
    return word[0].isupper() and bool(before) and before[-1] not in ".!?:;\n"


def is_version(word: str) -> bool:
    """True for a version number of three or more parts, `2.3.7` or `v0.100.0`."""
    return "." in word and re.fullmatch(_VERSION, word) is not None


def weigh(text: str, terms: tuple[Term, ...], knowledge: Knowledge) -> Question:
    """The question with the rarity of its words in this index; nothing is corrected yet."""
    wanted = tuple(dict.fromkeys(s for term in terms for s in term.stems))
    frequency = knowledge.document_frequency(wanted)
    documents = knowledge.document_count()
    weak = _weak(terms)
    idf = {
        s: rarity(frequency.get(s, 0), documents) * (WEAK_WEIGHT if s in weak else 1.0)
        for s in wanted
        if s not in weak or frequency.get(s, 0)
    }
    if len(idf) > MAX_STEMS:
        rarest = sorted(idf, key=lambda s: (s not in frequency, -idf[s]))[:MAX_STEMS]
        idf = {s: idf[s] for s in wanted if s in set(rarest)}
    known = frozenset(s for s in idf if frequency.get(s, 0) > 0)
    weighty = WEIGHTY * sum(idf.values())
    flat = frozenset(
        s
        for s in known
        if documents <= SMALL or (2 * frequency[s] >= documents and idf[s] >= weighty)
    )
    return Question(text, language_of(text), terms, idf, known, {}, weak, flat)


def _weak(terms: tuple[Term, ...]) -> frozenset[str]:
    """Stems of plain words of asking; none when the question has nothing else."""
    plain = {t.stems[0] for t in terms if len(t.stems) == 1}
    strong = {s for t in terms if len(t.stems) > 1 for s in t.stems}
    weak = (plain & weak_stems()) - strong
    return frozenset(weak) if strong or plain - weak else frozenset()


@cache
def weak_stems() -> frozenset[str]:
    """Stems of words that say how one asks and not what about, of both languages."""
    words = vocabulary().words
    listed = " ".join(word for group in _WEAK_GROUPS for word in words[group])
    # What the router keeps by stem is not changed by stemming again.
    return (
        asking_stems() | frozenset(s for g in _WEAK_GROUPS for s in words[g]) | set(stems(listed))
    )


def rarity(frequency: int, documents: int) -> float:
    """Inverse document frequency, always above 0."""
    frequency = min(frequency, documents)
    return math.log(1.0 + (documents + UNSEEN - frequency + 0.5) / (frequency + 0.5))
