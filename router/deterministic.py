"""The rules that need no language model (seed 003, `routers/deterministic.py`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from docs_agent.router import confidence
from docs_agent.router.catalogue import EXPLAIN_ROUTE, FILES_ROUTE, GENERAL_ROUTE, Route
from docs_agent.router.confidence import Grade
from docs_agent.router.features import Features

_KINDS: Final = (("endpoint",), ("architecture", "integration"), ("logic",), ("domain",))
"""Marker groups that speak of different things; the endpoint comes first."""
_REASON_WORDS: Final = 4
_MAX_PHRASE: Final = 60
"""Characters of a phrase that a reason quotes."""


class Decision(NamedTuple):
    """A route and what spoke for it."""

    route: Route
    grade: Grade
    reason: str
    """One line."""


Rule = Callable[[Features], Decision | None]
"""A rule decides, or leaves the question to the next one."""


def decide(features: Features) -> Decision | None:
    """The first rule that applies; None when no rule does or the signals contradict each other."""
    for rule in _RULES:
        decision = rule(features)
        if decision is not None:
            return decision
    return None


def explain(features: Features) -> Decision | None:
    """DOCS / DOC_EXPLAIN / SUMMARY when anything of the documentation is named, strongest first."""
    anchors = features.anchors
    if features.endpoints.known:
        return _docs(confidence.ENDPOINT, f"endpoint {anchors.endpoint_paths[0]}")
    if features.names.documents:
        name = features.names.documents[0]
        kind = name.kind.replace("document_id", "document")
        return _docs(confidence.NAME, f"{kind} {_quote(name.value)}")
    if anchors.target_doc_hints:
        return _docs(confidence.NAME, f"file {anchors.target_doc_hints[0]}")
    if anchors.endpoint_paths:
        return _docs(confidence.PATH, f"endpoint {anchors.endpoint_paths[0]}")
    if features.names.known_entities:
        return _docs(confidence.ENTITY, f"entity {features.names.known_entities[0]}")
    if anchors.process_domain:
        return _docs(confidence.ENTITY, f"domain {_quote(anchors.process_domain)}")
    if anchors.process_subdomain:
        return _docs(confidence.ENTITY, f"sub-domain {_quote(anchors.process_subdomain)}")
    for marker in features.marked(*EXPLAIN_ROUTE.markers):
        return _docs(confidence.MARKER, f"{marker.group} marker {_quote(marker.phrase)}")
    return None


def find_files(features: Features) -> Decision | None:
    """DOCS / DOC_EXPLAIN / FIND_FILES when the question asks which document."""
    for marker in features.marked(*FILES_ROUTE.markers):
        return Decision(FILES_ROUTE, confidence.FILE, f"file marker {_quote(marker.phrase)}")
    return None


def has_conflict(features: Features) -> bool:
    """Whether signals of several kinds are present, so that no rule may choose between them."""
    kinds = [bool(features.marked(*groups)) for groups in _KINDS]
    kinds[0] = kinds[0] or bool(features.anchors.endpoint_paths)
    return sum(kinds) > 1


def _nothing_said(features: Features) -> Decision | None:
    if not features.question.words:
        reason = "no words in the question" if features.question.text else "empty question"
        return Decision(GENERAL_ROUTE, confidence.CHATTER, reason)
    return None


def _explain_unless_conflict(features: Features) -> Decision | None:
    return None if has_conflict(features) else explain(features)


def _overview(features: Features) -> Decision | None:
    for marker in features.marked("general"):
        reason = f"general marker {_quote(marker.phrase)}"
        return Decision(GENERAL_ROUTE, confidence.OVERVIEW, reason)
    return None


def _chatter(features: Features) -> Decision | None:
    greetings = features.marked("greeting")
    if greetings and features.is_chatter:
        reason = f"greeting {_quote(greetings[0].phrase)}"
        return Decision(GENERAL_ROUTE, confidence.CHATTER, reason)
    return None


def _known_words(features: Features) -> Decision | None:
    """The index has words of the question: a documentation question even without a marker."""
    known = features.known_words
    if not known or has_conflict(features):
        return None
    half = 2 * len(known) >= len(features.informative)
    grade = confidence.VOCABULARY if half else confidence.SOME_WORDS
    return _docs(grade, "known words: " + ", ".join(_short(w) for w in known[:_REASON_WORDS]))


_RULES: Final[tuple[Rule, ...]] = (
    _nothing_said,
    find_files,
    _explain_unless_conflict,
    _overview,
    _chatter,
    _known_words,
)


def _docs(grade: Grade, reason: str) -> Decision:
    return Decision(EXPLAIN_ROUTE, grade, reason)


def _quote(text: str) -> str:
    return f"«{_short(text)}»"


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _MAX_PHRASE else line[: _MAX_PHRASE - 1] + "…"
