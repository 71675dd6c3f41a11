"""Questions from the route to the answer over a small project, in Russian and English."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from docs_agent.core.config import Config
from docs_agent.core.embed.none import NoEmbedder
from docs_agent.core.router_config import RouterConfig
from docs_agent.core.store.sqlite import open_store
from docs_agent.indexers.run import run_index
from docs_agent.indexers.run_report import IndexRequest, NoProgress
from docs_agent.retrieval.ask import Scope, Tools, answer_question

BOOKING = """---
id: api.cancel_booking
title: Снять бронь
doc_type: api_method
endpoint: DELETE /bookings/{id}
---
# Снять бронь

## Summary

- Назначение: снимает бронь и освобождает стол

## Details

### Технический use case

**Актор:** гость

#### Основной сценарий

1. Проверить, что до ужина больше двух часов.
2. Перевести бронь в статус `cancelled`.
3. Освободить стол.
"""
MAILER = """---
id: logic.mailer
title: Mailer
doc_type: logic_block
---
# Mailer

## Summary

- Purpose: sends letters to guests

## Details

Every letter is sent once. A paid table is confirmed by letter.
"""
TABLE = """---
id: domain.table
title: Столик
doc_type: domain_entity
---
# Столик

## Summary

- Назначение: место в зале, за которое сажают гостей
- Жизненный цикл: свободно, накрыто
"""
STAFF = """# Staff

| Part | Task | Owner |
|------|------|-------|
| Mailer | sends letters | Post team |
| Kitchen | cooks | Chef |

Washup of dishes: every hour.
"""
PAGES = {
    "docs/README.md": "# Tavern\n\nTavern books tables for guests of a restaurant.\n",
    "docs/cancel.md": BOOKING,
    "docs/mailer.md": MAILER,
    "docs/hall.md": "# Зал\n\nСтол у окна держат для гостей с бронью.\n\nСтол моют каждый вечер.\n",
    "docs/table.md": TABLE,
    "docs/staff.md": STAFF,
    "docs/changelog.md": "# Changelog\n\n## 1.2\n\nPhones are checked.\n",
}


@pytest.fixture(scope="module")
def tools(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tools]:
    root: Path = tmp_path_factory.mktemp("tavern")
    (root / "docs").mkdir()
    for path, text in PAGES.items():
        (root / path).write_text(text, encoding="utf-8")
    store = open_store(root / "index.db", create=True)
    request = IndexRequest(root=root, db=root / "index.db", config=Config())
    run_index(request, store, NoEmbedder(), NoProgress())
    with store.read("default") as reader:
        yield Tools(store, reader, NoEmbedder(), None, RouterConfig())


def said(tools: Tools, question: str) -> str:
    return answer_question(question, tools, Scope()).text


@pytest.mark.parametrize(
    ("question", "unknown", "known"),
    [
        ("какая цена у брони стола", "цена", "брони"),
        ("what is the price of a paid table", "price", "table"),
    ],
)
def test_a_refusal_names_only_words_that_no_document_has(
    tools: Tools, question: str, unknown: str, known: str
) -> None:
    text = said(tools, question)
    first = text.split("\n")[0]
    assert f"«{unknown}»" in first or f"“{unknown}”" in first, text
    assert known not in first


@pytest.mark.parametrize("question", ["как снять бронь", "how to снять бронь"])
def test_how_to_do_what_a_page_has_steps_for_gives_the_steps(tools: Tools, question: str) -> None:
    lines = [line.strip() for line in said(tools, question).split("\n")]
    assert any(line.startswith("1. Проверить, что до ужина") for line in lines)
    assert any(line.startswith("3. Освободить стол.") for line in lines)


@pytest.mark.parametrize(
    ("question", "line"),
    [
        ("what is the mailer", "Mailer: sends letters to guests"),
        ("что такое «Снять бронь»", "Снять бронь: снимает бронь и освобождает стол"),
    ],
)
def test_an_answer_begins_with_its_subject(tools: Tools, question: str, line: str) -> None:
    assert said(tools, question).startswith(line)


@pytest.mark.parametrize("question", ["what is this documentation about", "о чём документация"])
def test_an_overview_leaves_the_list_of_changes_out(tools: Tools, question: str) -> None:
    text = said(tools, question)
    assert "Tavern books tables" in text
    assert "Changelog" not in text
    assert "Phones are checked" not in text


def test_who_owns_a_thing_is_told_by_the_row_of_a_table_elsewhere(tools: Tools) -> None:
    text = said(tools, "who owns the mailer")
    assert "Post team" in text
    assert "Chef" not in text


def test_what_the_opening_says_is_not_said_again(tools: Tools) -> None:
    assert said(tools, "what does the mailer send").count("sends letters to guests") == 1


def test_two_words_are_found_where_the_page_writes_one(tools: Tools) -> None:
    answer = answer_question("how to wash up the dishes after dinner", tools, Scope())
    assert answer.gate.passed
    assert "Washup of dishes: every hour." in answer.text
