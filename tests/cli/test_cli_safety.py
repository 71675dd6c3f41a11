"""Nothing that a document or a question holds reaches the terminal as a command."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docs_agent.cli.console import print_json
from docs_agent.cli.lines import columns
from docs_agent.core.visible import readable, visible, visible_line


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
        ("\u200fאב\u061c", "\\u200fאב\\u061c"),
        ("bad\udcff", "bad\\udcff"),
        ("zero\u200bwidth\u2060\ufeff", "zero\\u200bwidth\\u2060\\ufeff"),
        ("one\u2028line", "one\\u2028line"),
        ("می\u200cخواهم 👩\u200d💻", "می\u200cخواهم 👩\u200d💻"),
    ],
)
def test_control_characters_are_written_out(text: str, shown: str) -> None:
    assert visible(text) == shown


@pytest.mark.parametrize(
    "char", [*"\u00ad\u180e\u200b\u2060\u2061\u2062\u2063\u2064\u206a\ufeff\ufff9"]
)
def test_what_takes_no_room_is_left_out_of_what_is_read(
    char: str, capsys: pytest.CaptureFixture[str]
) -> None:
    text = f"{char}se{char}cret"
    assert readable(text) == "secret"
    assert columns([(text, "x")]) == ["secret  x"]
    assert char not in visible(text)
    print_json({"query": text}, indent=None)
    printed = capsys.readouterr().out
    assert char not in printed
    assert json.loads(printed) == {"query": text}


def test_what_is_read_has_no_commands_either() -> None:
    assert readable("a\x1b[31m\u202e\udcff") == "a\\x1b[31m\\u202e\\udcff"


def test_a_visible_line_is_one_line() -> None:
    assert visible_line("a\r\nb\nc\td") == "a\\nb\\nc\td"


@pytest.mark.parametrize(
    "char", [*"\u00ad\u180e\u200b\u2060\u2061\u2062\u2063\u2064\u206a\ufeff\ufff9"]
)
def test_what_takes_no_room_is_left_out_of_lines_and_kept_in_json(
    char: str, capsys: pytest.CaptureFixture[str]
) -> None:
    text = f"{char}se{char}cret сек{char}рет"
    assert readable(text) == "secret секрет"
    assert columns([(text, "x")]) == ["secret секрет  x"]
    print_json({"query": text}, indent=None)
    printed = capsys.readouterr().out
    assert char not in printed
    assert json.loads(printed) == {"query": text}


@pytest.mark.parametrize("text", ["👩\u200d💻 ❤\ufe0f", "می\u200cخواهم", "e\u0301 – é"])
def test_what_joins_characters_into_one_stays(text: str) -> None:
    assert readable(text) == text


def test_json_escapes_what_would_reorder_or_command_and_means_the_same(
    capsys: pytest.CaptureFixture[str],
) -> None:
    text = "a\u202eb\u2066c\u200f\x9b31m\x7f\x1b]0; обычный – é 漢 👍"
    print_json({"query": text}, indent=None)
    printed = capsys.readouterr().out
    assert json.loads(printed) == {"query": text}
    assert all(c.isprintable() or c == "\n" for c in printed)
    assert "обычный – é 漢 👍" in printed


def test_a_terminal_that_says_it_has_no_columns_is_written_to() -> None:
    ours, theirs = pty.openpty()
    code = "from docs_agent.cli.console import print_lines; print_lines([(('said', ''),)])"
    env = {**os.environ, "COLUMNS": "0", "TERM": "xterm", "NO_COLOR": ""}
    subprocess.run([sys.executable, "-c", code], stdout=theirs, env=env, timeout=60, check=True)
    os.close(theirs)
    assert b"said" in os.read(ours, 1000)
    os.close(ours)


@settings(max_examples=200, deadline=None, derandomize=True)
@given(st.text(st.characters(codec=None)))
def test_safe_text_is_utf8_without_controls(text: str) -> None:
    shown = visible(text)
    shown.encode("utf-8")
    assert not any((ord(c) < 0x20 and c not in "\n\t") or 0x7F <= ord(c) <= 0x9F for c in shown)


def test_columns_align_and_keep_one_line_per_row() -> None:
    assert columns([("a", "bb", "c"), ("aaa", "b", "long\nvalue")]) == [
        "a    bb  c",
        "aaa  b   long value",
    ]
