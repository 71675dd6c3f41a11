"""Diffs are applied by git itself."""

from __future__ import annotations

import os
import subprocess
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docs_agent.lint.diff import diff, visible_diff
from docs_agent.lint.line_matching import matching_lines

LONG = b"".join(b"line %d\n" % number for number in range(40))
CHANGES = {
    "one line": (b"a\nb\nc\n", b"a\nB\nc\n"),
    "far apart": (LONG, LONG.replace(b"line 3\n", b"").replace(b"line 30\n", b"line\nnew\n")),
    "no line feed before": (b"a\nb", b"a\nb\n"),
    "no line feed after": (b"a\nb\n", b"a\nb"),
    "no line feed at all": (b"a", b"b"),
    "context without line feed": (b"a\nb", b"A\nb"),
    "crlf": (b"a\r\nb\r\n", b"a\r\nB\r\n"),
    "crlf to lf": (b"a\r\nb\n", b"a\nb\n"),
    "lone cr": (b"a\rb\nc", b"a\rB\nc"),
    "other separators": ("a\u2028b\x0cc\x85\n".encode(), "a\u2028B\x0cc\x85\n".encode()),
    "byte order mark": (b"\xef\xbb\xbfa\n", b"a\n"),
    "from empty": (b"", b"a\n"),
    "to empty": (b"a\n", b""),
    "no utf-8": (b"\xff\n", b"\xfe\n"),
    "lines that look like a diff": (b"--- a/x\n+++ b/x\n", b"-- a/x\n+++ b/y\n"),
}


def applied(path: str, before: bytes, after: bytes, folder: Path) -> bytes:
    file = folder / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(before)
    env = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    subprocess.run(
        ["git", "apply", "--whitespace=nowarn", "-"],
        input=diff(path, before, after), cwd=folder, env=env, check=True, timeout=60,
    )  # fmt: skip
    return file.read_bytes()


@pytest.mark.parametrize("name", CHANGES)
def test_git_applies_a_change(name: str, tmp_path: Path) -> None:
    before, after = CHANGES[name]
    assert applied("docs/a.md", before, after, tmp_path) == after


@pytest.mark.parametrize(
    "path",
    ["a.md", "docs/два слова.md", 'q"uo\\te.md', "tab\there.md", "new\nline.md", "é\x7f.md"],
)
def test_git_finds_a_file_of_any_name(path: str, tmp_path: Path) -> None:
    assert applied(path, b"a\n", b"b\n", tmp_path) == b"b\n"


@settings(max_examples=15, deadline=None)
@given(*[st.lists(st.sampled_from([b"a", b"b", b"\n", b"\r\n"]), max_size=12).map(b"".join)] * 2)
def test_git_applies_any_change(
    tmp_path_factory: pytest.TempPathFactory, before: bytes, after: bytes
) -> None:
    if before != after:
        assert applied("a.md", before, after, tmp_path_factory.mktemp("any")) == after


@settings(deadline=None)
@given(*[st.lists(st.sampled_from("abcdef"), max_size=30)] * 2)
def test_matching_lines_are_equal_and_in_order(old: list[str], new: list[str]) -> None:
    pairs = matching_lines(old, new)
    assert all(old[i] == new[j] for i, j in pairs)
    assert all(i < k and j < m for (i, j), (k, m) in pairwise(pairs))


def test_lines_moved_by_an_insertion_match() -> None:
    old = [f"line {number}" for number in range(1000)]
    assert matching_lines(old, ["new", *old]) == [(n, n + 1) for n in range(1000)]
    assert len(matching_lines(old, [*old[:500], "new", *old[501:700], *old[710:]])) == 989


def test_a_hundred_thousand_repeating_lines_take_no_time() -> None:
    before = b"".join(b"line %d\r\n" % (number % 997) for number in range(100_000))
    after = before.replace(b"line 5\r\n", b"changed\r\n")
    assert diff("a.md", before, after).count(b"\n@@") == before.count(b"line 5\r\n")


def test_no_change_is_no_diff() -> None:
    assert diff("a.md", b"a\r\n", b"a\r\n") == b""


def test_a_terminal_shows_a_diff_without_commands() -> None:
    shown = visible_diff(diff("a.md", b"\xef\xbb\xbfa\x1b[31m\n", b"a\x1b[31m\n"))
    assert shown[-2:] == ("-\\ufeffa\\x1b[31m", "+a\\x1b[31m")


def test_carriage_returns_are_shown_where_they_are_the_change() -> None:
    assert visible_diff(diff("a.md", b"a\r\nb\n", b"a\nb\n"))[-3:] == ("-a\\x0d", "+a", " b")
    assert visible_diff(diff("a.md", b"a\r\nb\r\n", b"a\r\nB\r\n"))[-3:] == (" a", "-b", "+B")
