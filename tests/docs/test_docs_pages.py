"""The shape of the project's own documentation, and of the sample it ships."""

from __future__ import annotations

from pathlib import Path

import pytest
from docs_pages import DOCS, ROOT, indexed, page, pages

from docs_agent.core.embed.none import NoEmbedder
from docs_agent.core.layers import D1, D5
from docs_agent.core.rows import Row
from docs_agent.core.store.protocol import RowFilter
from docs_agent.indexers.document import ParsedDocument
from docs_agent.indexers.parse import parse

REQUIRED = ("id", "title", "doc_type", "domain", "sub_domain", "status", "related_docs", "aliases")
DOC_TYPES = (
    "ui_page",
    "api_method",
    "logic_block",
    "architecture_overview",
    "integration_doc",
    "domain_entity",
    "glossary_item",
    "index_page",
)
INDEX = "README.md"


@pytest.fixture(scope="module", params=[ROOT, ROOT / "examples" / "notify"], ids=["docs", "notify"])
def built(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> object:
    """Warnings of an index run, the relations and the cards it gave."""
    db = tmp_path_factory.mktemp("index") / "index.db"
    with indexed(request.param, db, NoEmbedder()) as index:
        edges = index.reader.rows_of(RowFilter(layers=(D5,)), 10_000)
        cards = index.reader.rows_of(RowFilter(layers=(D1,)), 10_000)
        return request.param, index.report, edges, cards


def test_the_documentation_is_indexed_without_a_warning(built: tuple) -> None:  # type: ignore[type-arg]
    root, report, _, cards = built
    assert report.warnings == ()
    assert len(cards) == len(list((root / "docs").rglob("*.md")))


def test_every_relation_of_the_documentation_leads_somewhere(built: tuple) -> None:  # type: ignore[type-arg]
    _, _, edges, _ = built
    inside: list[Row] = [e for e in edges if e.metadata["target_kind"] != "external_object"]
    assert inside
    assert [_said(e) for e in inside if not e.metadata["resolved"]] == []


def test_every_anchor_of_a_link_exists(built: tuple) -> None:  # type: ignore[type-arg]
    root, _, edges, _ = built
    inside = [e for e in edges if e.metadata.get("fragment") and e.metadata["resolved"]]
    missing = [
        edge
        for edge in inside
        if edge.metadata["fragment"] not in _anchors(root / edge.metadata["target_path"])
    ]
    assert [_said(edge) for edge in missing] == []


def _anchors(path: Path) -> set[str]:
    document = parse(path.name, path.read_bytes())
    assert isinstance(document, ParsedDocument)
    return {section.anchor for section in document.sections}


@pytest.mark.parametrize("path", pages())
def test_every_page_carries_the_frontmatter_of_the_document_model(path: str) -> None:
    values = page(path).frontmatter.values
    assert [key for key in REQUIRED if not values.get(key)] == []
    assert values["doc_type"] in DOC_TYPES
    assert values["title"] == page(path).sections[0].title


@pytest.mark.parametrize("path", pages())
def test_every_page_opens_with_a_summary_of_facts(path: str) -> None:
    titles = [s.title for s in page(path).sections]
    assert titles[1:2] == ["Summary"]
    assert "Details" in titles
    assert page(path).sections[1].blocks[0].items


@pytest.mark.parametrize("path", [p for p in pages() if p != INDEX])
def test_every_page_is_listed_by_the_start_page(path: str) -> None:
    start = page(INDEX).frontmatter.values
    assert page(path).frontmatter.values["id"] in start["children"]
    assert page(path).frontmatter.values["parent"] == start["id"]
    assert path in {link.target for link in page(INDEX).links}


def test_every_page_can_be_found_by_a_russian_name() -> None:
    names = {p: (page(p).title, *page(p).frontmatter.values["aliases"]) for p in pages()}
    russian = {p for p, n in names.items() if any("а" <= c <= "я" for c in "".join(n).lower())}
    assert sorted(set(names) - russian) == []


def test_no_page_is_empty_or_out_of_place() -> None:
    assert [p for p in DOCS.rglob("*") if p.is_file() and not p.stat().st_size] == []


def _said(edge: Row) -> str:
    return f"{edge.path}:{edge.span_start} {edge.title}"
