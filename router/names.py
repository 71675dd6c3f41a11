"""Names of the project inside a question: aliases, titles, ids, entities, domains.

Nothing is known here by itself. Every run of up to six words is looked up in the index, and a hit
counts only when the words are likely meant as that name: "Testing" may be the title of a page, but
"how do I log in while testing" is not about that page.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Final, NamedTuple

from docs_agent.core.knowledge import Knowledge
from docs_agent.core.records import KnownName, NameKind, topic_key
from docs_agent.core.text import name_key
from docs_agent.router.file_names import is_path
from docs_agent.router.markers import Marker, Vocabulary
from docs_agent.router.question import Question, Word

MAX_NAME_WORDS: Final = 6
"""Longer titles are found by search, not by name."""

_DOCUMENT_KINDS: Final = ("alias", "document_id", "title")
_TOPICS: Final = {"architecture": ("architecture",), "integration": ("integration", "architecture")}
"""Topics of the pages that a question with such a marker is after, best first."""
_MAX_OWNERS: Final = 3
"""A name that more documents share ("Overview") names none of them."""

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

_PASCAL = r"[A-ZА-ЯЁ][^\W_]*"
_HUMP = r"[A-ZА-ЯЁ]+(?![a-zа-яё])|[A-ZА-ЯЁ][a-zа-яё0-9]*"
_CODE_NAME = r"[_.(]|^[a-z][^\s]*$"
"""Code that is no PascalCase name; it is found by search, and an entity only if called one."""


class Names(NamedTuple):
    """Names found, best first."""

    documents: tuple[KnownName, ...] = ()
    """Aliases, ids and titles: what leads to documents. Longest first."""
    entities: tuple[str, ...] = ()
    """PascalCase names of the question, then entity names of the index."""
    known_entities: tuple[str, ...] = ()
    """Those of `entities` that the index knows."""
    domain: str | None = None
    subdomain: str | None = None
    positions: frozenset[int] = frozenset()
    """Words of the question inside any of these names."""
    document_positions: frozenset[int] = frozenset()
    """Those inside names of documents."""


class _Span(NamedTuple):
    start: int
    end: int
    """Exclusive."""

    @property
    def positions(self) -> range:
        return range(self.start, self.end)


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


class _Reader(NamedTuple):
    """Decides which hits are meant."""

    question: Question
    informative: frozenset[int]
    """Words that carry a subject."""
    nouns: Mapping[str, frozenset[int]]
    """Positions of the words "entity" and "domain", by group."""
    lexicon: Lexicon

    def is_meant(self, name: KnownName, span: _Span) -> bool:
        """Whether the words of the span are used as this name."""
        words = [self.question.words[i] for i in span.positions if i in self.informative]
        if not words or (len(words) == 1 and self.lexicon.is_common(words[0])):
            return False
        if self._is_marked(span):
            return True
        if name.kind == "entity" and re.search(_CODE_NAME, name.value):
            return self._stands_at(span, "domain")
        if any(word.is_identifier for word in words):
            return True
        few = len(words) > 1 or self._is_rare(words[0], name.kind)
        if name.kind == "alias" and 2 * len(words) >= len(self.informative):
            # Somebody wrote it down as a name, and half of what is said is this one word.
            return True
        if name.kind in ("domain", "subdomain"):
            return self._stands_at(span, "domain_noun") or few
        if self.informative.issubset(span.positions):
            return True
        if name.kind == "entity":
            return self._stands_at(span, "domain") or (few and len(words) == 1)
        return few

    def _is_rare(self, word: Word, kind: NameKind) -> bool:
        found, documents = self.lexicon.of(word), self.lexicon.documents
        if kind == "alias" or (word.text.isupper() and len(word.text) > 1):
            return found <= max(_NAME_AT_LEAST, _NAME_SHARE * documents)
        return documents >= _WORD_INDEX and found <= _WORD_SHARE * documents

    def _is_marked(self, span: _Span) -> bool:
        words = self.question.words
        return words[span.start].quoted and words[span.end - 1].quoted

    def _stands_at(self, span: _Span, group: str) -> bool:
        beside = self.nouns.get(group, frozenset())
        return (
            span.start - 1 in beside or span.end in beside or not beside.isdisjoint(span.positions)
        )


def find_names(
    question: Question,
    markers: tuple[Marker, ...],
    words: Vocabulary,
    informative: frozenset[int],
    knowledge: Knowledge,
    lexicon: Lexicon,
    aliases: Mapping[str, str],
) -> Names:
    """Names of the question. `aliases` (what people say → path) count beside those of the index."""
    spans = _spans(question, words)
    titles = _topic_titles(markers, words)
    topics = _topic_keys(markers)
    known = _look_up((*spans, *titles, *topics), knowledge, aliases)
    nouns = {g: _positions(markers, g) for g in ("domain", "domain_noun")}
    reader = _Reader(question, informative, nouns, lexicon)
    hits = list(_hits(spans, known, reader))
    documents = tuple(dict.fromkeys(name for name, _ in hits if name.kind in _DOCUMENT_KINDS))
    if not documents:
        documents = _pages_on_topic(titles, topics, known)
    written = {name_key(name): name for name in _pascal_names(question, lexicon)}
    known_entities = {n.key: n.value for n, _ in hits if n.kind == "entity"}
    return Names(
        documents=documents,
        entities=tuple((written | known_entities).values()),
        known_entities=tuple(known_entities.values()),
        domain=_only(n.value for n, _ in hits if n.kind == "domain"),
        subdomain=_only(n.value for n, _ in hits if n.kind == "subdomain"),
        positions=frozenset(i for _, span in hits for i in span.positions),
        document_positions=frozenset(
            i for name, span in hits if name.kind in _DOCUMENT_KINDS for i in span.positions
        ),
    )


def _spans(question: Question, words: Vocabulary) -> dict[str, list[_Span]]:
    """Runs of words inside one sentence by the key they would be known under."""
    found: dict[str, list[_Span]] = {}
    empty = [words.has(word, "question", "intent", "filler") for word in question.words]
    for run_start, run_end in _runs(question):
        keys = [word.key for word in question.words[run_start:run_end]]
        for start in range(run_start, run_end):
            last = min(start + MAX_NAME_WORDS, run_end)
            first_subject = next((i for i in range(start, last) if not empty[i]), last)
            for end in range(first_subject + 1, last + 1):
                key = " ".join(filter(None, keys[start - run_start : end - run_start]))
                found.setdefault(key, []).append(_Span(start, end))
    found.pop("", None)
    return found


def _runs(question: Question) -> Iterator[tuple[int, int]]:
    """Stretches of words without a path or the end of a sentence in between."""
    start = 0
    for i, word in enumerate(question.words):
        if i > start and word.sentence != question.words[i - 1].sentence:
            yield start, i
            start = i
        if is_path(word.text):
            yield start, i
            start = i + 1
    yield start, len(question.words)


def _topic_titles(markers: tuple[Marker, ...], words: Vocabulary) -> tuple[str, ...]:
    """Keys of the titles a page on the question's topic usually has."""
    groups = dict.fromkeys(f"{marker.group}_title" for marker in markers)
    return tuple(name_key(line) for group in groups for line in words.lines.get(group, ()))


def _topic_keys(markers: tuple[Marker, ...]) -> tuple[str, ...]:
    """Keys under which the index knows the pages on the question's topic, whatever their title."""
    groups = dict.fromkeys(marker.group for marker in markers)
    return tuple(dict.fromkeys(topic_key(t) for g in groups for t in _TOPICS.get(g, ())))


def _pages_on_topic(
    titles: Iterable[str], topics: Iterable[str], known: Mapping[str, list[KnownName]]
) -> tuple[KnownName, ...]:
    """Pages with a title that is common on the topic, then those the index says are on it."""
    found = [n for key in titles for n in known.get(key, ()) if n.kind == "title"]
    for key in topics:
        pages = [n._replace(kind="title") for n in known.get(key, ()) if n.kind == "topic"]
        found.extend(pages if len(pages) <= _MAX_OWNERS else ())
    return tuple({name.path: name for name in reversed(found)}.values())[::-1]


def _look_up(
    keys: Collection[str], knowledge: Knowledge, aliases: Mapping[str, str]
) -> dict[str, list[KnownName]]:
    """Known names by key, without document names that too many documents share."""
    configured = (KnownName("alias", name_key(a), a, path) for a, path in aliases.items())
    meant = [name for name in configured if name.key in keys] if aliases else []
    names = [_by_id(name, knowledge) for name in meant]
    if keys:
        names.extend(knowledge.names(keys))
    found: dict[str, list[KnownName]] = {}
    for name in names:
        found.setdefault(name.key, []).append(name)
    for key, same in found.items():
        owners = {n.path for n in same if n.kind in _DOCUMENT_KINDS}
        if len(owners) > _MAX_OWNERS:
            found[key] = [n for n in same if n.kind not in _DOCUMENT_KINDS]
    return found


def _by_id(alias: KnownName, knowledge: Knowledge) -> KnownName:
    """An alias of the configuration, its target a path also where the id of a document is given."""
    ids = (n for n in knowledge.names((name_key(alias.path),)) if n.kind == "document_id")
    return next((alias._replace(path=n.path) for n in ids if n.value == alias.path), alias)


def _hits(
    spans: Mapping[str, list[_Span]], known: Mapping[str, list[KnownName]], reader: _Reader
) -> Iterator[tuple[KnownName, _Span]]:
    """Names that are meant, longest first; a name inside a longer one is not found again."""
    candidates = [(span, key) for key in known for span in spans.get(key, ())]
    candidates.sort(key=lambda c: (c[0].start - c[0].end, c[0].start))
    taken: set[int] = set()
    for span, key in candidates:
        if not taken.isdisjoint(span.positions):
            continue
        meant = [name for name in known[key] if reader.is_meant(name, span)]
        for name in sorted(meant, key=_kind_order):
            yield name, span
        if meant:
            taken.update(span.positions)


def _kind_order(name: KnownName) -> int:
    return _DOCUMENT_KINDS.index(name.kind) if name.kind in _DOCUMENT_KINDS else 9


def _pascal_names(question: Question, lexicon: Lexicon) -> Iterator[str]:
    """PascalCase words: two humps, one of them a word of three letters or more."""
    for word in question.words:
        if is_path(word.text) or lexicon.is_common(word):
            continue
        for piece in re.split(r"[^\w]+", word.text):
            if not (piece[:1].isupper() and re.fullmatch(_PASCAL, piece)):
                continue
            humps = re.findall(_HUMP, piece)
            if len(humps) > 1 and any(len(h) > 2 and not h[:3].isupper() for h in humps):
                yield piece


def _positions(markers: Iterable[Marker], group: str) -> frozenset[int]:
    return frozenset(i for m in markers if m.group == group for i in m.positions)


def _only(values: Iterable[str]) -> str | None:
    """The value, when all agree: a hard filter on one of two domains would hide the other."""
    found = {value.lower(): value for value in values}
    return next(iter(found.values())) if len(found) == 1 else None
