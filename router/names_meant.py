"""Whether words of a question that are a name of the project are meant as that name."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, NamedTuple

from docs_agent.core.records import KnownName, NameKind
from docs_agent.router.question import Question, Span, Word

DOCUMENT_KINDS: Final = ("alias", "document_id", "title", "heading")
"""Kinds of names that lead to a document, the surest first."""

# A single plain word is taken for a name when few enough documents use it: for an alias, which is
# a name on purpose, or an abbreviation (CORS), and for all other names, which are also just words.
_NAME_SHARE: Final = 0.10
_NAME_AT_LEAST: Final = 2
_WORD_SHARE: Final = 0.02
_WORD_INDEX: Final = 50
"""Documents; in a smaller index nothing tells a rare word from a plain one."""

_COMMON_SHARE: Final = 0.20
_COMMON_AT_LEAST: Final = 20
"""A code name in more documents than both figures is the product itself and tells nothing apart."""

_CODE_NAME = re.compile(r"[_.(]|^[a-z][^\s]*$")
"""Code that is no PascalCase name; it is found by search, and an entity only if called one."""


class Lexicon(NamedTuple):
    """What the index knows of the words of one question."""

    frequency: Mapping[str, int]
    """Documents by stem; absent = none."""
    documents: int
    """In the whole index."""

    def of(self, word: Word) -> int:
        return self.frequency.get(word.stem, 0)

    def knows(self, word: Word) -> bool:
        """Whether any document has the word, or a part of an identifier."""
        return any(stem in self.frequency for stem in word.stems)

    def is_common(self, word: Word) -> bool:
        limit = max(_COMMON_AT_LEAST, _COMMON_SHARE * self.documents)
        return self.of(word) > limit


class Reader(NamedTuple):
    """Decides which hits are meant."""

    question: Question
    informative: frozenset[int]
    """Words that carry a subject."""
    nouns: Mapping[str, frozenset[int]]
    """Positions of the words "entity" and "domain", by group."""
    lexicon: Lexicon
    is_narrowed: bool
    """Whether the question asks for a list that a domain alone may narrow."""

    def is_meant(self, name: KnownName, span: Span) -> bool:
        """Whether the words of the span are used as this name."""
        words = [self.question.words[i] for i in span.positions if i in self.informative]
        if not words or (len(words) == 1 and self.lexicon.is_common(words[0])):
            return False
        if self._is_marked(span):
            return True
        if name.kind == "entity" and _CODE_NAME.search(name.value):
            return self._stands_at(span, "domain")
        if any(word.is_identifier for word in words):
            return True
        few = len(words) > 1 or self._is_rare(words[0], name.kind)
        if name.kind == "alias" and 2 * len(words) >= len(self.informative):
            # Somebody wrote it down as a name, and half of what is said is this one word.
            return True
        if name.kind in ("domain", "subdomain"):
            return self._is_domain(name.kind, span) or few
        if self.informative.issubset(span.positions):
            return True
        if name.kind in DOCUMENT_KINDS and self._stands_at(span, "title_noun"):
            return True
        if name.kind == "heading":
            # One section of many: it must be half of what is asked.
            return len(words) > 1 and 2 * len(words) >= len(self.informative)
        if name.kind == "entity":
            return self._stands_at(span, "domain") or (few and len(words) == 1)
        return few

    def _is_domain(self, kind: NameKind, span: Span) -> bool:
        """Whether it is called one, or is all that a list is narrowed to."""
        if self.is_called(kind, span):
            return True
        return self.is_narrowed and self.informative.issubset(span.positions)

    def is_called(self, kind: NameKind, span: Span) -> bool:
        """Whether a name of a domain or sub-domain stands beside the word for such a one."""
        if kind == "subdomain":
            return self._stands_at(span, "subdomain_noun")
        return self._stands_at(span, "domain_noun")

    def _is_rare(self, word: Word, kind: NameKind) -> bool:
        found, documents = self.lexicon.of(word), self.lexicon.documents
        if kind == "alias" or (word.text.isupper() and len(word.text) > 1):
            return found <= max(_NAME_AT_LEAST, _NAME_SHARE * documents)
        return documents >= _WORD_INDEX and found <= _WORD_SHARE * documents

    def _is_marked(self, span: Span) -> bool:
        words = self.question.words
        return words[span.start].quoted and words[span.end - 1].quoted

    def _stands_at(self, span: Span, group: str) -> bool:
        beside = self.nouns.get(group, frozenset())
        return (
            span.start - 1 in beside or span.end in beside or not beside.isdisjoint(span.positions)
        )
