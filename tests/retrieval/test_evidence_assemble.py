"""Evidence: how documents are scored, chosen and left out."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from hypothesis import given, settings
from hypothesis import strategies as st

from docs_agent.core.layers import D0, D1
from docs_agent.core.plans import RetrievalPlan
from docs_agent.core.routes import RouteAnchors, RouteResult
from docs_agent.core.rows import Row
from docs_agent.retrieval.evidence import SAID_ELSEWHERE, assemble
from docs_agent.retrieval.execute import Execution
from docs_agent.retrieval.execute_rows import RankedDocument
from docs_agent.retrieval.execute_terms import CORRECTED_WEIGHT, Question
from docs_agent.retrieval.fusion import DocumentSignals

if TYPE_CHECKING:
    from conftest import Project

PLAN = RetrievalPlan("docs_summary_generic", (D1, D0), 8)
ROUTE = RouteResult("DOCS", "DOC_EXPLAIN", "SUMMARY", "valve", "valve", target_terms=("valve",))
QUESTION = Question("valve", "en", (), {"valv": 1.0}, frozenset({"valv"}), {})
KEYS = [
    "semantic",
    "path_match",
    "filename_match",
    "alias_match",
    "anchor_boost",
    "target_doc_boost",
    "specificity_boost",
    "generic_penalty",
]


def card(path: str, **metadata: object) -> Row:
    return Row(hash(path), path, "text", D1, path, "en", "", "", 1, 1, metadata)


def document(path: str, page: float, seed: float = 0.0, **metadata: object) -> RankedDocument:
    return RankedDocument(path, DocumentSignals(page=page, seed=seed), card(path, **metadata))


def execution(*documents: RankedDocument) -> Execution:
    rows = tuple(d.card for d in documents if d.card)
    return Execution(QUESTION, rows, documents)


def test_scores_have_the_causes_of_the_seed(notify: Project) -> None:
    for item in notify.ask("how does /health work").evidence.evidence:
        assert list(item.score_breakdown) == KEYS
        assert sum(item.score_breakdown.values()) == item.score


def test_a_document_named_by_its_endpoint_is_primary_by_its_path(notify: Project) -> None:
    first, *rest = notify.ask("how does /health work").evidence.evidence
    assert (first.path, first.match_reason) == ("docs/api/health-endpoint.md", "exact_path")
    assert first.document_id == "api.health"
    assert first.confidence == 1.0
    assert first.is_primary
    assert not any(item.is_primary for item in rest)
    assert first.score_breakdown["target_doc_boost"] == 1000


def test_a_summary_has_three_documents_and_a_file_lookup_four() -> None:
    many = execution(*(document(f"docs/{n}.md", 0.9) for n in range(9)))
    assert len(assemble(many, ROUTE, PLAN).evidence) == 3
    files = replace(ROUTE, subintent="FIND_FILES")
    assert len(assemble(many, files, PLAN).evidence) == 4


def test_a_specific_document_goes_before_a_generic_one_about_as_good() -> None:
    for generic in ({"doc_kind": "readme"}, {"doc_kind": "index"}, {"type": "overview"}):
        found = assemble(
            execution(
                document("docs/whole.md", 0.80, **generic),
                document("docs/part.md", 0.76, doc_kind="guide"),
            ),
            ROUTE,
            PLAN,
        )
        assert found.ranked_paths == ("docs/part.md", "docs/whole.md")


def test_a_generic_document_that_is_clearly_better_stays_first() -> None:
    found = assemble(
        execution(
            document("docs/index.md", 0.9, doc_kind="index"),
            document("docs/part.md", 0.6, doc_kind="guide"),
        ),
        ROUTE,
        PLAN,
    )
    assert found.ranked_paths[0] == "docs/index.md"


def test_a_name_that_only_sounds_generic_is_no_reason() -> None:
    found = assemble(
        execution(
            document("docs/overview-camera.md", 0.80, doc_kind="doc"),
            document("docs/indexing.md", 0.79, doc_kind="doc"),
        ),
        ROUTE,
        PLAN,
    )
    assert all(item.score_breakdown["generic_penalty"] == 0 for item in found.evidence)


def test_target_documents_are_always_among_the_evidence() -> None:
    documents = [document(f"docs/{n}.md", 0.9) for n in range(5)]
    documents.append(document("docs/named.md", 0.05, seed=1.0))
    plan = replace(PLAN, filters={"target_doc_hints": ("docs/named.md",)})
    found = assemble(execution(*documents), ROUTE, plan)
    assert found.evidence[0].path == "docs/named.md"
    assert found.evidence[0].match_reason == "exact_path"


def test_an_alias_counts_by_its_words_whatever_their_form() -> None:
    route = replace(ROUTE, anchors=RouteAnchors(matched_aliases=("цикла доставки",)))
    named = document("docs/loop.md", 0.5, aliases=("Цикл доставки",))
    found = assemble(execution(named, document("docs/other.md", 0.5)), route, PLAN)
    assert found.evidence[0].path == "docs/loop.md"
    assert found.evidence[0].match_reason == "alias_match"


def test_what_is_left_out_says_why() -> None:
    found = assemble(
        execution(
            *(document(f"docs/{n}.md", 0.9) for n in range(3)),
            document("docs/readme.md", 0.85, doc_kind="readme"),
            document("docs/weak.md", 0.05),
        ),
        ROUTE,
        PLAN,
    )
    assert {d.path: d.reason for d in found.dropped} == {
        "docs/readme.md": "generic document while a specific one is present",
        "docs/weak.md": "far below the best document",
    }


def test_nothing_found_gives_no_evidence() -> None:
    found = assemble(execution(), ROUTE, PLAN)
    assert found.evidence == ()
    assert found.ranked_paths == ()


@given(
    st.lists(
        st.tuples(
            st.sampled_from([f"docs/{name}.md" for name in "abcdefghijklmnopqr"]),
            st.floats(0, 1.5),
            st.sampled_from([0.0, 0.3, 1.0]),
            st.sampled_from(["readme", "guide", "api"]),
        ),
        max_size=18,
        unique_by=lambda item: item[0],
    )
)
@settings(max_examples=150, deadline=None, derandomize=True)
def test_evidence_is_ranked_distinct_and_adds_up(
    items: list[tuple[str, float, float, str]],
) -> None:
    done = execution(*(document(p, s, seed, doc_kind=k) for p, s, seed, k in items))
    found = assemble(done, ROUTE, PLAN)
    paths = [item.path for item in found.evidence]
    assert len(found.ranked_paths) == len(set(found.ranked_paths)) <= 10
    assert [p for p in found.ranked_paths if p in paths] == paths
    assert sum(item.is_primary for item in found.evidence) == min(1, len(paths))
    for item in found.evidence:
        assert sum(item.score_breakdown.values()) == item.score
        assert 0.0 <= item.confidence <= 1.0
    assert not set(paths) & {d.path for d in found.dropped}


def test_a_corrected_word_alone_puts_no_other_document_before_the_named_one() -> None:
    assert SAID_ELSEWHERE > CORRECTED_WEIGHT
