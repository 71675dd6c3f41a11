"""How far the words of a question decide which section answers."""

from __future__ import annotations

import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

from answers_index import build  # noqa: E402

from docs_agent.core.layers import D0  # noqa: E402
from docs_agent.core.store.protocol import RowFilter  # noqa: E402
from docs_agent.core.text import stems  # noqa: E402
from docs_agent.retrieval.answers.passages import passages, ranked  # noqa: E402
from docs_agent.retrieval.answers.quotes import Quotes  # noqa: E402
from docs_agent.retrieval.answers.terms import Term, Terms  # noqa: E402

PAGE = """# Шторы

## Утро

Шторы открываются на рассвете.

## Моторы

Моторам нужно масло раз в год.
"""


def _first(tmp_path: Path, word: str, sure: float) -> str:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "page.md").write_text(PAGE, encoding="utf-8")
    stem = stems(word)[0]
    terms = Terms((Term(stem, 1.0, frozenset({stem})),))
    store = build(tmp_path, "docs", tmp_path / "i.db")
    with store.read("default") as reader:
        rows = reader.rows_of(RowFilter(layers=(D0,), paths=("docs/page.md",)))
        found = passages(Quotes(reader), "docs/page.md", "Шторы")
        title = ranked(found, terms, rows, sure)[0].title
    store.close()
    return title


def test_words_that_are_known_choose_the_section(tmp_path: Path) -> None:
    assert _first(tmp_path, "масло", 1.0) == "Моторы"


def test_few_known_words_leave_the_choice_to_retrieval(tmp_path: Path) -> None:
    assert _first(tmp_path, "масло", 0.05) == "Утро"
