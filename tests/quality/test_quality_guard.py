"""The answers over the sample are no worse than the baseline; see docs/how-to/measure.md."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from measure import (
    Outcome,
    changes,
    figures,
    outcome,
    read_baseline,
    regressions,
    report,
    run,
    slices,
    statements,
)
from quality_questions import Question, load_questions

REMEDY = "\nWhen this is meant, run `python tests/quality/measure.py --write` and commit."


def test_the_answers_are_no_worse_than_the_baseline(won: list[str]) -> None:
    questions, before = load_questions(), read_baseline()
    assert {q.id for q in questions} == set(before), "the baseline has other questions." + REMEDY
    now = run(questions)
    lost, better = changes(questions, now, before)
    worse = regressions(questions, now, before)
    assert not worse, "\n".join(["", *worse, report(lost, better)]) + REMEDY
    won += better


GOOD = Outcome(rank=1, answered=True, complete=True, citations=2, opening=2, lines=4)
REFUSED = Outcome(rank=None, answered=False, complete=None, citations=0, opening=0, lines=None)


def _question(number: int, kind: str, *, absent: bool = False) -> Question:
    gold = () if absent else ("README.md",)
    return Question(f"{kind}-{number}", "why?", "en", kind, gold, (), absent)


QUESTIONS = [_question(n, kind) for kind in ("short", "steps", "typo") for n in range(20)] + [
    _question(n, "absent", absent=True) for n in range(60)
]
BEFORE = {q.id: REFUSED if q.unanswerable else GOOD for q in QUESTIONS}


def test_the_same_outcomes_are_no_regression() -> None:
    assert regressions(QUESTIONS, BEFORE, BEFORE) == []
    assert changes(QUESTIONS, BEFORE, BEFORE) == ([], [])


def test_one_question_lost_in_a_slice_is_told_but_does_not_fail() -> None:
    now = {**BEFORE, "short-3": replace(GOOD, rank=2)}
    assert regressions(QUESTIONS, now, BEFORE) == []
    lost, won = changes(QUESTIONS, now, BEFORE)
    assert lost == ["short-3: found first (place 1 → 2)  «why?»"]
    assert won == []


def test_two_questions_lost_in_a_slice_fail() -> None:
    now = {**BEFORE, **{f"short-{n}": replace(GOOD, rank=2) for n in range(2)}}
    told = regressions(QUESTIONS, now, BEFORE)
    assert "short: R@1 1.000 → 0.900" in told
    assert not any("R@3" in line for line in told)


def test_absent_answered_and_present_refused_get_worse_by_going_up() -> None:
    absent = {f"absent-{n}": replace(REFUSED, answered=True) for n in range(3)}
    told = regressions(QUESTIONS, {**BEFORE, **absent}, BEFORE)
    assert "all: absent answered 0.000 → 0.050" in told
    assert not regressions(QUESTIONS, BEFORE, {**BEFORE, **absent})
    refused = {f"typo-{n}": replace(GOOD, answered=False) for n in range(2)}
    assert "typo: present refused 0.000 → 0.100" in regressions(
        QUESTIONS, {**BEFORE, **refused}, BEFORE
    )


def test_a_won_question_is_told() -> None:
    before = {**BEFORE, "absent-1": replace(REFUSED, answered=True)}
    assert changes(QUESTIONS, BEFORE, before) == ([], ["absent-1: refused  «why?»"])
    assert regressions(QUESTIONS, BEFORE, before) == []


def test_figures_leave_out_what_applies_to_no_question() -> None:
    absent = slices(QUESTIONS)["absent"]
    assert figures(absent, BEFORE) == {"absent answered": 0.0}
    assert figures(slices(QUESTIONS)["short"], BEFORE)["citations open"] == 1.0


def test_a_statement_reaches_down_to_the_next_mark_or_heading() -> None:
    said = statements("One [1]\nFields: [2]\n| a |\nOthers:\n- b\nTwo [1][3]")
    assert said == {1: "\nOne \nTwo ", 2: "\nFields: \n| a |", 3: "\nTwo "}


@pytest.mark.parametrize(
    ("path", "first", "last", "opening"),
    [
        ("docs/a.md", 1, 1, 1),
        ("docs/a.md", 2, 2, 0),  # other words
        ("docs/a.md", 1, 9, 0),  # past the end
        ("docs/b.md", 1, 1, 0),  # no such document
        ("../a.md", 1, 1, 0),  # outside the project
    ],
)
def test_a_citation_opens_lines_that_say_it(
    path: str, first: int, last: int, opening: int, tmp_path: Path
) -> None:
    project = tmp_path / "project"
    (project / "docs").mkdir(parents=True)
    for file in (project / "docs" / "a.md", tmp_path / "a.md"):
        file.write_text("The port is 8080.\nNothing else here.\n", encoding="utf-8")
    answer = {
        "answer": "The port is 8080 [1]",
        "answer_mode": "grounded_summary",
        "gate": {"passed": True},
        "ranked_paths": ["docs/b.md", "docs/a.md"],
        "citations": [{"n": 1, "path": path, "start_line": first, "end_line": last}],
    }
    question = Question("q", "port?", "en", "short", ("a.md",), (("8080",),), False)
    got = outcome(question, answer, project)
    assert got == Outcome(2, True, True, citations=1, opening=opening, lines=1)
