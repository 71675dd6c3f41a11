"""The question files: enough of every sort, and mistakes in them are named."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from quality_questions import BadQuestion, holds, load_questions

GOOD = """
- id: short-port
  lang: en
  kind: short
  query: 'which port?'
  gold: [architecture/overview.md]
  answer_contains: ['8080']
"""


def _load(folder: Path, text: str) -> None:
    (folder / "short.yml").write_text(text, encoding="utf-8")
    load_questions(folder)


def test_there_are_enough_questions_of_every_sort() -> None:
    questions = load_questions()
    assert sum(not q.unanswerable for q in questions) >= 60
    assert sum(q.unanswerable for q in questions) >= 10
    languages = Counter(q.lang for q in questions)
    assert abs(languages["ru"] - languages["en"]) <= len(questions) / 10
    assert min(Counter((q.kind, q.lang) for q in questions).values()) >= 4


def test_every_document_of_the_sample_is_asked_for() -> None:
    from quality_questions import DOCS

    asked = {path for q in load_questions() for path in q.gold}
    assert asked >= {p.relative_to(DOCS).as_posix() for p in DOCS.rglob("*.md")}


def test_a_good_question_is_read(tmp_path: Path) -> None:
    _load(tmp_path, GOOD)


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("  lang: en", "  lang: en\n  golden: yes", "short-port: unknown key golden"),
        ("  query: 'which port?'", "", "short-port: query is missing"),
        ("  lang: en", "  lang: de", "lang must be ru or en"),
        ("kind: short", "kind: steps", "kind must be short, the name of the file"),
        ("overview.md", "nowhere.md", "there is no document architecture/nowhere.md"),
        ("'8080'", "'8081'", "no gold document says `8081`"),
        ("'8080'", "8080", "put numbers into quotes"),
        ("  gold: [architecture/overview.md]", "", "gold is missing"),
        ("  lang: en", "  lang: en\n  unanswerable: true", "has no gold and no answer"),
        ("id: short-port", "id: 17", "id must be text"),
    ],
)
def test_a_mistake_is_named_with_its_question(
    old: str, new: str, told: str, tmp_path: Path
) -> None:
    with pytest.raises(BadQuestion, match=r"short\.yml: ") as caught:
        _load(tmp_path, GOOD.replace(old, new))
    assert told in str(caught.value)


def test_an_id_may_be_used_once(tmp_path: Path) -> None:
    with pytest.raises(BadQuestion, match="short-port: this id is used twice"):
        _load(tmp_path, GOOD + GOOD)


def test_wanted_strings_are_looked_for_without_code_marks_and_letter_case() -> None:
    assert holds("The key `Idempotency-Key`\nlives **24 hours**", (("idempotency-key lives 24",),))
    assert holds("at most five attempts", (("5 attempts", "five attempts"),))
    assert not holds("at most five attempts", (("five",), ("six",)))
