"""One vector is stored alike with NumPy and without."""

from __future__ import annotations

import math
from array import array

from hypothesis import given, settings
from hypothesis import strategies as st

from docs_agent.core.embed.protocol import floats
from docs_agent.core.store.codec import quantise, quantise_one

_VECTORS = st.lists(st.floats(-1, 1, width=32), min_size=1, max_size=40)


@settings(max_examples=200, deadline=None, derandomize=True)
@given(_VECTORS)
def test_one_vector_is_quantised_as_among_many(vector: list[float]) -> None:
    (among,) = quantise([array("f", vector).tobytes()])
    alone = quantise_one(vector)
    if among is None or alone is None:
        assert among is alone
        return
    # Single precision may round a value that lies between two steps to the other one.
    pairs = zip(array("b", among), array("b", alone), strict=True)
    assert all(abs(a - b) <= 1 for a, b in pairs)


def test_a_vector_without_direction_is_none() -> None:
    for vector in ([0.0, 0.0], [math.nan, 1.0], [math.inf, 1.0], []):
        assert quantise_one(vector) is None


@given(_VECTORS)
@settings(max_examples=50, deadline=None, derandomize=True)
def test_cached_vectors_are_read_as_they_were_written(vector: list[float]) -> None:
    assert list(floats(array("f", vector).tobytes())) == vector
