"""Fixes change what they name and nothing else; mending ends, and a second time changes nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from lint_samples import finding, replacing

from docs_agent.lint.finding import ERROR, Edit, Finding, Fix, Span
from docs_agent.lint.fixing import make_fixes, merged_edit
from docs_agent.lint.mending import mend
from docs_agent.lint.source import Source, read_source, source_of

CASES = yaml.safe_load((Path(__file__).parent / "cases/fixes.yml").read_text(encoding="utf-8"))
TEXT = st.text(st.sampled_from("aя👍 \u2028\ufeff\x0c\n\r"), max_size=30) | st.lists(
    st.sampled_from(["a", "яя", "\r\n", "\n", "\r"]), max_size=12
).map("".join)


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_a_fix(case: dict[str, Any]) -> None:
    item = finding({"at": "1:1", "fix": {"edits": case["edits"]}})
    text, made = make_fixes(source_of(case["before"]), [item])
    assert text == case.get("after", case["before"])
    assert bool(made) == ("after" in case)


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_a_fix_as_one_replacement_is_the_same_fix(case: dict[str, Any]) -> None:
    source = source_of(case["before"])
    item = finding({"at": "1:1", "fix": {"edits": case["edits"]}})
    merged = merged_edit(source, item.fix) if item.fix else None
    assert (merged is not None) == ("after" in case)
    if merged:
        place = source.range_of(merged[0])
        assert place is not None
        after = source.text[: place[0]] + merged[1] + source.text[place[1] :]
        assert after == case["after"]


def test_text_that_is_no_utf8_is_not_written() -> None:
    fix = Fix("write it", (Edit(Span(1, 1, 1, 2), "\udcff"),))
    item = Finding("a.md", Span(1, 1, 1, 1), "DOC001", "old", ERROR, "old", fix)
    assert make_fixes(source_of("abc"), [item]) == ("abc", ())


@given(TEXT)
def test_each_place_is_found_again(text: str) -> None:
    source = source_of(text)
    places = [offset for offset in range(len(text) + 1) if is_place(source, offset)]
    for start in places:
        for end in places:
            if start <= end:
                assert source.range_of(source.span_of(start, end)) == (start, end)
    assert read_source(text.encode()) is None or source.data == text.encode()


def is_place(source: Source, offset: int) -> bool:
    if offset == 0:
        return True
    return any(a <= offset <= b for a, b in zip(source.starts, source.ends, strict=True))


@settings(deadline=None)
@given(st.data(), TEXT)
def test_text_that_no_fix_names_stays_byte_for_byte(data: st.DataObject, text: str) -> None:
    source = source_of(text)
    places = [offset for offset in range(len(text) + 1) if is_place(source, offset)]
    cuts = sorted(data.draw(st.sets(st.sampled_from(places), max_size=6)))
    expected = ""
    done = 0
    findings = []
    for start, end in zip(cuts[::2], cuts[1::2], strict=False):
        new = data.draw(st.sampled_from(["", "x", "новое", "👍"]))
        edit = Edit(source.span_of(start, end), new)
        findings.append(
            Finding("a.md", edit.span, "DOC001", "old", ERROR, "old", Fix("write", (edit,)))
        )
        expected += text[done:start] + new
        done = end
    after, _ = make_fixes(source, data.draw(st.permutations(findings)))
    assert after == expected + text[done:]


PIECES = st.text("ab", min_size=1, max_size=2)
RULES = st.lists(st.tuples(PIECES, st.text("abc", max_size=3)), max_size=4)


@settings(deadline=None, max_examples=300)
@given(st.text("abc\n", max_size=12), RULES)
def test_mending_twice_is_mending_once(text: str, rules: list[tuple[str, str]]) -> None:
    check = replacing(*rules)
    once = mend(text.encode(), check)
    assert mend(once.data, check).data == once.data
    assert once.left == tuple(sorted(check(once.data), key=lambda item: item.sort_key))


def test_fixes_that_wait_for_others_are_made_in_the_end() -> None:
    mended = mend(b"a\r\nab\n", replacing(("a", "b"), ("bb", "c")))
    assert mended.data == b"b\r\nc\n"
    assert [item.message for item in mended.made] == ["'a' is old"] * 2 + ["'bb' is old"]
    assert mended.left == ()


@pytest.mark.parametrize(
    "rules",
    [
        [("a", "aa")],
        [("a", "ba")],
        [("a", "b"), ("b", "a")],
        [("a", "b"), ("b", "c"), ("c", "a")],
    ],
    ids=str,
)
def test_a_fix_that_comes_back_is_not_made(rules: list[tuple[str, str]]) -> None:
    mended = mend(b"xax\n", replacing(*rules))
    assert len(mended.data) == len(b"xax\n")
    assert len(mended.left) == 1


def test_a_useless_fix_does_not_stop_the_others() -> None:
    mended = mend(b"a d\n", replacing(("a", "aa"), ("d", "e")))
    assert mended.data == b"a e\n"
    assert [item.message for item in mended.left] == ["'a' is old"]


def test_rules_that_never_agree_come_to_an_end() -> None:
    def grow(data: bytes) -> tuple[Finding, ...]:
        number = len(data)
        fix = Fix("grow", (Edit(Span(1, 1, 1, 1), "x" * (number % 7 + 1)),))
        return (Finding("a.md", Span(1, 1, 1, 1), "DOC001", "g", ERROR, "g" * number, fix),)

    mended = mend(b"a", grow)
    assert mended.data.endswith(b"a")


def test_unsafe_fixes_are_made_only_when_asked() -> None:
    check = replacing(("a", "b"), safe=False)
    assert mend(b"a", check).data == b"a"
    assert len(mend(b"a", check).left) == 1
    assert mend(b"a", check, unsafe=True).data == b"b"


def test_a_safe_fix_goes_before_an_unsafe_one_at_the_same_place() -> None:
    unsafe, safe = replacing(("ab", "x"), safe=False), replacing(("a", "y"), code="DOC002")
    mended = mend(b"ab", lambda data: (*unsafe(data), *safe(data)), unsafe=True)
    assert mended.data == b"yb"


def test_of_two_fixes_at_one_place_one_is_made_in_a_round() -> None:
    items = [
        finding({"at": "1:1", "message": text, "fix": {"edits": [{"at": "1:1", "text": text}]}})
        for text in ("1", "2")
    ]
    text, made = make_fixes(source_of("a"), items)
    assert (text, made) == ("1a", (items[0],))


def test_all_edits_of_a_fix_are_made_or_none() -> None:
    one = finding({"at": "1:1", "fix": {"edits": [{"at": "1:2-1:3", "text": "x"}]}})
    both = [{"at": "1:1-1:2", "text": "y"}, {"at": "1:2-1:3", "text": "y"}]
    two = finding({"at": "1:1", "fix": {"edits": both}})
    assert make_fixes(source_of("abc"), [one, two]) == ("axc", (one,))


@pytest.mark.parametrize(
    "data",
    [
        b"\xff\xfea\0",
        b"caf\xe9 a",
        b"a\0b\0c\0d\0e\0f\0",
        b"\x89PNG a",
        "а".encode("cp1251") + b"a",
    ],
)
def test_a_file_that_is_not_utf8_is_never_touched(data: bytes) -> None:
    fix = Fix("write", (Edit(Span(1, 1, 1, 1), "x"),))
    item = Finding("a.md", Span(1, 1, 1, 1), "DOC001", "old", ERROR, "old", fix)
    mended = mend(data, lambda _: (item,))
    assert mended == type(mended)(data, (), (item,))


def test_ten_thousand_fixes_of_one_file() -> None:
    mended = mend(b"xay\r\n" * 10_000, replacing(("a", "b")))
    assert mended.data == b"xby\r\n" * 10_000
