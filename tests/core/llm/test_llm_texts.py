"""What is made of texts: prompts that are filled, replies that are searched, budgets that hold."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from docs_agent.core.errors import ConfigError
from docs_agent.core.llm.budget import estimate, fit
from docs_agent.core.llm.prompts import Prompt, load_prompts
from docs_agent.core.llm.reply import MAX_DEPTH, json_object

HERE = Path(__file__).parent
REPLIES = yaml.safe_load((HERE / "cases/replies.yml").read_text("utf-8"))
BROKEN = yaml.safe_load((HERE / "cases/prompts.yml").read_text("utf-8"))
GOOD = """
ask:
  variables: [question, evidence]
  system: |
    Answer from {{evidence}} only, as JSON: {"answer": {"text": "…"}}
  user: "{{question}}"
"""


@pytest.mark.parametrize("case", REPLIES, ids=lambda case: case["name"])
def test_the_object_of_a_reply(case: dict[str, Any]) -> None:
    assert json_object(case["said"], case.get("expected", ())) == case["found"]


@pytest.mark.parametrize(
    "text",
    [
        "{" * 200_000,
        '{"a":' * 40_000,
        '{"a":[' * 30_000,
        '{"' * 100_000,
        '{"\\' * 60_000,
        '{"a": "' + "x" * 300_000,
        '{"a": ' + "9" * 10_000 + "}",
        "<think>" * 30_000,
        "</think>" * 30_000,
        '{"a": ' * (MAX_DEPTH + 1) + "1" + "}" * (MAX_DEPTH + 1),
        '{"a": ' * 900 + "1" + "}" * 900,
    ],
    ids=range(11),
)
def test_a_hostile_reply_is_no_object_and_takes_no_time(text: str) -> None:
    begin = time.monotonic()
    assert json_object(text) is None
    assert time.monotonic() - begin < 10


_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=8,
)


@settings(derandomize=True, deadline=None, max_examples=50)
@given(st.dictionaries(st.text(max_size=5), _VALUES), st.text("ab {\n`ж", max_size=20))
def test_an_object_is_found_inside_any_prose(value: dict[str, Any], prose: str) -> None:
    assert json_object(f"{prose}\n{json.dumps(value)}{prose}") == value


@settings(derandomize=True, deadline=None, max_examples=100)
@given(st.text('{}[]":,\\a1 </think>\ufeff', max_size=60))
def test_any_reply_gives_an_object_or_nothing(text: str) -> None:
    found = json_object(text)
    assert found is None or isinstance(found, dict)


def prompts(tmp_path: Path, text: str | bytes) -> dict[str, Prompt]:
    file = tmp_path / "prompts.yml"
    file.write_bytes(text.encode() if isinstance(text, str) else text)
    return dict(load_prompts(file))


def test_a_prompt_is_filled(tmp_path: Path) -> None:
    prompt = prompts(tmp_path, GOOD)["ask"]
    assert prompt.variables == ("question", "evidence")
    system, user = prompt.render(question="Как работает /health?", evidence="{{question}} \\1")
    assert system == 'Answer from {{question}} \\1 only, as JSON: {"answer": {"text": "…"}}\n'
    assert user == "Как работает /health?"


@pytest.mark.parametrize(
    "values", [{}, {"question": "a"}, {"question": "a", "evidence": "b", "more": "c"}]
)
def test_a_prompt_wants_exactly_its_variables(values: dict[str, str], tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="prompt ask"):
        prompts(tmp_path, GOOD)["ask"].render(**values)


def test_a_value_is_a_text(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no text"):
        prompts(tmp_path, GOOD)["ask"].render(question=1, evidence="b")  # type: ignore[arg-type]


@settings(derandomize=True, deadline=None, max_examples=100)
@given(st.text(max_size=30), st.text(max_size=30))
def test_a_value_stays_as_it_is(first: str, second: str) -> None:
    prompt = Prompt("p", "{{a}}|{{b}}", "{{b}}{{a}}", ("a", "b"))
    assert prompt.render(a=first, b=second) == (f"{first}|{second}", second + first)


@pytest.mark.parametrize("case", BROKEN, ids=lambda case: case["name"])
def test_a_broken_prompt_is_told_with_its_line(case: dict[str, Any], tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as caught:
        prompts(tmp_path, case["text"])
    error = caught.value
    assert error.path == str(tmp_path / "prompts.yml")
    assert error.line == case["line"]
    assert case["message"] in error.message
    assert case["remedy"] in error.remedy


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"a: [" * 100_000, "nested too deeply"),
        (b"a: \xff", "not UTF-8"),
        (b"#" * 1_000_001, "larger"),
        (b"a: \x00", "not valid YAML"),
    ],
    ids=["deep", "bytes", "huge", "nul"],
)
def test_a_hostile_file_of_prompts_is_told(data: bytes, message: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=message) as caught:
        prompts(tmp_path, data)
    assert caught.value.remedy


def test_prompts_that_are_not_there_are_told(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot be read"):
        load_prompts(tmp_path / "none.yml")


@pytest.mark.parametrize(
    ("text", "least", "most"),
    [
        ("", 0, 0),
        # Tokens as three tokenizers of language models count them, and twice as many.
        ("The service answers within one second.", 8, 16),
        ("Сервис отвечает в течение одной секунды.", 10, 26),
        ("GET /api/v1/messages/{id} -> 404", 14, 30),
        ("2026-11-30 12:00:00", 19, 24),
        ("🙂", 2, 8),
        ("一二三", 3, 12),
    ],
)
def test_an_estimate_is_on_the_safe_side(text: str, least: int, most: int) -> None:
    assert least <= estimate(text) <= most


def test_what_fits_is_not_touched() -> None:
    texts = ("One.", "Два.")
    fitted = fit(texts, 100)
    assert (fitted.texts, fitted.cuts) == (texts, ())
    assert fitted.tokens <= 100


def test_a_text_is_cut_at_the_end_of_a_sentence() -> None:
    long = "Первое предложение здесь. Второе предложение тоже. " * 10
    fitted = fit(("Вопрос?", long, "rest"), 60)
    assert fitted.texts[0] == "Вопрос?"
    assert fitted.texts[1].endswith(("здесь.", "тоже."))
    assert fitted.texts[2] == ""
    assert [cut.index for cut in fitted.cuts] == [1, 2]
    assert fitted.cuts[0].kept + fitted.cuts[0].dropped == len(long)
    assert fitted.cuts[1].kept == 0


def test_a_text_is_cut_at_the_end_of_a_line() -> None:
    table = "| code | meaning |\n" * 50
    assert fit((table,), 60).texts[0].split("\n")[-1] == "| code | meaning |"


def test_a_line_without_end_is_cut_at_a_word() -> None:
    assert fit(("word " * 100,), 20).texts[0].endswith("word")


def test_a_huge_text_is_cut_in_no_time() -> None:
    begin = time.monotonic()
    fitted = fit(("слово. " * 1_000_000,), 5000)
    assert 0 < fitted.tokens <= 5000
    assert time.monotonic() - begin < 20


@settings(derandomize=True, deadline=None, max_examples=100)
@given(st.lists(st.text("aяЖ1 .!\n🙂", max_size=60), max_size=4), st.integers(0, 60))
def test_texts_fit_and_are_beginnings(texts: list[str], budget: int) -> None:
    fitted = fit(texts, budget)
    assert fitted.tokens <= budget
    assert len(fitted.texts) == len(texts)
    assert all(whole.startswith(part) for whole, part in zip(texts, fitted.texts, strict=True))
    lost = {cut.index for cut in fitted.cuts}
    assert all(
        (whole != part) == (index in lost)
        for index, (whole, part) in enumerate(zip(texts, fitted.texts, strict=True))
    )
