"""Whether the evidence carries an answer: every route needs evidence that covers the question.

    support = words of the question on the best page (capped: a short question is covered easily)
            + half its vector's cosine + the encoder's cosine + what a window says word by word
            + half of the share of the question that the index knows at all
            − names that the index has nowhere

against a threshold that is a sum over the signals that took part. Across languages words match
nothing, so their share of the threshold is not asked for.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from docs_agent.core.evidence import (
    DETERMINISTIC,
    GROUNDED_SUMMARY,
    INSUFFICIENT_EVIDENCE,
    EvidenceSet,
    GateDecision,
)
from docs_agent.core.plans import RetrievalPlan
from docs_agent.core.routes import FIND_FILES, GENERAL_QA, RouteResult
from docs_agent.retrieval.execute_filters import values
from docs_agent.retrieval.fusion import DENSE_WEIGHT, ENCODER_WEIGHT, NEARNESS_WEIGHT
from docs_agent.retrieval.gate_messages import refusal

# Calibrated on XQuAD with every second paragraph left out, whose questions have no answer, and on
# the FastAPI questions (docs/logic/evidence-and-gate.md has the rates).
WORDS_NEEDED: Final = 0.22
WORDS_NEEDED_ACROSS: Final = 0.08
"""Across languages, where only names match; without re-ranking, which counts words near them."""
VECTORS_NEEDED: Final = 0.18
RERANKED_NEEDED: Final = 0.80
RERANKED_NEEDED_ACROSS: Final = 0.45
"""Across languages, where near words are all there is."""
KNOWN_WEIGHT: Final = 0.5
WORDS_CAP: Final = 0.6
"""More words than that prove nothing further when there are vectors to ask."""
UNKNOWN_NAME: Final = 0.75
"""Support lost by each name that the index lacks, two at most."""
ASKED: Final = 0.25
"""Share of what is asked about a named document that it must speak of: naming a document says which
one is meant, not that it has the answer."""
MOSTLY: Final = 0.5
"""The same share that is enough without any other support."""
SURE_BY: Final = 0.5
"""Support beyond what is needed, by which a named document has what is asked in other words."""
SURE: Final = 0.7
"""Cosines, as they count, by which a document tells a property in other words."""
UNLIKE: Final = 0.2
"""Cosines, as they count, below which nothing is said of the matter: the one word in a hundred
sentences that happens to be the question's. Of the questions that have an answer none is below."""
SAID_ALL: Final = 0.6
"""Share of the question on the page that is believed without them."""
NEAREST: Final = 3
"""Documents that a refusal names."""


def check(
    found: EvidenceSet, route: RouteResult, plan: RetrievalPlan, language: str
) -> GateDecision:
    """Passes evidence that covers the question; says what was not found otherwise.

    language: of the message, `ru` or `en`.
    """
    paths = tuple(item.path for item in found.evidence)
    if route.subintent == FIND_FILES:
        mode, yes = DETERMINISTIC, "primary_file_confident"
        no = "low_confidence_shortlist" if paths else "no_file_candidates"
    else:
        mode = GROUNDED_SUMMARY
        yes, no = _reasons(found, route, plan)
    if paths and _carries(found, route, plan):
        return GateDecision(True, mode, yes, "", paths)
    nearest = tuple(dict.fromkeys((*paths, *found.ranked_paths)))[:NEAREST]
    mode = DETERMINISTIC if no == "low_confidence_shortlist" else INSUFFICIENT_EVIDENCE
    missing, apart = found.missing_terms, found.apart_terms
    if not _same_language(found.features):
        # What a document does not say word for word it may say in its own language; but for names.
        missing, apart = (
            tuple(t for t in terms if t.isascii() and (language == "ru" or not t.islower()))
            for terms in (missing, apart)
        )
    message = refusal(language, no, missing, nearest, apart)
    return GateDecision(False, mode, no, message, nearest)


def support(features: Mapping[str, float]) -> float:
    """How well the best document covers the question; compare with `needed`."""
    words = features.get("lexical", 0.0)
    if features.get("vectors", 0.0):
        words = min(words, WORDS_CAP)
    judged = 0.0
    if features.get("reranked", 0.0):
        judged = NEARNESS_WEIGHT * features.get("nearness", 0.0)
        judged += KNOWN_WEIGHT * features.get("known", 0.0)
    names = 2 * UNKNOWN_NAME * features.get("unknown_names", 0.0)
    return words + _cosines(features) + judged - names


def _cosines(features: Mapping[str, float]) -> float:
    return DENSE_WEIGHT * features.get("dense", 0.0) + ENCODER_WEIGHT * features.get("encoder", 0.0)


def needed(features: Mapping[str, float]) -> float:
    """Support that is enough, given the signals that took part."""
    vectors = features.get("vectors", 0.0)
    reranked = features.get("reranked", 0.0)
    across = bool(vectors) and not _same_language(features)
    words = WORDS_NEEDED_ACROSS if across and not reranked else WORDS_NEEDED
    judged = RERANKED_NEEDED_ACROSS if across else RERANKED_NEEDED
    return words + VECTORS_NEEDED * vectors + judged * reranked


def _carries(found: EvidenceSet, route: RouteResult, plan: RetrievalPlan) -> bool:
    features = found.features
    if route.intent == GENERAL_QA and not route.target_terms:
        # Nothing in particular was asked: an overview of what there is answers a question that
        # the router took for one, not whatever it could make nothing of.
        return not route.routing_mode.endswith("_fallback")
    anchors = route.anchors
    by_place = bool(anchors.endpoint_paths or anchors.file_names)
    target = _has_target(found, plan)
    lead = support(features) - needed(features)
    if (target or by_place) and features.get("asked", 1.0) < ASKED:
        # An endpoint or a file written out is most of what is compared in its own language.
        comparable = not (by_place and _same_language(features))
        return comparable and lead >= SURE_BY
    if target and features.get("asked", 1.0) >= MOSTLY:
        return True
    if route.subintent == FIND_FILES and _says_all(features):
        return True
    if features.get("property_unknown", 0.0) and _same_language(features):
        # Words about its bearer, however many, do not tell a property that no document names.
        return _cosines(features) >= SURE
    return lead >= 0.0 and not _by_chance(features)


def _by_chance(features: Mapping[str, float]) -> bool:
    """True when a word or two are shared and no sentence is alike."""
    unlike = bool(features.get("reranked", 0.0)) and _cosines(features) < UNLIKE
    return unlike and features.get("coverage", 0.0) < SAID_ALL


def _says_all(features: Mapping[str, float]) -> bool:
    """True when the best document has every word of the question, as often as is convincing: it is
    a file that mentions what is looked for, however little vectors make of a single word."""
    return features.get("coverage", 0.0) >= 1.0 and features.get("lexical", 0.0) >= WORDS_CAP


def _has_target(found: EvidenceSet, plan: RetrievalPlan) -> bool:
    """True when a document that the plan names is among the evidence."""
    return bool(values(plan, "target_doc_hints")) and any(
        item.match_reason == "exact_path" for item in found.evidence
    )


def _reasons(found: EvidenceSet, route: RouteResult, plan: RetrievalPlan) -> tuple[str, str]:
    """Stable words for yes and no."""
    if route.intent == GENERAL_QA:
        return "general_docs_found", "general_docs_missing"
    if _has_target(found, plan):
        return "target_doc_found", "evidence_insufficient"
    anchors = route.anchors
    named = anchors.endpoint_paths or anchors.file_names or anchors.target_doc_hints
    return "evidence_covers_question", "target_doc_missing" if named else "evidence_insufficient"


def _same_language(features: Mapping[str, float]) -> bool:
    return features.get("same_language", 1.0) > 0.0
