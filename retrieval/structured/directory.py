"""Which document a record means by a name: its path, id, title or alias."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from docs_agent.core.rows import Row
from docs_agent.core.store.protocol import Reader
from docs_agent.core.text import name_key
from docs_agent.retrieval.structured.records import text_of, title_of

_KINDS: Final = ("document_id", "title", "alias")
"""Kinds of names that mean a document, the surest first."""


class Directory:
    """Looks names up as they are asked for: an index of ten thousand documents is not turned round
    to resolve a dozen targets."""

    def __init__(self, reader: Reader, cards: Mapping[str, Row]) -> None:
        """cards: the documents that may be meant."""
        self._knowledge = reader.knowledge
        self._cards = cards
        self._known: dict[str, str] = {}

    def path(self, name: str) -> str:
        """The document that goes by a name; empty when none of the cards does."""
        if name not in self._known:
            self._known[name] = self._find(name) if name else ""
        return self._known[name]

    def titled(self, name: str) -> str:
        """Title of the document whose id or path this is; empty for any other name."""
        path = self.path(name)
        card = self._cards.get(path)
        by_id = path and name in (path, text_of(card, "id"))
        return title_of(card, path) if by_id else ""

    def _find(self, name: str) -> str:
        if name in self._cards:
            return name
        key = name_key(name)
        known = self._knowledge.names((key,)) if key else ()
        found = [n for n in known if n.kind in _KINDS and n.path in self._cards]
        best = min(found, key=lambda n: (n.value != name, _KINDS.index(n.kind)), default=None)
        return best.path if best is not None else ""
