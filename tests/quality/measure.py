"""Measures the answers to the questions of questions/*.yml over the sample documentation.

`python tests/quality/measure.py` prints the figures and what changed since the baseline,
`--write` makes them the baseline, `--answers FILE` keeps the answers as JSON lines.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from quality_questions import SAMPLE, Question, holds, load_questions

BASELINE = Path(__file__).parent / "baseline.json"
BATCHES = 2
"""Processes that answer at the same time: one for each processor of a small CI machine."""
OVERALL = 0.02
"""By how much a share over all questions may get worse."""
TEXT_LINES = range(3, 16)
"""Lines that a text answer should have."""
SHARED = 1 / 3
"""Share of the words that a statement and its cited lines must have in common."""
WORSE_WHEN_HIGHER = frozenset({"absent answered", "present refused"})
_MARK = re.compile(r"\[(\d{1,3})\]")
_WORD = re.compile(r"[^\W_]{3,}")


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one question; nothing in it depends on the speed of the machine."""

    rank: int | None
    """Place of the first gold document among the ranked ones, 1-based; None when not there."""
    answered: bool
    """Whether an answer was given."""
    complete: bool | None
    """Whether the answer holds every wanted string; None when none is wanted."""
    citations: int
    """Number of citations."""
    opening: int
    """Those of them that open lines which say what is cited."""
    lines: int | None
    """Lines of the answer that are not empty; None when it is no text answer."""


def run(questions: Sequence[Question], keep: Path | None = None) -> dict[str, Outcome]:
    """Indexes the sample once in a temporary project and asks all questions, in two batches."""
    with tempfile.TemporaryDirectory() as folder:
        project = Path(folder).resolve()
        shutil.copytree(SAMPLE / "docs", project / "docs")
        db = ("--root", str(project), "--db", str(project / "index.db"))
        _docs_agent("index", "docs", *db, cwd=project)

        def ask(part: int) -> str:
            asked = [json.dumps({"id": q.id, "query": q.query}) for q in questions[part::BATCHES]]
            file = project / f"questions-{part}.jsonl"
            file.write_text("\n".join([*asked, ""]), encoding="utf-8")
            return _docs_agent("ask", "--batch", file.name, "--json", *db, cwd=project)

        with ThreadPoolExecutor(BATCHES) as pool:
            out = "".join(pool.map(ask, range(BATCHES)))
        if keep is not None:
            keep.write_text(out, encoding="utf-8")
        answers = {answer["id"]: answer for answer in map(json.loads, out.splitlines())}
        return {q.id: outcome(q, answers[q.id], project) for q in questions}


def _docs_agent(*arguments: str, cwd: Path) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "docs_agent", *arguments],
        cwd=cwd,
        capture_output=True,
        check=False,
        env={**os.environ, "DOCS_AGENT_DB": "", "PYTHONIOENCODING": ""},
    )
    if done.returncode not in (0, 1):
        raise RuntimeError(f"docs-agent {arguments[0]}: {done.stderr.decode('utf-8')}")
    return done.stdout.decode("utf-8")


def outcome(question: Question, answer: Mapping[str, Any], project: Path) -> Outcome:
    """The outcome of one question, from a line of `ask --batch`."""
    gold = {f"docs/{path}" for path in question.gold}
    ranks = (n for n, path in enumerate(answer["ranked_paths"], 1) if path in gold)
    passed = bool(answer["gate"]["passed"])
    text = answer["answer"] if passed else ""
    said = statements(text)
    opening = [_opens(c, said.get(c["n"], ""), project) for c in answer["citations"]]
    is_text = passed and answer["answer_mode"] == "grounded_summary"
    return Outcome(
        rank=next(ranks, None),
        answered=passed,
        complete=holds(text, question.answer_contains) if question.answer_contains else None,
        citations=len(opening),
        opening=sum(opening),
        lines=sum(1 for line in text.splitlines() if line.strip()) if is_text else None,
    )


def statements(text: str) -> dict[int, str]:
    """What an answer says under each mark: lines with the mark, and those below up to a heading."""
    said: dict[int, str] = {}
    current: list[int] = []
    for line in text.splitlines():
        marks = [int(n) for n in _MARK.findall(line)]
        current = marks or ([] if line.rstrip().endswith(":") else current)
        for mark in current:
            said[mark] = said.get(mark, "") + "\n" + _MARK.sub("", line)
    return said


def _opens(citation: Mapping[str, Any], statement: str, project: Path) -> bool:
    path = (project / citation["path"]).resolve()
    if not path.is_relative_to(project) or not path.is_file():
        return False
    lines = path.read_text(encoding="utf-8").splitlines()
    first, last = citation["start_line"], citation["end_line"]
    if not 1 <= first <= last <= len(lines):
        return False
    cited = set(_WORD.findall("\n".join(lines[first - 1 : last]).casefold()))
    words = set(_WORD.findall(statement.casefold()))
    return len(words & cited) >= SHARED * min(len(words), len(cited))


def figures(questions: Sequence[Question], got: Mapping[str, Outcome]) -> dict[str, float]:
    """The figures over some questions; a figure that does not apply to any of them is left out."""
    present = [got[q.id] for q in questions if not q.unanswerable]
    absent = [got[q.id] for q in questions if q.unanswerable]
    wanted = [o.complete for o in present if o.complete is not None]
    lines = [o.lines for o in present if o.lines is not None]
    cited = sum(o.citations for o in (*present, *absent))
    shares: dict[str, list[float]] = {
        "R@1": [float(o.rank is not None and o.rank <= 1) for o in present],
        "R@3": [float(o.rank is not None and o.rank <= 3) for o in present],
        "R@10": [float(o.rank is not None and o.rank <= 10) for o in present],
        "MRR@10": [1 / o.rank if o.rank else 0.0 for o in present],
        "complete": [float(one) for one in wanted],
        "absent answered": [float(o.answered) for o in absent],
        "present refused": [float(not o.answered) for o in present],
        "good length": [float(n in TEXT_LINES) for n in lines],
    }
    means = {name: sum(values) / len(values) for name, values in shares.items() if values}
    if cited:
        means["citations open"] = sum(o.opening for o in (*present, *absent)) / cited
    return {name: round(value, 4) for name, value in means.items()}


def slices(questions: Sequence[Question]) -> dict[str, list[Question]]:
    """The questions as a whole, by language, and by kind."""
    found: dict[str, list[Question]] = {"all": list(questions)}
    for name in ("ru", "en"):
        found[name] = [q for q in questions if q.lang == name]
    for kind in dict.fromkeys(q.kind for q in questions):
        found[kind] = [q for q in questions if q.kind == kind]
    return found


def regressions(
    questions: Sequence[Question], now: Mapping[str, Outcome], before: Mapping[str, Outcome]
) -> list[str]:
    """Figures that got worse by more than the tolerance: a share overall, one question a slice."""
    found = []
    for name, members in slices(questions).items():
        new, old = figures(members, now), figures(members, before)
        for figure in old:
            worse = new.get(figure, 0.0) - old[figure]
            worse = worse if figure in WORSE_WHEN_HIGHER else -worse
            allowed = OVERALL if name == "all" else max(OVERALL, 1 / len(members))
            if worse > allowed + 0.0001:
                found.append(f"{name}: {figure} {old[figure]:.3f} → {new.get(figure, 0.0):.3f}")
    return found


def changes(
    questions: Sequence[Question], now: Mapping[str, Outcome], before: Mapping[str, Outcome]
) -> tuple[list[str], list[str]]:
    """Questions lost and won since the baseline, each with what changed."""
    lost, won = [], []
    for q in questions:
        for name, good in _aspects(q).items():
            new, old = good(now[q.id]), good(before[q.id])
            if new != old:
                line = f"{q.id}: {name}{_ranks(name, now[q.id], before[q.id])}  «{q.query}»"
                (won if new else lost).append(line)
    return lost, won


def _aspects(question: Question) -> dict[str, Callable[[Outcome], bool]]:
    if question.unanswerable:
        return {"refused": lambda o: not o.answered}
    return {
        "answered": lambda o: o.answered,
        "found first": lambda o: o.rank == 1,
        "found": lambda o: o.rank is not None,
        "complete answer": lambda o: o.complete is not False,
        "citations open": lambda o: o.opening == o.citations,
    }


def _ranks(aspect: str, now: Outcome, before: Outcome) -> str:
    return f" (place {before.rank} → {now.rank})" if aspect.startswith("found") else ""


def read_baseline() -> dict[str, Outcome]:
    """The outcomes that the baseline holds, by id of the question."""
    data = json.loads(BASELINE.read_text(encoding="utf-8"))
    return {name: Outcome(**values) for name, values in data["questions"].items()}


def write_baseline(questions: Sequence[Question], got: Mapping[str, Outcome]) -> None:
    """Makes these outcomes the baseline; the figures are there for a reader of the diff."""
    shown = {name: figures(members, got) for name, members in slices(questions).items()}
    rows = [f"    {json.dumps(n)}: {json.dumps(asdict(got[n]))}" for n in sorted(got)]
    table = [f"    {json.dumps(n)}: {json.dumps(v)}" for n, v in shown.items()]
    BASELINE.write_text(
        '{\n  "figures": {\n' + ",\n".join(table) + "\n  },\n"
        '  "questions": {\n' + ",\n".join(rows) + "\n  }\n}\n",
        encoding="utf-8",
    )


def table(questions: Sequence[Question], got: Mapping[str, Outcome]) -> str:
    """The figures of every slice as a table."""
    columns = list(figures(questions, got))
    lines = ["  ".join(["slice".ljust(11), "  n", *columns])]
    for name, members in slices(questions).items():
        row = figures(members, got)
        cells = [f"{row[c]:.2f}" if c in row else "-" for c in columns]
        padded = [cell.rjust(len(c)) for cell, c in zip(cells, columns, strict=True)]
        lines.append("  ".join([name.ljust(11), str(len(members)).rjust(3), *padded]))
    return "\n".join(lines)


def report(lost: Sequence[str], won: Sequence[str]) -> str:
    """Questions lost and won, a line each."""
    parts = [("Lost since the baseline:", lost), ("Won since the baseline:", won)]
    return "\n".join("\n  ".join([title, *names]) for title, names in parts if names)


def main(arguments: Sequence[str] | None = None) -> None:
    """Prints the figures; with `--write` they become the baseline."""
    parser = argparse.ArgumentParser(description="measure the answers over the sample")
    parser.add_argument("--write", action="store_true", help="make the figures the baseline")
    parser.add_argument("--answers", type=Path, metavar="FILE", help="keep the answers")
    options = parser.parse_args(arguments)
    questions = load_questions()
    got = run(questions, options.answers)
    print(table(questions, got))
    if BASELINE.exists():
        before = read_baseline()
        known = [q for q in questions if q.id in before]
        print(report(*changes(known, got, before)))
    if options.write:
        write_baseline(questions, got)


if __name__ == "__main__":
    main()
