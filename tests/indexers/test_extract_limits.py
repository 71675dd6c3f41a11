"""Large and hostile documents: capped with a warning, in time proportional to their size."""

from __future__ import annotations

import time

import pytest

from docs_agent.core.layers import D0, D2, D3, D4, D5, D6
from docs_agent.core.records import FileRecords, Record
from docs_agent.indexers.document import ParsedDocument
from docs_agent.indexers.extract import extract
from docs_agent.indexers.layers.d2_fact_index import MAX_FACTS, MAX_ROWS
from docs_agent.indexers.layers.d3_entity_catalog import MAX_WRITTEN
from docs_agent.indexers.layers.d4_workflow_index import MAX_LINES, MAX_WORKFLOWS
from docs_agent.indexers.layers.d5_relation_graph import MAX_EDGES
from docs_agent.indexers.layers.d6_integration_index import MAX_INTEGRATIONS
from docs_agent.indexers.layers.pieces import HARD_LIMIT, PIECE_LIMIT
from docs_agent.indexers.parse import parse


def _extract(text: str, path: str = "docs/a.md") -> FileRecords:
    doc = parse(path, text.encode(), docs_root="docs")
    assert isinstance(doc, ParsedDocument)
    return extract(doc)


def _layer(found: FileRecords, layer: str) -> list[Record]:
    return [r for r in found.records if r.layer == layer]


def _codes(found: FileRecords) -> list[tuple[str, int]]:
    return [(w.code, w.line) for w in found.warnings]


def test_huge_table_gives_facts_of_its_first_rows_and_a_warning() -> None:
    rows = "".join(f"| e{i} | {i} |\n" for i in range(5000))
    found = _extract(f"# Errors\n\n| id | code |\n|---|---|\n{rows}")
    assert len(_layer(found, D2)) == MAX_ROWS
    assert _codes(found) == [("table-capped", 5 + MAX_ROWS)]
    (chunk,) = _layer(found, D0)
    assert chunk.span_start == 3
    assert chunk.span_end == 5004


def test_too_many_facts_are_capped_at_a_line() -> None:
    bullets = "".join(f"- Key {i}: value\n" for i in range(MAX_FACTS + 5))
    found = _extract(f"# Summary\n\n{bullets}")
    assert len(_layer(found, D2)) == MAX_FACTS
    assert _codes(found) == [("facts-capped", 3 + MAX_FACTS)]


def test_too_many_entities_relations_and_integrations_are_capped() -> None:
    entities = "".join(f"  - E{i}\n" for i in range(MAX_WRITTEN + 3))
    found = _extract(f"---\nentities:\n{entities}---\n")
    assert len(_layer(found, D3)) == MAX_WRITTEN
    assert "entities-capped" in [w.code for w in found.warnings]

    links = "".join(f"[x](f{i}.md)\n\n" for i in range(MAX_EDGES + 3))
    found = _extract(links)
    assert len(_layer(found, D5)) == MAX_EDGES
    assert _codes(found) == [("relations-capped", 2 * MAX_EDGES + 1)]

    bullets = "".join(f"- T{i}: x\n" for i in range(MAX_INTEGRATIONS + 3))
    found = _extract(f"## Integrations\n\n{bullets}")
    assert len(_layer(found, D6)) == MAX_INTEGRATIONS
    assert _codes(found) == [("integrations-capped", 3 + MAX_INTEGRATIONS)]


def test_too_many_or_too_long_workflows_are_capped() -> None:
    flows = "".join(f"### Flow {i}\n\n1. Go.\n\n" for i in range(MAX_WORKFLOWS + 2))
    found = _extract(f"## Main flows\n\n{flows}")
    assert len(_layer(found, D4)) == MAX_WORKFLOWS
    assert [w.code for w in found.warnings] == ["workflows-capped"]

    steps = "".join(f"{i}. Go.\n" for i in range(1, MAX_LINES + 10))
    found = _extract(f"## Scenario\n\n{steps}")
    (workflow,) = _layer(found, D4)
    assert len(workflow.metadata["main_flow"]) == MAX_LINES
    assert [w.code for w in found.warnings] == ["workflow-capped"]


def test_long_list_is_cut_between_items_with_exact_lines() -> None:
    items = [f"- Пункт {i}" + " слово" * 30 for i in range(60)]
    chunks = _layer(_extract("# Список\n\n" + "\n".join(items)), D0)
    assert len(chunks) > 5
    line = 3
    for chunk in chunks:
        assert chunk.span_start == line
        assert chunk.content.split("\n") == items[chunk.span_start - 3 : chunk.span_end - 2]
        assert len(chunk.content) <= HARD_LIMIT
        line = chunk.span_end + 1
    assert line == 63


def test_a_fence_or_table_is_never_cut() -> None:
    code = "\n".join(f"line_{i} = {i}" for i in range(800))
    step = "1. Run:\n\n   ```sh\n" + "   echo\n" * 900 + "   ```\n\n2. Done.\n"
    text = f"# A\n\nBefore:\n\n```python\n{code}\n```\n\nAfter.\n\n## B\n\n{step}"
    chunks = _layer(_extract(text), D0)
    for chunk in chunks:
        assert chunk.content.count("```") % 2 == 0
    # What introduces the code stays with it.
    assert "Before:" in chunks[0].content
    assert "line_799" in chunks[0].content
    assert chunks[1].content == "After."


def test_endless_line_is_cut_at_sentences_all_on_that_line() -> None:
    chunks = _layer(_extract("Предложение номер один. " * 400), D0)
    assert len(chunks) > 4
    for chunk in chunks:
        assert (chunk.span_start, chunk.span_end) == (1, 1)
        assert len(chunk.content) <= PIECE_LIMIT
        assert chunk.content.rstrip().endswith(".")


def test_equal_facts_and_chunks_keep_ids_apart() -> None:
    text = "# Summary\n\n- A: b\n- A: b\n\n# Summary\n\n- A: b\n"
    found = _extract(text)
    ids = [r.record_id for r in found.records]
    assert len(ids) == len(set(ids))


def test_inserted_lines_do_not_change_the_ids_of_the_rest() -> None:
    before = {r.record_id for r in _extract("# A\n\nOne.\n\n## B\n\nTwo.\n").records}
    after = {r.record_id for r in _extract("# A\n\nOne.\n\n\n\n## B\n\nTwo.\n").records}
    assert before == after
    elsewhere = {r.record_id for r in _extract("# A\n\nOne.\n", "docs/b.md").records}
    assert not before & elsewhere


@pytest.mark.parametrize(
    "text",
    [
        "[" * 60_000,
        "[a](" * 20_000,
        "**a" * 20_000,
        "<a" * 30_000,
        "`a" * 30_000,
        "*a_b*" * 15_000,
        "- a: " * 15_000,
        "a. " * 30_000,
        "## Сценарий\n\n" + "**Триггер**: x\n" * 6_000,
        "## Integrations\n\n" + "### A\n" * 6_000,
        "---\nlinks:\n" + '  - "\\u0041"\n' * 4_000 + "---\n",
        "---\nrelated_docs: [" + "x, " * 5_000 + "x]\n---\n",
        "# A\n" * 6_000,
    ],
    ids=lambda text: text[:12].strip(),
)
def test_hostile_text_takes_linear_time(text: str) -> None:
    doc = parse("docs/a.md", text.encode(), docs_root="docs")
    if not isinstance(doc, ParsedDocument):
        return
    started = time.process_time()
    extract(doc)
    assert time.process_time() - started < 2
