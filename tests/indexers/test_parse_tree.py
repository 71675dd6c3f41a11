"""A small documentation tree in both languages, parsed whole."""

from __future__ import annotations

from pathlib import Path

import pytest

from docs_agent.indexers.document import ParsedDocument
from docs_agent.indexers.parse import parse

TREE = Path(__file__).parent / "cases" / "tree"


@pytest.fixture(scope="module")
def tree() -> dict[str, ParsedDocument]:
    found: dict[str, ParsedDocument] = {}
    for file in sorted(TREE.rglob("*.md")):
        path = file.relative_to(TREE).as_posix()
        document = parse(path, file.read_bytes(), docs_root=".")
        assert isinstance(document, ParsedDocument)
        found[path] = document
    return found


def test_titles_and_languages(tree: dict[str, ParsedDocument]) -> None:
    assert {path: (document.title, document.lang) for path, document in tree.items()} == {
        "en/getting-started.md": ("Getting started", "en"),
        "en/tutorial.md": ("Tutorial", "en"),
        "ru/api-orders-create.md": ("Создание заказа", "ru"),
        "ru/logic-order-validation.md": ("Проверка заказа", "ru"),
    }


def test_only_the_rewritten_document_has_a_warning(tree: dict[str, ParsedDocument]) -> None:
    warnings = [warning for document in tree.values() for warning in document.warnings]
    assert [(w.path, w.line, w.code) for w in warnings] == [
        ("ru/logic-order-validation.md", 3, "frontmatter-mangled")
    ]
    assert "5 keys" not in warnings[0].message
    assert "4 keys" in warnings[0].message


def test_every_span_opens_the_lines_it_names(tree: dict[str, ParsedDocument]) -> None:
    for document in tree.values():
        for section in document.sections:
            if section.level:
                heading = document.lines[section.start - 1]
                assert section.title.split()[0] in heading
            for block in section.blocks:
                shown = "\n".join(document.lines[block.start - 1 : block.end])
                assert block.text.split("\n")[0] in shown


def test_sections_of_the_api_document(tree: dict[str, ParsedDocument]) -> None:
    document = tree["ru/api-orders-create.md"]
    assert [(s.level, s.title, s.start, s.end) for s in document.sections] == [
        (1, "Создание заказа", 11, 11),
        (2, "Summary", 13, 16),
        (2, "Details", 18, 18),
        (3, "Основной сценарий", 20, 24),
        (3, "Ошибки", 26, 31),
    ]
    assert document.sections[4].path == ("Создание заказа", "Details", "Ошибки")
    assert document.sections[4].blocks[0].rows[1].cells == ("409", "`order_duplicate`")
    assert document.sections[4].blocks[0].rows[1].line == 31
    assert [item.number for item in document.sections[3].blocks[0].items] == [1, 2, 3]


def test_links_of_the_tree(tree: dict[str, ParsedDocument]) -> None:
    links = {(path, link.target, link.line) for path, d in tree.items() for link in d.links}
    assert links == {
        ("ru/api-orders-create.md", "logic-order-validation.md#правила", 23),
        ("en/getting-started.md", "tutorial.md", 14),
        ("en/getting-started.md", "img/map one.png", 14),
    }


def test_anchors_of_the_english_document(tree: dict[str, ParsedDocument]) -> None:
    sections = tree["en/getting-started.md"].sections
    assert [(s.title, s.anchor) for s in sections] == [
        ("Getting started", "start"),
        ("Next steps", "next"),
    ]
