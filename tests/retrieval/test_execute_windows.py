"""Sentence windows of records."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from docs_agent.core.rows import Row
from docs_agent.retrieval.rerank_windows import MAX_SENTENCE, WINDOW, windows


def row(content: str, heading: str = "Valves") -> Row:
    return Row(1, "docs/a.md", content, "D0_DOC_CHUNKS", heading, "en", "", "", 1, 1)


def test_every_window_begins_with_the_heading() -> None:
    text = " ".join(f"Sentence number {n} says that the valve closes." for n in range(20))
    found = windows(row(text))
    assert len(found) > 2
    assert all(w.startswith("Valves. Sentence number") for w in found)
    assert all(len(w) <= WINDOW + len("Valves. ") for w in found)


def test_markup_is_left_out_and_its_text_kept() -> None:
    found = windows(row("See **the** [manual](http://x.y/z) and <b>close</b> `it`.\n\n| a | b |"))
    assert found == ("Valves. See the manual and close it . a b",)


def test_a_list_is_cut_between_its_items() -> None:
    items = "\n".join(f"- Item {n} " + "word " * 40 for n in range(3))
    assert len(windows(row(items))) == 3


def test_an_empty_record_is_its_heading() -> None:
    assert windows(row("")) == ("Valves.",)


@given(st.text(max_size=3000), st.text(max_size=50))
@settings(max_examples=200, deadline=None, derandomize=True)
def test_any_text_gives_windows_of_bounded_length(text: str, heading: str) -> None:
    found = windows(row(text, heading))
    assert found
    assert all(len(w) <= len(heading) + 2 + WINDOW + MAX_SENTENCE for w in found)


def test_cutting_takes_linear_time() -> None:
    for nasty in ("[" * 200_000, "<a" * 100_000, "\n " * 100_000, "*" * 200_000, "![](" * 50_000):
        assert windows(row(nasty))
