"""A reader narrowed to folders never shows what lies outside."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docs_agent.core.store.scoped import common_prefixes


@pytest.mark.parametrize(
    ("left", "right", "both"),
    [
        (("docs/api/",), ("docs/",), ("docs/api/",)),
        (("docs/",), ("docs/api/", "docs/logic/"), ("docs/api/", "docs/logic/")),
        (("docs/api/",), ("docs/logic/",), ()),
        (("docs/api/", "docs/"), ("docs/",), ("docs/api/", "docs/")),
        (("документы/",), ("документы/апи/",), ("документы/апи/",)),
    ],
)
def test_common_prefixes(
    left: tuple[str, ...], right: tuple[str, ...], both: tuple[str, ...]
) -> None:
    assert common_prefixes(left, right) == both


_PREFIXES = st.lists(st.text("ab/", max_size=4), min_size=1, max_size=3)


@settings(max_examples=300, deadline=None, derandomize=True)
@given(_PREFIXES, _PREFIXES, st.text("ab/", max_size=6))
def test_a_path_passes_both_filters_exactly_when_it_passes_the_common_one(
    left: list[str], right: list[str], path: str
) -> None:
    passes = path.startswith(tuple(left)) and path.startswith(tuple(right))
    assert path.startswith(common_prefixes(left, right) or ("\0",)) == passes
