"""The gate: reasons, modes, messages."""

from __future__ import annotations

from dataclasses import replace

import pytest

from docs_agent.core.evidence import Evidence, EvidenceSet
from docs_agent.core.layers import D0, D1
from docs_agent.core.plans import RetrievalPlan
from docs_agent.core.routes import RouteAnchors, RouteResult
from docs_agent.retrieval.gate import check, needed, support

PLAN = RetrievalPlan("docs_summary_generic", (D1, D0), 8)
ROUTE = RouteResult("DOCS", "DOC_EXPLAIN", "SUMMARY", "q", "q", target_terms=("valve",))
FILES = replace(ROUTE, subintent="FIND_FILES")
GENERAL = replace(ROUTE, routing_domain="GENERAL", intent="GENERAL_QA")
STRONG = {
    "lexical": 0.6,
    "dense": 0.6,
    "encoder": 0.6,
    "same_language": 1.0,
    "vectors": 1.0,
    "reranked": 1.0,
}
WEAK = {**STRONG, "lexical": 0.1, "dense": 0.2, "encoder": 0.2}


def found(features: dict[str, float], *paths: str, reason: str = "semantic_match") -> EvidenceSet:
    evidence = tuple(
        Evidence(path, path, path, 900, 0.9, reason, n == 0, {}) for n, path in enumerate(paths)
    )
    return EvidenceSet(evidence, paths, features=features, missing_terms=("valve", "pump"))


def test_evidence_that_covers_the_question_passes() -> None:
    decision = check(found(STRONG, "docs/a.md"), ROUTE, PLAN, "en")
    assert (decision.passed, decision.answer_mode) == (True, "grounded_summary")
    assert decision.reason == "evidence_covers_question"
    assert decision.supporting_paths == ("docs/a.md",)
    assert decision.message == ""


@pytest.mark.parametrize(
    ("language", "message"),
    [
        (
            "en",
            "The documentation does not answer this question: nothing found on “valve”, “pump”.\n"
            "Nearest: docs/a.md",
        ),
        (
            "ru",
            "В документации нет ответа на этот вопрос: не найдено «valve», «pump».\n"
            "Ближайшее: docs/a.md",
        ),
    ],
)
def test_a_refusal_names_what_was_not_found_and_what_is_near(language: str, message: str) -> None:
    decision = check(found(WEAK, "docs/a.md"), ROUTE, PLAN, language)
    assert (decision.passed, decision.answer_mode) == (False, "insufficient_evidence")
    assert decision.reason == "evidence_insufficient"
    assert decision.message == message
    assert decision.supporting_paths == ("docs/a.md",)


def test_nothing_found_is_refused_on_every_route() -> None:
    for route, reason in (
        (ROUTE, "evidence_insufficient"),
        (FILES, "no_file_candidates"),
        (GENERAL, "general_docs_missing"),
    ):
        decision = check(found({}), route, PLAN, "en")
        assert not decision.passed
        assert decision.answer_mode == "insufficient_evidence"
        assert decision.reason == reason


def test_files_are_confident_or_a_shortlist() -> None:
    sure = check(found(STRONG, "docs/a.md"), FILES, PLAN, "en")
    assert (sure.passed, sure.answer_mode) == (True, "deterministic")
    assert sure.reason == "primary_file_confident"
    unsure = check(found(WEAK, "docs/a.md"), FILES, PLAN, "en")
    assert (unsure.passed, unsure.answer_mode) == (False, "deterministic")
    assert unsure.reason == "low_confidence_shortlist"


def test_a_document_named_by_its_endpoint_is_enough() -> None:
    plan = replace(PLAN, filters={"target_doc_hints": ("docs/a.md",)})
    anchors = RouteAnchors(endpoint_paths=("/health",), target_doc_hints=("docs/a.md",))
    route = replace(ROUTE, anchors=anchors)
    decision = check(found(WEAK, "docs/a.md", reason="exact_path"), route, plan, "en")
    assert (decision.passed, decision.reason) == (True, "target_doc_found")


def test_an_endpoint_that_no_document_describes_is_refused_as_missing() -> None:
    route = replace(ROUTE, anchors=RouteAnchors(endpoint_paths=("/nope",)))
    decision = check(found(WEAK, "docs/a.md"), route, PLAN, "en")
    assert (decision.passed, decision.reason) == (False, "target_doc_missing")


def test_general_questions_need_evidence_too() -> None:
    assert not check(found(WEAK, "docs/a.md"), GENERAL, PLAN, "en").passed
    overview = replace(GENERAL, target_terms=())
    decision = check(found(WEAK, "docs/README.md"), overview, PLAN, "en")
    assert (decision.passed, decision.reason) == (True, "general_docs_found")


def test_names_that_the_index_lacks_weigh_against() -> None:
    assert support({**STRONG, "unknown_names": 0.5}) == pytest.approx(support(STRONG) - 0.75)


def test_words_are_not_asked_for_across_languages_or_vectors_without_them() -> None:
    unread = {**STRONG, "reranked": 0.0}
    across = {**unread, "same_language": 0.0}
    assert needed(across) < needed(unread)
    assert needed({"same_language": 1.0}) < needed(across)
    assert check(found({**across, "lexical": 0.0}, "docs/a.md"), ROUTE, PLAN, "ru").passed
    assert (
        "valve"
        not in check(
            found({**WEAK, "same_language": 0.0, "dense": 0.0}, "docs/a.md"), ROUTE, PLAN, "en"
        ).message
    )


def test_control_characters_do_not_reach_the_message() -> None:
    told = replace(found(WEAK, "docs/\x1b[31ma.md"), missing_terms=("\x1b]0;x\x07", "x" * 500))
    message = check(told, ROUTE, PLAN, "en").message
    assert all(c.isprintable() or c == "\n" for c in message)
    assert len(message) < 300


def test_a_named_document_must_speak_of_what_is_asked() -> None:
    plan = replace(PLAN, filters={"target_doc_hints": ("docs/a.md",)})
    for anchors, sure_is_enough in (
        (RouteAnchors(endpoint_paths=("/health",), target_doc_hints=("docs/a.md",)), False),
        (RouteAnchors(file_names=("docs/a.md",), target_doc_hints=("docs/a.md",)), False),
        (RouteAnchors(matched_aliases=("kicker",), target_doc_hints=("docs/a.md",)), True),
    ):
        route = replace(ROUTE, anchors=anchors)
        for asked, passes in ((0.6, True), (0.3, False), (0.0, False)):
            evidence = found({**WEAK, "asked": asked}, "docs/a.md", reason="exact_path")
            assert check(evidence, route, plan, "en").passed is passes
        near = {**STRONG, "asked": 0.0, "nearness": 1.0, "known": 1.0}
        strong = found(near, "docs/a.md", reason="exact_path")
        assert check(strong, route, plan, "en").passed is sure_is_enough


def test_an_endpoint_without_a_document_of_its_own_does_not_pass_by_its_name_alone() -> None:
    route = replace(ROUTE, anchors=RouteAnchors(endpoint_paths=("/health",)))
    assert not check(found({**STRONG, "asked": 0.0}, "docs/a.md"), route, PLAN, "en").passed
    assert check(found({**STRONG, "asked": 1.0}, "docs/a.md"), route, PLAN, "en").passed


def test_a_shared_word_where_no_sentence_is_alike_is_chance() -> None:
    chance = {"dense": 0.1, "encoder": 0.05, "coverage": 0.4, "nearness": 1.0, "known": 1.0}
    features = {**STRONG, **chance}
    assert support(features) >= needed(features)
    assert not check(found(features, "docs/a.md"), ROUTE, PLAN, "en").passed
    said = {**features, "coverage": 0.9}
    assert check(found(said, "docs/a.md"), ROUTE, PLAN, "en").passed
    by_words = {**features, "reranked": 0.0, "vectors": 0.0}
    assert check(found(by_words, "docs/a.md"), ROUTE, PLAN, "en").passed
