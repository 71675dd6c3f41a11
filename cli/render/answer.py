"""Answers and lists of documents, as JSON (the contract of `--json`) and as lines."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from docs_agent.cli.lines import Line, columns, plain
from docs_agent.cli.render.decision import plan_json, plan_lines, route_json
from docs_agent.core.evidence import Answer, Citation, Evidence, GateDecision
from docs_agent.core.routes import FIND_FILES

_MARK = r"\[\d{1,3}\]"


def answer_json(answer: Answer, seconds: float) -> dict[str, Any]:
    """The object that `ask --json` prints."""
    return {
        "query": answer.query,
        "answer": answer.text,
        "answer_mode": answer.answer_mode,
        "language": answer.language,
        "citations": [_citation_json(citation) for citation in answer.citations],
        "evidence": [_evidence_json(item) for item in answer.found.evidence],
        "ranked_paths": list(answer.found.ranked_paths),
        "gate": gate_json(answer.gate),
        "route": route_json(answer.route),
        "plan": plan_json(answer.plan),
        "relaxations": list(answer.found.relaxations),
        "llm": None,
        "seconds": round(seconds, 3),
    }


def files_json(answer: Answer) -> dict[str, Any]:
    """The object that `find-files --json` prints."""
    gate = gate_json(answer.gate)
    return {
        "query": answer.query,
        "files": [_evidence_json(item) for item in answer.found.evidence],
        "gate": {key: gate[key] for key in ("passed", "answer_mode", "reason", "message")},
        "left_out": answer.route.left_out,
    }


def gate_json(gate: GateDecision) -> dict[str, Any]:
    """The five fields of GateDecision."""
    return {
        "passed": gate.passed,
        "answer_mode": gate.answer_mode,
        "reason": gate.reason,
        "message": gate.message,
        "supporting_paths": list(gate.supporting_paths),
    }


def answer_lines(answer: Answer) -> list[Line]:
    """The text, then the places it stands on."""
    lines = [_marked(line) for line in answer.text.rstrip().split("\n")]
    # A list of documents is its own list of places.
    if answer.citations and answer.route.subintent != FIND_FILES:
        lines.append(plain(""))
        lines.extend(_citation_lines(answer.citations))
    return lines


def explain_lines(answer: Answer) -> list[Line]:
    """Route, plan, and why each document stayed or fell out."""
    lines = [plain(""), *plan_lines(answer.route, answer.plan)]
    lines.extend(plain(f"relaxed  {phrase}") for phrase in answer.found.relaxations)
    rows = [_evidence_row(item) for item in answer.found.evidence]
    rows.extend((d.path, str(d.score), f"dropped: {d.reason}") for d in answer.found.dropped)
    lines.append(plain(""))
    lines.extend(plain(line) for line in columns(rows, indent="  "))
    verdict = "passed" if answer.gate.passed else "refused"
    figures = "  ".join(f"{key} {value:.2f}" for key, value in answer.found.features.items())
    lines.append(plain(""))
    lines.append(plain(f"gate     {verdict}: {answer.gate.reason}   {figures}".rstrip()))
    if answer.found.missing_terms:
        lines.append(plain(f"missing  {', '.join(answer.found.missing_terms)}"))
    return lines


def _marked(line: str) -> Line:
    return tuple(_spans(line)) or (("", ""),)


def _spans(line: str) -> Iterator[tuple[str, str]]:
    end = 0
    for match in re.finditer(_MARK, line):
        if match.start() > end:
            yield line[end : match.start()], ""
        yield match.group(), "cyan"
        end = match.end()
    if end < len(line):
        yield line[end:], ""


def _citation_lines(citations: tuple[Citation, ...]) -> list[Line]:
    rows = [
        (
            f"[{c.n}] {c.path}:{c.start_line}-{c.end_line}",
            " › ".join(part for part in (c.title, c.section) if part),
        )
        for c in citations
    ]
    return [((line, "dim"),) for line in columns(rows, gap="   ")]


def _citation_json(citation: Citation) -> dict[str, Any]:
    return {
        "n": citation.n,
        "path": citation.path,
        "start_line": citation.start_line,
        "end_line": citation.end_line,
        "title": citation.title,
        "section": citation.section,
    }


def _evidence_json(item: Evidence) -> dict[str, Any]:
    return {
        "path": item.path,
        "title": item.title,
        "document_id": item.document_id,
        "score": item.score,
        "confidence": round(item.confidence, 3),
        "match_reason": item.match_reason,
        "is_primary": item.is_primary,
        "score_breakdown": dict(item.score_breakdown),
    }


def _evidence_row(item: Evidence) -> tuple[str, ...]:
    parts = sorted(item.score_breakdown.items(), key=lambda part: -abs(part[1]))
    detail = " · ".join(f"{name.removesuffix('_boost')} {value}" for name, value in parts if value)
    return (
        item.path,
        str(item.score),
        item.match_reason,
        detail + ("   primary" if item.is_primary else ""),
    )
