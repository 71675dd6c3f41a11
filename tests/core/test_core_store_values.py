"""Pure functions under the store, over any input."""

from __future__ import annotations

import math
import struct

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docs_agent.core.layers import D0
from docs_agent.core.records import FileRecords, IndexWarning, KnownName, LexicalText, Record
from docs_agent.core.store import codec, content
from docs_agent.core.store.filters import after_prefix
from docs_agent.core.text import stem, stems, tokens

ANY = settings(max_examples=60, deadline=None, derandomize=True)
whole = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
anything = st.text(max_size=40)
near = st.text("ab/\ud7ff\ue000\U0010ffff", max_size=3)


@ANY
@given(near | whole, near | whole, near | whole)
def test_range_of_a_prefix_holds_exactly_what_starts_with_it(
    prefix: str, tail: str, other: str
) -> None:
    end = after_prefix(prefix)
    for text in (prefix + tail, other, tail):
        inside = prefix <= text and (not end or text < end)
        assert inside == text.startswith(prefix)
        assert (prefix <= text) == (prefix.encode() <= text.encode())


@ANY
@given(st.lists(st.tuples(anything, anything, anything, anything), max_size=4))
def test_file_content_survives_the_cache(texts: list[tuple[str, str, str, str]]) -> None:
    made = FileRecords(
        "a.md",
        "h",
        tuple(
            Record(a, D0, b, c, 1, 2, "ru", {"domain": d, a: [b, None]}, LexicalText(a, b, c, d))
            for a, b, c, d in texts
        ),
        tuple(KnownName("alias", a, b, "a.md") for a, b, _, _ in texts),
        tuple(IndexWarning("a.md", 1, a, b) for a, b, _, _ in texts),
    )
    vectors = [struct.pack("<3f", 1, i, -2) if i % 2 else None for i in range(len(texts))]
    before = content.from_records(made, vectors)
    assert content.from_parts(*content.to_parts(before)) == before


@ANY
@given(st.lists(st.floats(-10, 10, width=32), min_size=4, max_size=64))
def test_quantised_vector_points_the_same_way(components: list[float]) -> None:
    (small,) = codec.quantise([struct.pack(f"<{len(components)}f", *components)])
    if small is None:
        assert not any(components)
        return
    made = struct.unpack(f"{len(small)}b", small)
    dot = sum(x * y for x, y in zip(components, made, strict=True))
    assert dot / (math.hypot(*components) * math.hypot(*made)) == pytest.approx(1, abs=0.005)


@ANY
@given(anything | st.text("aB/_{}.'-ё1 +#:", max_size=40))
def test_stems_are_the_whole_and_the_parts_of_each_token(text: str) -> None:
    expected = []
    for token in tokens(text):
        expected += [token.whole] if token.is_identifier else []
        expected += [stem(part) for part in token.parts]
    assert stems(text) == expected
    assert not any(set(found) & set("\t\n ") for found in expected)
