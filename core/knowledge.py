"""What the router may know about the project: names and words of the index, through one Protocol.

The seeds' code hard-codes one project's aliases; here the same maps come from the index
(frontmatter, titles, ids, entities, domains) and from the configuration.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Protocol

from docs_agent.core.records import KnownName


class Knowledge(Protocol):
    """Look-ups, not loads: a question asks for the few keys it could mean."""

    def names(self, keys: Collection[str]) -> tuple[KnownName, ...]:
        """All known names whose key is among `keys`, in a stable order (kind, key, path)."""
        ...

    def endpoints(self) -> tuple[KnownName, ...]:
        """All names of kind `endpoint`, ordered by path and value."""
        ...

    def document_frequency(self, stems: Collection[str]) -> Mapping[str, int]:
        """In how many documents each stem occurs; stems that occur nowhere are absent."""
        ...

    def document_count(self) -> int:
        """Documents in the session; 0 when there is no index."""
        ...


class NoKnowledge:
    """The project without an index: nothing is known."""

    def names(self, keys: Collection[str]) -> tuple[KnownName, ...]:
        return ()

    def endpoints(self) -> tuple[KnownName, ...]:
        return ()

    def document_frequency(self, stems: Collection[str]) -> Mapping[str, int]:
        return {}

    def document_count(self) -> int:
        return 0
