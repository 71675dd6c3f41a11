"""Facts that stand in the frontmatter: what a document says of its object by a key alone."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from typing import Final

from docs_agent.core.layers import D0, D1, D2
from docs_agent.core.rows import Row
from docs_agent.core.store.protocol import Hit, Reader, RowFilter
from docs_agent.core.text import stems, stop_stems
from docs_agent.retrieval.answers.cards import Card
from docs_agent.retrieval.answers.draft import Part, Place
from docs_agent.retrieval.answers.passages import Passage, passages
from docs_agent.retrieval.answers.quote import plain, shortened
from docs_agent.retrieval.answers.quotes import Quotes
from docs_agent.retrieval.answers.rendering import quoted
from docs_agent.retrieval.answers.terms import Terms
from docs_agent.retrieval.answers.wording import Wording
from docs_agent.retrieval.execute_terms import weak_stems
from docs_agent.retrieval.fusion import WEIGHTS

KEYS: Final = (
    (
        "auth authentication authorization",
        "auth authentication authorization authorized авторизация аутентификация авторизованный",
    ),
    ("timeout timeout_ms timeout_s", "timeout timeouts таймаут тайм-аут"),
    (
        "idempotent idempotency",
        "idempotent idempotency идемпотентный идемпотентен идемпотентна идемпотентность",
    ),
    (
        "owner owners maintainer maintainers responsible team",
        "owner owners owns maintainer maintains responsible владелец владельцы владеет"
        " ответственный ответственен ответственная поддерживает",
    ),
    ("status", "status статус"),
    ("version", "version версия"),
    ("endpoint", "endpoint url эндпоинт адрес"),
    ("tags", "tag tags тег теги метка метки"),
    (
        "updated last_updated last_reviewed reviewed date",
        "updated reviewed обновлялся обновлялась обновлен обновлена обновлено пересматривался",
    ),
    ("deprecated deprecated_since", "deprecated устаревший устарел устарела устарело"),
    ("severity", "severity критичность серьезность"),
    ("retry retries retry_policy", "retry retries повтор повторы"),
)
"""Keys of a frontmatter and the words that ask for them, both languages. A key is also asked for by
its own name."""

_NEEDING: Final = (
    "need needs needed require requires required used have has нужен нужна нужно нужны требуется"
    " используется указан указана указано стоит задан"
)
"""Words that say nothing but that something has a value."""
_REST: Final = 0.35
"""Share of the question that may be about something else than the document and the key."""
_VALUES: Final = 12
_ROWS: Final = 400
_TABLES: Final = 20
"""Sections that are looked through for a table."""
_ANCHOR: Final = "frontmatter."


def stated(
    reader: Reader, card: Card, found: Sequence[Passage], question: str, terms: Terms
) -> tuple[Part, ...]:
    """The keys that the question asks for, one line each; none where the text says the same or the
    question is about more than the document and the key."""
    asked = frozenset(stems(question))
    rows = reader.rows_of(RowFilter(layers=(D2,), paths=(card.path,)), _ROWS)
    parts: list[Part] = []
    for key, own in _by_key(rows).items():
        words = _asking(key)
        if words.isdisjoint(asked) and not _named(key, asked):
            continue
        naming = card.naming_stems() | words | frozenset(stems(f"{_spoken(key)} {_NEEDING}"))
        rest = Terms(tuple(t for t in terms.items if t.same.isdisjoint(naming)))
        total = sum(t.weight for t in terms.items)
        if total and sum(t.weight for t in rest.items) > _REST * total:
            continue
        values = [str(row.metadata.get("object", "")) for row in own[:_VALUES]]
        if not _is_said(found, words, values):
            text = shortened(plain(f"{key}: {', '.join(values)}"))
            start = min(row.span_start for row in own)
            end = max(row.span_end for row in own)
            parts.append(Part(text, Place(card.path, start, end, card.title, "")))
    return tuple(parts)


def tabled(
    quotes: Quotes, found: Sequence[Passage], question: str, words: Wording
) -> tuple[Part, ...]:
    """The row of a table, of any document, that names what the question names and has a column for
    the key it asks for ("who owns X"); none where the document itself (`found`) speaks of the key.
    """
    asked = frozenset(stems(question))
    for keys, said in KEYS:
        key_words = frozenset(stems(said))
        subject = asked - key_words - stop_stems() - weak_stems() - frozenset(stems(_NEEDING))
        if asked.isdisjoint(key_words) or not _OF_OBJECT.isdisjoint(key_words) or not subject:
            continue
        columns = key_words | frozenset(stems(_spoken(keys)))
        if any(not s.found.isdisjoint(columns) for p in found for s in p.statements):
            continue
        reader = quotes.reader
        hits = reader.lexical(D0, tuple(sorted(subject)), RowFilter(), WEIGHTS, _TABLES)
        for passage in _sections(quotes, hits):
            rows = [
                s
                for s in passage.statements
                if passage.blocks[s.block].kind == "table"
                and subject <= s.found
                and not columns.isdisjoint(stems(" ".join(passage.blocks[s.block].header)))
            ]
            if rows:
                return quoted(passage, rows[:1], words)
    return ()


def _sections(quotes: Quotes, hits: Sequence[Hit]) -> Iterator[Passage]:
    for hit in hits:
        titles = quotes.reader.rows_of(RowFilter(layers=(D1,), paths=(hit.path,)), 1)
        own = passages(quotes, hit.path, titles[0].title if titles else hit.path)
        yield from (p for p in own if p.row.row_id == hit.row_id)


def _by_key(rows: Sequence[Row]) -> dict[str, list[Row]]:
    """The facts of the frontmatter under their keys, in its order."""
    found: dict[str, list[Row]] = {}
    for row in rows:
        if str(row.metadata.get("anchor", "")).startswith(_ANCHOR):
            found.setdefault(str(row.metadata.get("predicate", "")), []).append(row)
    return found


def _is_said(found: Sequence[Passage], words: Collection[str], values: Sequence[str]) -> bool:
    """True when a statement of the text speaks of the key and gives its values, or when the word
    that asks (a status, a version) is about something in the text."""
    for passage in found:
        for s in passage.statements:
            if not s.found.isdisjoint(words) and all(
                v.lower() in s.unit.text.lower() for v in values
            ):
                return True
            heads = {*stems(passage.title), *stems(" ".join(passage.blocks[s.block].header))}
            if not _OF_OBJECT.isdisjoint(words) and not (s.found | heads).isdisjoint(words):
                return True
    return False


def _named(key: str, asked: Collection[str]) -> bool:
    own = stems(_spoken(key))
    return bool(own) and len("".join(own)) > 3 and all(stem in asked for stem in own)


def _spoken(key: str) -> str:
    return key.replace("_", " ").replace(".", " ").replace("-", " ")


def _asking(key: str) -> frozenset[str]:
    return _words().get(key.lower(), frozenset())


@lru_cache(maxsize=1)
def _words() -> dict[str, frozenset[str]]:
    return {key: frozenset(stems(words)) for keys, words in KEYS for key in keys.split()}


_OF_OBJECT: Final = frozenset(
    stems("status статус version версия tag тег endpoint адрес retry повтор")
)
"""Words that more often ask for something the text tells than for the key of the document."""
