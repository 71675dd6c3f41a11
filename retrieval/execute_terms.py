"""What a question asks for, word by word, weighed by what the index knows of each word."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Final

from docs_agent.core.knowledge import Knowledge
from docs_agent.core.text import Token, language_of, lookup_stems, stem, stop_stems, tokens

MAX_TOKENS: Final = 400
"""Words of a question that are looked at; a longer one is a pasted text, not a question."""
MAX_STEMS: Final = 48
"""Stems that are searched for: the rarest ones of a long question."""
CORRECTED_WEIGHT: Final = 0.6
"""Share of its weight that a word keeps when it had to be corrected."""


@dataclass(frozen=True, slots=True)
class Term:
    """One informative word or identifier of the question."""

    text: str
    """As asked."""
    stems: tuple[str, ...]
    """What is searched for: the stem of a word; an identifier whole and its parts' stems."""
    named: bool
    """A name: an identifier, an acronym, a word capitalised inside a sentence, a Latin word in a
    Russian question. Paraphrase seldom invents names, so one the index lacks tells a lot."""


@dataclass(frozen=True, slots=True)
class Question:
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

    @property
    def mass(self) -> float:
        """Sum of all idf: what a document that has every word would collect, never 0."""
        return sum(self.idf.values()) or 1.0

    @property
    def asked(self) -> tuple[str, ...]:
        """Stems to search for as asked, those the index has."""
        return tuple(s for s in self.idf if s in self.known)

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
    if not any(c.isalpha() for c in word) or len(word) < 2:
        return False
    if any(c.isupper() for c in word[1:]) or any(c in "_/" for c in word):
        return True
    if russian and word.isascii():
        return True
    before = text[: token.start].rstrip(" \t\"'«“(`*")
    return word[0].isupper() and bool(before) and before[-1] not in ".!?:;\n"


def weigh(text: str, terms: tuple[Term, ...], knowledge: Knowledge) -> Question:
    """The question with the rarity of its words in this index; nothing is corrected yet."""
    wanted = tuple(dict.fromkeys(s for term in terms for s in term.stems))
    frequency = knowledge.document_frequency(wanted)
    documents = knowledge.document_count()
    idf = {s: rarity(frequency.get(s, 0), documents) for s in wanted}
    if len(idf) > MAX_STEMS:
        rarest = sorted(idf, key=lambda s: (s not in frequency, -idf[s]))[:MAX_STEMS]
        idf = {s: idf[s] for s in wanted if s in set(rarest)}
    known = frozenset(s for s in idf if frequency.get(s, 0) > 0)
    return Question(text, language_of(text), terms, idf, known, {})


def rarity(frequency: int, documents: int) -> float:
    """Inverse document frequency, always above 0."""
    frequency = min(frequency, documents)
    return math.log(1.0 + (documents - frequency + 0.5) / (frequency + 0.5))
