"""Fingerprints stay while the file changes elsewhere; the baseline hides what it knows."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lint_samples import finding

from docs_agent.core.errors import ConfigError
from docs_agent.lint.baseline import apply, read_baseline, write_baseline
from docs_agent.lint.finding import ERROR, Finding, Span
from docs_agent.lint.fingerprint import with_fingerprints

WORDS = st.sampled_from(["bad", "bad bad", "fine", "", "плохо bad", "  bad"])


def check(lines: list[str]) -> tuple[Finding, ...]:
    """A finding per line with `bad`, whose message names a line; one of the whole file."""
    found = [Finding("a.md", Span(1, 1, 1, 1), "DOC001", "whole", ERROR, "of the whole file")]
    for number, line in enumerate(lines, 1):
        if "bad" in line:
            place = Span(number, line.index("bad") + 1, number, line.index("bad") + 4)
            message = f"as on line {number}, or a.md:{number}:1"
            found.append(Finding("a.md", place, "DOC002", "bad", ERROR, message))
    return with_fingerprints(found, lambda path: lines)


def prints(lines: list[str]) -> set[str]:
    return {item.fingerprint for item in check(lines)}


@settings(deadline=None)
@given(st.lists(WORDS, max_size=8), st.lists(st.just("fine"), max_size=3), st.integers(0, 8))
def test_inserted_lines_change_no_fingerprint(
    lines: list[str], inserted: list[str], at: int
) -> None:
    assert prints([*lines[:at], *inserted, *lines[at:]]) == prints(lines)


@settings(deadline=None)
@given(st.lists(WORDS, max_size=8), WORDS, st.integers(0, 8))
def test_one_more_line_adds_at_most_its_own_fingerprint(
    lines: list[str], line: str, at: int
) -> None:
    before, after = prints(lines), prints([*lines[:at], line, *lines[at:]])
    assert before <= after
    assert len(after) - len(before) == ("bad" in line)


@given(st.lists(WORDS, max_size=8))
def test_fingerprints_are_unique_in_a_run(lines: list[str]) -> None:
    found = check(lines)
    assert len({item.fingerprint for item in found}) == len(found)


def test_blanks_and_the_form_of_letters_do_not_count() -> None:
    assert prints(["bad  й"]) == prints(["bad й "])


@pytest.mark.parametrize(
    "other",
    [{"path": "b.md"}, {"code": "DOC002"}, {"message": "status 404"}, {"at": "2:1-2:2"}],
    ids=str,
)
def test_path_rule_message_and_line_count(other: dict[str, Any]) -> None:
    facts = {"at": "1:1-1:2", "message": "status 403"}
    found = [finding(facts), finding({**facts, **other})]
    one, two = with_fingerprints(found, lambda path: ["first", "second"])
    alone = with_fingerprints([finding({**facts, **other})], lambda path: ["first", "second"])
    assert one.fingerprint != two.fingerprint
    assert alone[0].fingerprint in {one.fingerprint, two.fingerprint}


def known(lines: list[str], path: Path) -> tuple[Finding, ...]:
    found = check(lines)
    write_baseline(path, found)
    return found


def test_what_the_baseline_knows_is_hidden(tmp_path: Path) -> None:
    path = tmp_path / "baseline.json"
    known(["bad", "плохо bad"], path)
    now = check(["bad bad", "fine", "плохо bad", "bad"])
    applied = apply(now, read_baseline(path), {"a.md"})
    assert [item.span.line for item in applied.new] == [1]
    assert (applied.hidden, applied.stale) == (3, ())


def test_entries_no_longer_found_are_stale_where_somebody_looked(tmp_path: Path) -> None:
    path = tmp_path / "baseline.json"
    known(["bad"], path)
    entries = read_baseline(path)
    now = check(["fine"])
    assert [entry.code for entry in apply(now, entries, {"a.md"}).stale] == ["DOC002"]
    assert apply(now, entries, {"b.md"}).stale == ()


def test_a_baseline_has_one_finding_per_line_and_an_order_of_its_own(tmp_path: Path) -> None:
    one, two = tmp_path / "1.json", tmp_path / "2.json"
    found = known(["bad", "bad bad"], one)
    write_baseline(two, reversed(found))
    assert one.read_bytes() == two.read_bytes()
    lines = one.read_text(encoding="utf-8").splitlines()
    assert len(lines) == len(found) + 2
    assert json.loads(one.read_bytes())["version"] == 1
    write_baseline(one, ())
    assert read_baseline(one) == ()


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"\xff\xfe", "not UTF-8"),
        (b"{", "not JSON"),
        (b"[" * 200_000, "not one that this tool wrote"),
        (b'{"version": ' + b"1" * 5000 + b"}", "not one that this tool wrote"),
        (b"[]", "no `version`"),
        (b'{"version": true}', "no `version`"),
        (b'{"version": 2, "findings": []}', "version 2"),
        (b'{"version": 1, "findings": {}}', "not a list"),
        (b'{"version": 1, "findings": [7]}', "finding 1"),
        (b'{"version": 1, "findings": [{"path": "a"}]}', "no `code`"),
    ],
)
def test_a_baseline_that_cannot_be_used_is_told(data: bytes, told: str, tmp_path: Path) -> None:
    path = tmp_path / "baseline.json"
    path.write_bytes(data)
    with pytest.raises(ConfigError) as caught:
        read_baseline(path)
    assert told in caught.value.message
    assert caught.value.path == str(path)
    assert "--write-baseline" in caught.value.remedy


def test_a_baseline_that_is_no_file_is_told(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for name, told in (("none", "no such"), (".", "not a regular"), ("pipe", "not a regular")):
        with pytest.raises(ConfigError, match=told):
            read_baseline(tmp_path / name)
