"""The case files as a whole: enough of them, both languages alike, no route left out."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from docs_agent.router.catalogue import ROUTES

_CASES = Path(__file__).parent / "cases"
_MANY = 200
_OF_A_ROUTE = 5
_LEAST_SHARE = 0.9
"""Of the language that has fewer cases against the other."""


@cache
def _cases_in(path: Path) -> list[dict[str, Any]]:
    cases: list[dict[str, Any]] = yaml.safe_load(path.read_text(encoding="utf-8"))["cases"]
    return cases


def _of(pattern: str) -> list[dict[str, Any]]:
    return [case for path in sorted(_CASES.glob(pattern)) for case in _cases_in(path)]


def _language(query: str) -> str:
    if re.search("[а-яё]", query, re.IGNORECASE):
        return "ru"
    return "en" if re.search("[a-z]", query, re.IGNORECASE) else ""


def _balanced(cases: list[dict[str, Any]]) -> bool:
    count = Counter(_language(case["query"]) for case in cases)
    return min(count["ru"], count["en"]) >= _LEAST_SHARE * max(count["ru"], count["en"])


def test_there_are_at_least_two_hundred_cases_in_both_languages_alike() -> None:
    cases = _of("sub-*.yml") + _of("hard-*.yml")
    assert len(cases) >= _MANY
    assert _balanced(cases)
    assert _balanced(_of("*.yml"))


def test_every_row_of_the_catalogue_is_asked_for_in_both_languages() -> None:
    asked = Counter((c.get("route"), _language(c["query"])) for c in _of("*.yml"))
    missing = [
        (row.name, language)
        for row in ROUTES
        for language in ("ru", "en")
        if asked[row.name, language] < _OF_A_ROUTE
    ]
    assert missing == []


def test_no_question_is_asked_twice_in_a_file() -> None:
    for path in sorted(_CASES.glob("*.yml")):
        count = Counter(case["query"] for case in _cases_in(path))
        twice = [query for query, times in count.items() if times > 1]
        assert twice == [], path.name
