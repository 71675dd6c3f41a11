"""How a route came about, as JSON and as lines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from docs_agent.cli.lines import Line, columns, plain
from docs_agent.router.catalogue import Route
from docs_agent.router.explain import SUBJECT, Explanation, ModelStep


def explanation_json(explained: Explanation) -> dict[str, Any]:
    """The object under `explain` of `route --explain --json`."""
    return {
        "words": [
            {"word": w.word, "stem": w.stem, "role": w.role, "known": w.known}
            for w in explained.words
        ],
        "markers": [
            {"group": m.group, "phrase": m.phrase, "counted": m.counted} for m in explained.markers
        ],
        "names": [
            {"kind": n.kind, "value": n.value, "documents": list(n.documents)}
            for n in explained.names
        ],
        "endpoints": [
            {"path": e.path, "known": bool(e.documents), "documents": list(e.documents)}
            for e in explained.endpoints
        ],
        "rules": [
            {"rule": r.rule, "route": _key(r.route) if r.route else None, "says": r.says}
            for r in explained.rules
        ],
        "escalation": explained.escalation,
        "model": _model_json(explained.model) if explained.model else None,
        "confidence": [
            {"amount": round(s.amount, 3), "because": s.because} for s in explained.confidence
        ],
    }


def explanation_lines(explained: Explanation) -> list[Line]:
    """One block for each kind of thing that was looked at; empty ones are left out."""
    blocks: tuple[tuple[str, Iterable[tuple[str, ...]]], ...] = (
        ("words", _words(explained)),
        (
            "markers",
            (
                (m.group, f"«{m.phrase}»" + ("" if m.counted else "   inside a name, not counted"))
                for m in explained.markers
            ),
        ),
        ("names", ((n.kind, n.value, _documents(n.documents)) for n in explained.names)),
        ("endpoints", ((e.path, _documents(e.documents)) for e in explained.endpoints)),
        (
            "rules",
            ((r.rule, f"{_path(r.route)}: {r.says}" if r.route else "-") for r in explained.rules),
        ),
        ("model", _model(explained)),
        ("confidence", _confidence(explained)),
    )
    lines: list[Line] = []
    for title, rows in blocks:
        shown = columns(rows, indent="  ")
        if shown:
            lines.extend(map(plain, ("", title, *shown)))
    return lines


def _words(explained: Explanation) -> Iterator[tuple[str, ...]]:
    for word in explained.words:
        known = "known" if word.known else "not in the index" if word.role == SUBJECT else ""
        stem = "" if word.stem == word.word else f"stem {word.stem}"
        yield word.word, word.role, known, stem


def _documents(paths: tuple[str, ...]) -> str:
    return ", ".join(paths) or "not in the index"


def _model(explained: Explanation) -> Iterator[tuple[str, ...]]:
    model = explained.model
    yield "needed", explained.escalation or "no, the rules are sure"
    if model is None:
        yield "asked", "no"
        return
    yield "asked", model.name
    if model.proposal is not None:
        proposal = model.proposal
        says = f", confidence {proposal.confidence:.2f}: {proposal.reason}"
        yield "proposed", _path(proposal.route) + says.removesuffix(": ")
    else:
        yield "problem", model.problem
        if model.reply:
            yield "reply", model.reply
    if model.corrected is not None:
        yield "corrected", f"{_path(model.corrected)}: {model.because}"


def _confidence(explained: Explanation) -> Iterator[tuple[str, ...]]:
    for number, step in enumerate(explained.confidence):
        yield f"{step.amount:+.2f}" if number else f" {step.amount:.2f}", step.because


def _model_json(model: ModelStep) -> dict[str, Any]:
    proposal = model.proposal
    return {
        "name": model.name,
        "proposal": None
        if proposal is None
        else {
            "route": _key(proposal.route),
            "confidence": round(proposal.confidence, 3),
            "reason": proposal.reason,
        },
        "problem": model.problem,
        "reply": model.reply,
        "corrected": _key(model.corrected) if model.corrected else None,
        "because": model.because,
    }


def _path(route: Route) -> str:
    return f"{route.routing_domain} › {route.intent} › {route.subintent}"


def _key(route: Route) -> str:
    """The same as one word for programs."""
    return f"{route.routing_domain}/{route.intent}/{route.subintent}"
