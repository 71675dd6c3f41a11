"""Blocks of rows are read from the Markdown once and from the index afterwards."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from docs_agent.core.config import Config
from docs_agent.core.embed.none import NoEmbedder
from docs_agent.core.layers import D0
from docs_agent.core.store.protocol import Reader, RowFilter
from docs_agent.core.store.sqlite import SqliteStore, open_store
from docs_agent.indexers.run import run_index
from docs_agent.indexers.run_report import IndexRequest, NoProgress
from docs_agent.retrieval.answers import quotes as module
from docs_agent.retrieval.answers.quote import blocks
from docs_agent.retrieval.answers.quotes import READING, Quotes

PAGES = {
    "docs/orders.md": "# Orders\n\nAn order is *paid* once. It has `id`.\n\n"
    "| Field | Type |\n|---|---|\n| id | int |\n\n## Steps\n\n1. Pay\n   - by card\n2. Wait\n\n"
    "```sh\nmake pay\n```\n",
    "docs/заказы.md": "# Заказы\n\nТермин\n: его смысл\n\n> Заказ оплачивают один раз.\n",
}


@pytest.fixture
def store(tmp_path: Path) -> SqliteStore:
    (tmp_path / "docs").mkdir()
    for path, text in PAGES.items():
        (tmp_path / path).write_text(text, encoding="utf-8")
    opened = open_store(tmp_path / "index.db", create=True)
    request = IndexRequest(root=tmp_path, db=tmp_path / "index.db", config=Config())
    run_index(request, opened, NoEmbedder(), NoProgress())
    return opened


def unreadable(*_: object) -> None:
    pytest.fail("the Markdown was read again")


def test_what_the_index_keeps_is_what_the_markdown_says(
    store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    with store.read("default") as reader:
        rows = reader.rows_of(RowFilter(layers=(D0,)))
        first = Quotes(reader, store.cache_vectors)
        read = first.of(rows)
        first.keep()
    assert read == tuple(map(blocks, rows))
    assert {block.kind for row in read for block in row} >= {"paragraph", "table", "list", "code"}
    monkeypatch.setattr(module, "blocks", unreadable)
    with store.read("default") as reader:
        assert Quotes(reader).of(reader.rows_of(RowFilter(layers=(D0,)))) == read


def test_a_row_is_read_once_in_an_answer(
    store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    with store.read("default") as reader:
        rows = reader.rows_of(RowFilter(layers=(D0,)))
        quotes = Quotes(reader)
        read = quotes.of(rows)
        monkeypatch.setattr(module, "blocks", unreadable)
        assert quotes.of(rows) == read


@pytest.mark.parametrize("kept", [b"", b"{", b"[[1]]", b"7", b"[[" * 100_000, b'[["x",1]]'])
def test_something_else_in_its_place_is_read_anew(store: SqliteStore, kept: bytes) -> None:
    with store.read("default") as reader:
        rows = reader.rows_of(RowFilter(layers=(D0,)))
        assert Quotes(_Planted(reader, kept)).of(rows) == tuple(map(blocks, rows))


class _Planted:
    """The index of somebody who writes other things under our keys."""

    def __init__(self, reader: Reader, kept: bytes) -> None:
        self._reader = reader
        self._kept = kept

    def cached_vectors(self, fingerprint: str, keys: list[str]) -> Mapping[str, bytes]:
        assert fingerprint == READING
        return dict.fromkeys(keys, self._kept)

    def __getattr__(self, name: str) -> object:
        return getattr(self._reader, name)
