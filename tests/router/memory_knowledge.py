"""A whole `Knowledge` in memory, described in YAML or built from texts, for tests of the router."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, get_args

from docs_agent.core.records import KnownName, NameKind, topic_key
from docs_agent.core.text import name_key, normalize, stems
from docs_agent.indexers.names import derived_names


@dataclass(frozen=True, slots=True)
class MemoryKnowledge:
    """Names and words of an index that never was on a disk."""

    by_key: Mapping[str, tuple[KnownName, ...]] = field(default_factory=dict)
    endpoint_names: tuple[KnownName, ...] = ()
    frequency: Mapping[str, int] = field(default_factory=dict)
    documents: int = 0

    def names(self, keys: Collection[str]) -> tuple[KnownName, ...]:
        found = [name for key in set(keys) for name in self.by_key.get(key, ())]
        return tuple(sorted(found, key=lambda n: (n.kind, n.key, n.path)))

    def endpoints(self) -> tuple[KnownName, ...]:
        return self.endpoint_names

    def document_frequency(self, stems: Collection[str]) -> Mapping[str, int]:
        return {stem: self.frequency[stem] for stem in stems if stem in self.frequency}

    def document_count(self) -> int:
        return self.documents


def build(names: Iterable[KnownName], texts: Iterable[str], filler: int = 0) -> MemoryKnowledge:
    """Knowledge of documents with these texts and names, and of `filler` empty documents."""
    frequency: dict[str, int] = {}
    count = filler
    for text in texts:
        count += 1
        for stem in set(stems(text)):
            frequency[stem] = frequency.get(stem, 0) + 1
    by_key: dict[str, list[KnownName]] = {}
    for name in names:
        by_key.setdefault(name.key, []).append(name)
    every = (name for same in by_key.values() for name in same)
    endpoints = sorted((n for n in every if n.kind == "endpoint"), key=lambda n: (n.path, n.value))
    return MemoryKnowledge(
        {key: tuple(same) for key, same in by_key.items()}, tuple(endpoints), frequency, count
    )


def from_description(description: Mapping[str, Any]) -> MemoryKnowledge:
    """Knowledge as the case files describe it.

    filler: 100                  # further documents, so that few is rare
    documents:
      docs/api/health.md:        # a name kind, then one name or a list of names
        title: Health
        endpoint: GET /health
        text: words of the document; titles and names are words of it too
    """
    names: list[KnownName] = []
    texts: list[str] = []
    for path, entry in description.get("documents", {}).items():
        words = [path]
        for key, value in entry.items():
            values = value if isinstance(value, list) else [value]
            words.extend(str(v) for v in values)
            if key in get_args(NameKind):
                named = [_name(key, str(v), path) for v in values]
                names += [*named, *(d for name in named for d in derived_names(name))]
        texts.append("\n".join(words))
    return build(names, texts, description.get("filler", 0))


def _name(kind: NameKind, value: str, path: str) -> KnownName:
    if kind == "topic":
        return KnownName(kind, topic_key(value), path, path)
    key = normalize(value.split()[-1]) if kind == "endpoint" else name_key(value)
    return KnownName(kind, key, value, path)
