"""The SQLite store against the suite of all stores."""

from __future__ import annotations

from pathlib import Path

from store_conformance import StoreConformance

from docs_agent.core.store.protocol import Store
from docs_agent.core.store.sqlite import open_store


class TestSqliteStore(StoreConformance):
    def open(self, path: Path, *, create: bool = False) -> Store:
        return open_store(path, create=create)
