"""Every layer against the cases in cases/extract: a document, and the records it must give."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from docs_agent.core.layers import DOCS_LAYERS
from docs_agent.core.records import FileRecords, Record
from docs_agent.indexers.document import ParsedDocument
from docs_agent.indexers.extract import EXTRACTORS, extract
from docs_agent.indexers.parse import parse

CASES = Path(__file__).parent / "cases" / "extract"


def _load(name: str) -> list[dict[str, Any]]:
    loaded: list[dict[str, Any]] = yaml.safe_load((CASES / name).read_text("utf-8"))
    return loaded


def _layer_cases() -> Iterator[Any]:
    for file in sorted(CASES.glob("d*.yml")):
        layer = next(name for name in DOCS_LAYERS if name.lower().startswith(file.stem))
        for case in _load(file.name):
            yield pytest.param(layer, case, id=f"{file.stem}: {case['name']}")


def _extract(case: dict[str, Any]) -> FileRecords:
    doc = parse(case["path"], case["document"].encode(), docs_root="docs")
    assert isinstance(doc, ParsedDocument)
    return extract(doc)


@pytest.mark.parametrize(("layer", "case"), list(_layer_cases()))
def test_document_gives_the_records_of_its_case(layer: str, case: dict[str, Any]) -> None:
    found = _extract(case)
    records = [r for r in found.records if r.layer == layer]
    assert len(records) == len(case["expect"]), [r.content for r in records]
    for record, expected in zip(records, case["expect"], strict=True):
        _compare(record, expected)
    for code in case.get("warnings", ()):
        assert code in [w.code for w in found.warnings]
    if "warnings" not in case:
        assert found.warnings == ()


def _compare(record: Record, expected: dict[str, Any]) -> None:
    for name in ("title", "content", "lang"):
        if name in expected:
            assert getattr(record, name) == expected[name]
    if "span" in expected:
        assert [record.span_start, record.span_end] == expected["span"]
    wanted = expected.get("metadata", {})
    assert {k: record.metadata.get(k) for k in wanted} == wanted
    assert not set(expected.get("without", ())) & set(record.metadata)


@pytest.mark.parametrize("case", _load("names.yml"), ids=lambda case: case["name"])
def test_document_gives_the_names_of_its_case(case: dict[str, Any]) -> None:
    names = [n for n in _extract(case).names if n.kind not in ("sound", "title_word")]
    assert [[n.kind, n.key, n.value] for n in names] == case["expect"]


def test_every_layer_has_an_extractor_a_file_and_cases() -> None:
    assert tuple(layer for layer, _ in EXTRACTORS) == DOCS_LAYERS
    for layer, extractor in EXTRACTORS:
        module = extractor.__module__.rpartition(".")[2]
        assert layer.lower() == module
        assert _load(f"{module}.yml")
