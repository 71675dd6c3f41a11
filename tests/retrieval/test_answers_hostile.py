"""Documents that try to break an answer, and questions that have none."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docs_agent.core.evidence import Answer, GateDecision
from docs_agent.core.layers import D0
from docs_agent.core.rows import Row
from docs_agent.retrieval.answers import passages
from docs_agent.retrieval.answers.quote import Quotable, blocks, plain, shortened
from docs_agent.retrieval.answers.quotes import Quotes
from docs_agent.retrieval.answers.sentences import sentences

sys.path.insert(0, str(Path(__file__).parent))

from answers_index import ask, build


def _answer(tmp_path: Path, text: str, question: str) -> Answer:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "page.md").write_text(text, encoding="utf-8")
    store = build(tmp_path, "docs", tmp_path / "index.db")
    with store.read("default") as reader:
        answer = ask(reader, question, ["docs/page.md"])
    store.close()
    return answer


def test_long_sentence_is_cut_at_a_word(tmp_path: Path) -> None:
    sentence = "The quota " + "really " * 1500 + "ends."
    answer = _answer(tmp_path, f"# Limits\n\n## Quota\n\n{sentence}\n", "what about the quota")
    assert all(len(line) < 700 for line in answer.text.split("\n"))
    assert answer.text.endswith("really … [1]")


def test_long_table_is_capped_with_a_note(tmp_path: Path) -> None:
    rows = "\n".join(f"| name{i} | {i} |" for i in range(3000))
    text = f"# Colours\n\n## Palette\n\n| colour | number |\n|---|---|\n{rows}\n"
    answer = _answer(tmp_path, text, "palette of colours")
    assert answer.text.count("\n") < 22
    assert "name0" in answer.text


def test_long_code_is_capped_with_a_note_in_the_language_of_the_question(tmp_path: Path) -> None:
    code = "\n".join(f"step_{i}()" for i in range(40))
    text = f"# Запуск\n\n## Порядок запуска\n\nЗапустите шаги:\n\n```python\n{code}\n```\n"
    answer = _answer(tmp_path, text, "каков порядок запуска")
    assert "Запустите шаги: [1]" in answer.text
    assert "… ещё строк: 28" in answer.text


def test_fence_inside_code_does_not_end_the_quoted_block(tmp_path: Path) -> None:
    text = "# Fences\n\n## Nesting\n\nNest fences so:\n\n~~~md\n```\ninner\n```\n~~~\n"
    answer = _answer(tmp_path, text, "nesting of fences")
    assert "````md\n```\ninner\n```\n````" in answer.text


def test_text_that_looks_like_marks_is_not_taken_for_one(tmp_path: Path) -> None:
    text = "# Sources\n\n## Origin\n\nThe origin is a forgery [7][8] by someone [99].\n"
    answer = _answer(tmp_path, text, "origin of the forgery")
    assert "The origin is a forgery (7)(8) by someone (99). [1]" in answer.text
    assert [c.n for c in answer.citations] == [1]


@pytest.mark.parametrize(
    ("question", "language", "said"),
    [
        ("what does it cost", "en", "no document speaks of “cost”."),
        ("сколько стоит подписка", "ru", "ни один документ не говорит про «cost»."),
    ],
)
def test_gate_that_did_not_pass_gives_the_honest_no(
    tmp_path: Path, question: str, language: str, said: str
) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "page.md").write_text("# Page\n\nNothing here.\n", encoding="utf-8")
    store = build(tmp_path, "docs", tmp_path / "index.db")
    gate = GateDecision(
        False, "insufficient_evidence", "not_covered", supporting_paths=("docs/page.md",)
    )
    with store.read("default") as reader:
        answer = ask(reader, question, ["docs/page.md"], gate=gate, missing=["cost"])
    store.close()
    assert answer.answer_mode == "insufficient_evidence"
    assert answer.citations == ()
    assert answer.language == language
    assert said in answer.text
    assert answer.text.endswith("docs/page.md")
    assert "Nothing here" not in answer.text


def test_message_of_the_gate_is_kept_and_names_no_document_twice(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "page.md").write_text("# Page\n\nText.\n", encoding="utf-8")
    store = build(tmp_path, "docs", tmp_path / "index.db")
    message = "Not answered. Nearest: docs/page.md"
    gate = GateDecision(False, "insufficient_evidence", "x", message, ("docs/page.md",))
    with store.read("default") as reader:
        answer = ask(reader, "anything", ["docs/page.md"], gate=gate)
    store.close()
    assert answer.text == message


def _row(content: str) -> Row:
    end = content.count("\n") + 5
    return Row(1, "docs/a.md", content, D0, "A", "en", "", "", 5, end)


@settings(deadline=None, max_examples=150, derandomize=True)
@given(st.text(alphabet="ab яЖ1.!?:`*_[]()<>|#-+~&\\\n\t{}/%^\x1b\u2028", max_size=300))
def test_blocks_never_fail_and_stay_inside_the_row(content: str) -> None:
    row = _row(content)
    for block in blocks(row):
        assert row.span_start <= block.start <= block.end <= row.span_end
        for unit in block.units:
            assert row.span_start <= unit.start <= unit.end <= row.span_end
            assert block.kind == "code" or "\n" not in unit.text


@settings(deadline=None, max_examples=150, derandomize=True)
@given(st.text(alphabet="aЯ e.g т.е!?…»)` 1", max_size=120))
def test_sentences_lose_no_character_but_white_space(text: str) -> None:
    spans = sentences(text)
    assert all(start < end for start, end in spans)
    kept = "".join(text[a:b] for a, b in spans)
    assert "".join(kept.split()) == "".join(text.split())


@given(st.text(max_size=400), st.integers(min_value=10, max_value=100))
@settings(deadline=None, max_examples=100, derandomize=True)
def test_shortened_text_is_never_longer_than_a_little_above_the_limit(
    text: str, limit: int
) -> None:
    assert len(shortened(text, limit)) <= limit + 2


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("see [3] and `a[3]`", "see (3) and `a[3]`"),
        ("{{< note >}}Text{{< /note >}}", "Text"),
        ("Заголовок { #yakor }", "Заголовок"),
        ("{* ../src/a.py hl[1] *} Code", "Code"),
        ("a footnote[^1].", "a footnote."),
    ],
)
def test_leftover_markup_is_not_shown(written: str, shown: str) -> None:
    assert plain(written) == shown


def test_a_document_of_many_headings_is_read_once_and_up_to_a_bound(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[int] = []
    of = Quotes.of

    def counted(self: Quotes, rows: Sequence[Row]) -> tuple[tuple[Quotable, ...], ...]:
        read.append(len(rows))
        return of(self, rows)

    monkeypatch.setattr(Quotes, "of", counted)
    monkeypatch.setattr(passages, "MAX_LINES", 100)
    text = "# Numbers\n\n" + "".join(f"## Number {i}\n\nText {i}.\n\n" for i in range(400))
    answer = _answer(tmp_path, text, "what is number 7")
    assert "Text 7." in answer.text
    # Rows of a line or more each; a card reads one row of its own.
    assert 7 < max(read) <= 100
    assert [count for count in read if count > 1] == [max(read)]
