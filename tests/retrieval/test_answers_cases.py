"""Answers to questions over real documents; the cases are data in `cases/answers`."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
import yaml

from docs_agent.core.store.protocol import Reader
from docs_agent.core.text import stems

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

from answers_index import ask, build  # noqa: E402

CASES = HERE / "cases" / "answers"
NOTIFY = HERE.parents[1] / "examples" / "notify"
MAX_LINES = 22
"""Text lines with those of one table or code block, and blank ones."""
ROOTS = {
    "notify": (NOTIFY, "docs"),
    **{name: (CASES, name) for name in ("guide", "shapes", "kinds")},
}


def _cases() -> list[Any]:
    return [
        pytest.param(name, case, id=f"{name}: {case['name']}")
        for name in ROOTS
        for case in yaml.safe_load((CASES / f"{name}.yml").read_text(encoding="utf-8"))
    ]


@pytest.fixture(scope="module")
def readers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Reader]]:
    folder = tmp_path_factory.mktemp("answers")
    stores = {name: build(*place, folder / f"{name}.db") for name, place in ROOTS.items()}
    with ExitStack() as stack:
        yield {name: stack.enter_context(s.read("default")) for name, s in stores.items()}
    for store in stores.values():
        store.close()


def _asked(readers: dict[str, Reader], name: str, case: dict[str, Any]) -> Any:
    return ask(
        readers[name],
        case["question"],
        case["documents"],
        files=case.get("files", False),
        general=case.get("general", False),
        endpoints=case.get("endpoints", ()),
        hints=case.get("hints", ()),
        scores=case.get("scores", ()),
    )


@pytest.mark.parametrize(("name", "case"), _cases())
def test_answer_says_what_was_asked(
    readers: dict[str, Reader], name: str, case: dict[str, Any]
) -> None:
    answer = _asked(readers, name, case)
    for text in case.get("contains", ()):
        assert text in answer.text
    for text in case.get("lacks", ()):
        assert text not in answer.text
    cited = {f"{c.path}:{c.start_line}-{c.end_line}" for c in answer.citations}
    assert set(case.get("cites", ())) <= cited
    assert answer.answer_mode == "grounded_summary"


@pytest.mark.parametrize(("name", "case"), _cases())
def test_answer_is_short_deterministic_and_says_nothing_twice(
    readers: dict[str, Reader], name: str, case: dict[str, Any]
) -> None:
    answer = _asked(readers, name, case)
    lines = [line for line in answer.text.split("\n") if line.strip()]
    assert 1 <= len(lines) <= MAX_LINES
    marked = [line for line in lines if line.endswith("]")]
    assert len(marked) == len(set(marked))
    assert answer == _asked(readers, name, case)


@pytest.mark.parametrize(("name", "case"), _cases())
def test_every_statement_stands_on_its_cited_lines(
    readers: dict[str, Reader], name: str, case: dict[str, Any]
) -> None:
    answer = _asked(readers, name, case)
    citations = {c.n: c for c in answer.citations}
    assert list(citations) == list(range(1, len(citations) + 1))
    root = ROOTS[name][0]
    for text, n in re.findall(r"^(.*\S) \[(\d+)\]$", answer.text, re.MULTILINE):
        citation = citations[int(n)]
        lines = (root / citation.path).read_text(encoding="utf-8").split("\n")
        source = set(stems("\n".join(lines[citation.start_line - 1 : citation.end_line])))
        source |= set(stems(f"{citation.title} {citation.section}"))
        # What stands before the arrow or colon of a composed line is a heading or a title.
        own = set(stems(re.sub(r"^\s*(?:-|\d+\.) ", "", text)))
        missing = {stem for stem in own - source if not stem.isdigit()}
        composed = case.get("general") or "→" in text or "; " in text
        assert len(missing) <= (len(own) // 2 if composed else 0), (text, missing)
