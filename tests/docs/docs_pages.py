"""Reading the project's own documentation as the tool reads it: parsed pages, their tables, an
index of them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from docs_agent.core.config import Config
from docs_agent.core.embed.protocol import Embedder
from docs_agent.core.store.protocol import Reader, Store
from docs_agent.core.store.sqlite import open_store
from docs_agent.indexers.document import ParsedDocument, Section
from docs_agent.indexers.parse import parse
from docs_agent.indexers.run import run_index
from docs_agent.indexers.run_report import IndexReport, IndexRequest, NoProgress

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"


@dataclass(frozen=True)
class Indexed:
    """An index that was just built."""

    report: IndexReport
    store: Store
    reader: Reader


@contextmanager
def indexed(root: Path, db: Path, embedder: Embedder) -> Iterator[Indexed]:
    """Indexes the folder `docs` of `root` by the real pipeline."""
    store = open_store(db, create=True)
    try:
        request = IndexRequest(root=root, db=db, config=Config(), paths=("docs",))
        report = run_index(request, store, embedder, NoProgress())
        with store.read("default") as reader:
            yield Indexed(report, store, reader)
    finally:
        store.close()


@lru_cache
def page(path: str) -> ParsedDocument:
    """A page of docs/, parsed."""
    found = parse(f"docs/{path}", (DOCS / path).read_bytes())
    assert isinstance(found, ParsedDocument)
    return found


def pages() -> list[str]:
    """Paths of all pages, relative to docs/."""
    return sorted(path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md"))


def section(path: str, title: str) -> Section:
    """The section of a page with that heading."""
    found = [s for s in page(path).sections if s.title == title]
    assert len(found) == 1, f"docs/{path} has {len(found)} sections called {title!r}"
    return found[0]


def table(path: str, title: str) -> list[dict[str, str]]:
    """Rows of the first table of a section: column → cell, code marks taken away."""
    block = next(b for b in section(path, title).blocks if b.kind == "table")
    return [
        dict(zip(block.header, (cell.strip("`") for cell in row.cells), strict=True))
        for row in block.rows
    ]
