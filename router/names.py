"""Names of the project inside a question: aliases, titles, ids, entities, domains.

Nothing is known here by itself. Every run of up to six words is looked up in the index, and a hit
counts only when the words are likely meant as that name: "Testing" may be the title of a page, but
"how do I log in while testing" is not about that page.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from docs_agent.core.knowledge import Knowledge
from docs_agent.core.records import KnownName, title_word_key, topic_key
from docs_agent.core.text import name_key
from docs_agent.router.endpoints import Endpoints
from docs_agent.router.file_names import is_path
from docs_agent.router.markers import Marker, Vocabulary
from docs_agent.router.names_heard import heard_names, heard_spans
from docs_agent.router.names_meant import DOCUMENT_KINDS, Lexicon, Reader
from docs_agent.router.names_partial import partial_title, title_words, whole_title
from docs_agent.router.question import Question, Span

MAX_NAME_WORDS: Final = 6
"""Longer titles are found by search, not by name."""

_TOPICS: Final = {
    "architecture": ("architecture",),
    "components": ("architecture",),
    "integration": ("integration", "architecture"),
}
"""Topics of the pages that a question with such a marker is after, best first."""
_ENTITY_TOPIC: Final = topic_key("entity")
_NOUNS: Final = ("domain", "domain_noun", "subdomain_noun")
"""Groups of the words by which an entity, a domain and a sub-domain are called one."""
_LISTING: Final = (
    "list_api_methods",
    "documents_by_domain",
    "entity_lookup",
    "related_documents",
    "integration",
    "components",
)
_MAX_OWNERS: Final = 3
"""A name that more documents share ("Overview") names none of them; a heading belongs to one."""

_PASCAL = re.compile(r"[A-ZА-ЯЁ][^\W_]*")
_HUMP = re.compile(r"[A-ZА-ЯЁ]+(?![a-zа-яё])|[A-ZА-ЯЁ][a-zа-яё0-9]*")
_PIECE = re.compile(r"[^\w]+")


class Names(NamedTuple):
    """Names found, best first."""

    documents: tuple[KnownName, ...] = ()
    """Aliases, ids and titles: what leads to documents. Longest first."""
    pages: tuple[KnownName, ...] = ()
    """Pages on the topic of a question that is about the whole and names no subject."""
    entity_page: KnownName | None = None
    """Name of the page of an entity, where the first document named is such a page."""
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


def find_names(
    question: Question,
    markers: tuple[Marker, ...],
    words: Vocabulary,
    informative: frozenset[int],
    knowledge: Knowledge,
    lexicon: Lexicon,
    aliases: Mapping[str, str],
    endpoints: Endpoints,
) -> Names:
    """Names of the question. `aliases` (what people say → path) count beside those of the index.

    The noun beside an endpoint of the question ("method") has its name already.
    """
    spans = _spans(question, words)
    titles = _topic_titles(markers, words)
    topics = _topic_keys(markers)
    nouns = {g: _positions(markers, g) for g in (*_NOUNS, "title_noun")}
    nouns["title_noun"] -= {i for at in endpoints.positions for i in (at - 1, at + 1)}
    unknown = frozenset(i for i in informative if not lexicon.knows(question.words[i]))
    called = frozenset(i for g in _NOUNS for at in nouns[g] for i in (at - 1, at + 1))
    has_index = lexicon.documents > 0
    heard = heard_spans(question, informative, unknown | called) if has_index else {}
    parts = title_words(question, nouns["title_noun"], informative)
    related = _title_words_of(question, markers, informative)
    entity_pages = (_ENTITY_TOPIC,) if any(m.group == "entity_lookup" for m in markers) else ()
    keys = (*spans, *titles, *topics, *heard, *parts, *related, *entity_pages)
    known = _look_up(keys, knowledge, aliases)
    for key, names in heard_names(heard, known, question, knowledge).items():
        known[key], spans[key] = names, heard[key]
    reader = Reader(question, informative, nouns, lexicon, _is_narrowed(markers))
    hits = list(_hits(spans, known, reader))
    documents = tuple(dict.fromkeys(name for name, _ in hits if name.kind in DOCUMENT_KINDS))
    pages: tuple[KnownName, ...] = ()
    if not documents:
        documents = partial_title(parts, known) or whole_title(related, known)
    if not documents and any(m.group == "architecture" for m in markers):
        documents = _pages_on_topic(titles, topics, known)
    elif not (documents or informative):
        pages = _pages_on_topic(titles, topics, known)
    written = {name_key(name): name for name in _pascal_names(question, lexicon)}
    known_entities = {n.key: n.value for n, _ in hits if n.kind == "entity"}
    return Names(
        documents=documents,
        pages=pages,
        entity_page=_entity_page(documents, known.get(_ENTITY_TOPIC, ())),
        entities=tuple((written | known_entities).values()),
        known_entities=tuple(known_entities.values()),
        domain=_only(n.value for n, _ in hits if n.kind == "domain"),
        subdomain=_only(n.value for n, _ in hits if n.kind == "subdomain"),
        positions=frozenset(i for _, span in hits for i in span.positions),
        document_positions=frozenset(
            i for name, span in hits if name.kind in DOCUMENT_KINDS for i in span.positions
        ),
    )


def _spans(question: Question, words: Vocabulary) -> dict[str, list[Span]]:
    """Runs of words inside one sentence by the key they would be known under."""
    found: dict[str, list[Span]] = {}
    empty = [words.has(word, "question", "intent", "filler") for word in question.words]
    for run_start, run_end in _runs(question):
        keys = [word.key for word in question.words[run_start:run_end]]
        for start in range(run_start, run_end):
            last = min(start + MAX_NAME_WORDS, run_end)
            first_subject = next((i for i in range(start, last) if not empty[i]), last)
            for end in range(first_subject + 1, last + 1):
                key = " ".join(filter(None, keys[start - run_start : end - run_start]))
                found.setdefault(key, []).append(Span(start, end))
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


def is_listing(markers: Iterable[Marker]) -> bool:
    """Whether the question asks for a list: words such as "project" narrow nothing in it."""
    return any(marker.group in _LISTING for marker in markers)


def _title_words_of(
    question: Question, markers: Iterable[Marker], informative: Iterable[int]
) -> tuple[str, ...]:
    """Keys of all the words of a subject that can only be a document: what is related to it."""
    if not any(marker.group in ("related_documents", "relation") for marker in markers):
        return ()
    stems = dict.fromkeys(question.words[i].stem for i in sorted(informative))
    return tuple(map(title_word_key, stems))


def _entity_page(documents: Sequence[KnownName], pages: Iterable[KnownName]) -> KnownName | None:
    paths = frozenset(page.path for page in pages)
    return documents[0] if documents and documents[0].path in paths else None


def _is_narrowed(markers: Iterable[Marker]) -> bool:
    return any(marker.group == "list_api_methods" for marker in markers)


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
        owners = {n.path for n in same if n.kind in DOCUMENT_KINDS}
        if len(owners) > _MAX_OWNERS:
            found[key] = [n for n in same if n.kind not in DOCUMENT_KINDS]
        elif len(owners) > 1:
            found[key] = [n for n in same if n.kind != "heading"]
    return found


def _by_id(alias: KnownName, knowledge: Knowledge) -> KnownName:
    """An alias of the configuration, its target a path also where the id of a document is given."""
    ids = (n for n in knowledge.names((name_key(alias.path),)) if n.kind == "document_id")
    return next((alias._replace(path=n.path) for n in ids if n.value == alias.path), alias)


def _hits(
    spans: Mapping[str, list[Span]], known: Mapping[str, list[KnownName]], reader: Reader
) -> Iterator[tuple[KnownName, Span]]:
    """Names that are meant, longest first; a name inside a longer one is not found again."""
    candidates = [(span, key) for key in known for span in spans.get(key, ())]
    candidates.sort(key=lambda c: (c[0].start - c[0].end, c[0].start))
    taken: set[int] = set()
    named: set[Span] = set()
    for span, key in candidates:
        if span not in named and not taken.isdisjoint(span.positions):
            continue
        meant = _one_kind_of_domain(
            [name for name in known[key] if reader.is_meant(name, span)], span, reader
        )
        for name in sorted(meant, key=_kind_order):
            yield name, span
        if meant:
            taken.update(span.positions)
            named.add(span)


def _one_kind_of_domain(names: list[KnownName], span: Span, reader: Reader) -> list[KnownName]:
    """The names without the domain where a sub-domain of that name is asked for, or the reverse."""
    for kind, other in (("subdomain", "domain"), ("domain", "subdomain")):
        if any(n.kind == kind and reader.is_called(n.kind, span) for n in names):
            return [n for n in names if n.kind != other]
    return names


def _kind_order(name: KnownName) -> int:
    return DOCUMENT_KINDS.index(name.kind) if name.kind in DOCUMENT_KINDS else 9


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
