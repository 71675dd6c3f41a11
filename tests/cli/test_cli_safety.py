"""Nothing that a document or a question holds reaches the terminal as a command."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docs_agent.cli.lines import columns, safe


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain текст\tand\nlines", "plain текст\tand\nlines"),
        ("\x1b[31mred\x1b[0m", "\\x1b[31mred\\x1b[0m"),
        ("title\x1b]0;owned\x07", "title\\x1b]0;owned\\x07"),
        ("a\rb", "a\\x0db"),
        ("a\r\nb", "a\nb"),
        ("\x9b31m", "\\x9b31m"),
        ("\x7f\x00", "\\x7f\\x00"),
        ("abc\u202egnp.exe", "abc\\u202egnp.exe"),
        ("\u2066x\u2069", "\\u2066x\\u2069"),
        ("bad\udcff", "bad\\udcff"),
    ],
)
def test_control_characters_are_written_out(text: str, shown: str) -> None:
    assert safe(text) == shown


@settings(max_examples=200, deadline=None, derandomize=True)
@given(st.text(st.characters(codec=None)))
def test_safe_text_is_utf8_without_controls(text: str) -> None:
    shown = safe(text)
    shown.encode("utf-8")
    assert not any((ord(c) < 0x20 and c not in "\n\t") or 0x7F <= ord(c) <= 0x9F for c in shown)


def test_columns_align_and_keep_one_line_per_row() -> None:
    assert columns([("a", "bb", "c"), ("aaa", "b", "long\nvalue")]) == [
        "a    bb  c",
        "aaa  b   long value",
    ]
