"""The sample documentation shipped with the tool is in order."""

from __future__ import annotations

import sys
from pathlib import Path

from docs_agent.core.layers import D5
from docs_agent.core.store.protocol import RowFilter

sys.path.insert(0, str(Path(__file__).parent))

from answers_index import build

ROOT = Path(__file__).parents[2] / "examples" / "notify"


def test_sample_documentation_has_no_warning_and_every_relation_resolves(tmp_path: Path) -> None:
    store = build(ROOT, "docs", tmp_path / "index.db")
    with store.read("default") as reader:
        job = reader.last_job()
        relations = reader.rows_of(RowFilter(layers=(D5,)))
    store.close()
    assert job is not None
    assert job.warnings == ()
    unresolved = [r.metadata for r in relations if not r.metadata["resolved"]]
    assert unresolved == []
