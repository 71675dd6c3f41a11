"""How written words are cut into the words they are found by."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from docs_agent.core.text import name_key, stems, tokens

CASES: list[dict[str, Any]] = yaml.safe_load(
    (Path(__file__).parent / "cases" / "identifiers.yml").read_text(encoding="utf-8")
)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["written"])
def test_identifier_is_cut_into_its_words(case: dict[str, Any]) -> None:
    (token,) = tokens(case["written"])
    assert list(token.parts) == case["parts"]


@pytest.mark.parametrize(
    ("one", "other"),
    [("ADRs", "ADR"), ("SLAs", "SLA"), ("PRs", "pr"), ("OAuth2", "oauth2"), ("iPhones", "iphone")],
)
def test_spellings_of_one_name_are_one_name(one: str, other: str) -> None:
    assert name_key(one) == name_key(other)
    assert set(stems(one)) & set(stems(other))


def test_the_plural_of_an_acronym_is_a_plain_word() -> None:
    (token,) = tokens("ADRs")
    assert not token.is_identifier
