"""Carrying out plans: filters, seeds, rows, order, and questions that want to break something."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from docs_agent.core.layers import D0, D1, D3
from docs_agent.core.plans import RetrievalPlan
from docs_agent.core.routes import FIND_FILES, RouteResult
from docs_agent.retrieval.execute import execute

if TYPE_CHECKING:
    from collections.abc import Callable

    from conftest import Project

    Build = Callable[..., Project]

PLAN = RetrievalPlan("docs_summary_generic", (D1, D0), 8)


def asked(question: str) -> RouteResult:
    return RouteResult("DOCS", "DOC_EXPLAIN", "SUMMARY", question, question)


def test_rows_are_distinct_within_the_limit_and_from_the_plans_layers(notify: Project) -> None:
    done = notify.ask("how often is a delivery tried again?").execution
    ids = [row.row_id for row in done.rows]
    assert len(ids) == len(set(ids)) == 8
    assert {row.layer for row in done.rows} <= {D0, D1}
    assert [row.score for row in done.rows] == sorted((r.score for r in done.rows), reverse=True)


def test_file_lookup_hands_on_cards_and_entities_only(notify: Project) -> None:
    found = notify.ask("в каком файле сказано, как часто меняют пароль?")
    assert found.route.subintent == FIND_FILES
    assert found.evidence.ranked_paths[0] == "docs/guides/access-rights.md"
    assert {row.layer for row in found.execution.rows} <= {D1, D3}


def test_the_same_question_gives_the_same_result(notify: Project) -> None:
    first, second = (notify.ask("сколько хранится снимок базы?") for _ in range(2))
    assert first.evidence == second.evidence
    assert first.execution.rows == second.execution.rows


def test_remembered_windows_change_nothing(notify: Project) -> None:
    kept: dict[str, bytes] = {}

    def remember(fingerprint: str, vectors: object) -> None:
        assert isinstance(vectors, dict)
        kept.update(vectors)
        notify.store.cache_vectors(fingerprint, vectors)

    route = asked("who assigns operators?")
    scores = []
    for _ in range(2):
        with notify.store.read("default") as reader:
            done = execute(PLAN, route, reader, notify.embedder, notify.encoder, remember=remember)
        scores.append([(d.path, round(d.score, 5)) for d in done.documents])
        encoded = len(kept)
    assert scores[0] == scores[1]
    assert encoded > 0


def test_a_folder_filter_restricts_before_ranking(by_words: Project) -> None:
    found = by_words.ask("message", path_prefixes=("docs/api/",))
    assert found.evidence.ranked_paths
    assert all(path.startswith("docs/api/") for path in found.evidence.ranked_paths)
    assert found.evidence.relaxations == ()


def test_a_domain_filter_restricts_without_regard_to_case(by_words: Project) -> None:
    found = by_words.ask("state of the message", **{"metadata.domain": "RUNTIME"})
    assert found.evidence.ranked_paths == ("docs/api/health-endpoint.md",)


def test_filters_that_leave_nothing_are_given_up_in_order_and_reported(by_words: Project) -> None:
    filters = {
        "metadata.domain": "runtime",
        "metadata.subdomain": "nowhere",
        "path_prefixes": ("docs/api/",),
    }
    plan = replace(PLAN, filters=filters)
    found = by_words.carry_out(asked("healthy component"), plan)
    assert found.evidence.ranked_paths == ("docs/api/health-endpoint.md",)
    assert found.evidence.relaxations == ("metadata.subdomain = nowhere",)

    plan = replace(PLAN, filters={**filters, "metadata.domain": "no such domain"})
    found = by_words.carry_out(asked("archive снимок"), plan)
    assert found.evidence.ranked_paths == ("docs/guides/backup.md",)
    assert found.evidence.relaxations == (
        "metadata.subdomain = nowhere",
        "metadata.domain = no such domain",
        "path_prefixes = docs/api/",
    )


def test_an_excluded_folder_stays_excluded(by_words: Project) -> None:
    found = by_words.ask("снимок базы данных", exclude_path_prefixes=("docs/guides/",))
    assert not any(path.startswith("docs/guides/") for path in found.evidence.ranked_paths)


def test_docs_prefix_stands_for_every_docs_root(build: Build) -> None:
    project = build(
        {
            "content/en/api/ping.md": "# Ping\n\nAnswers with the word pong.\n",
            "content/en/guide/ping.md": "# Start\n\nSend a ping, wait for the pong.\n",
            "manual/api/pong.md": "# Понг\n\nОтвечает на ping словом pong.\n",
        },
        "content/en",
        "manual",
    )
    found = project.ask("ping pong", path_prefixes=("docs/api/",))
    assert set(found.evidence.ranked_paths) == {"content/en/api/ping.md", "manual/api/pong.md"}
    assert found.evidence.relaxations == ()


@pytest.mark.parametrize(
    ("hint", "path"),
    [
        ("docs/guides/backup.md", "docs/guides/backup.md"),
        ("./docs/guides/backup.md", "docs/guides/backup.md"),
        ("docs\\guides\\backup.md", "docs/guides/backup.md"),
        ("backup", "docs/guides/backup.md"),
    ],
)
def test_a_named_document_is_evidence_whatever_is_asked(
    notify: Project, hint: str, path: str
) -> None:
    plan = replace(PLAN, filters={"target_doc_hints": (hint,), "path_prefixes": ("docs/api/",)})
    found = notify.carry_out(asked("how large may a message be?"), plan)
    assert path in [item.path for item in found.evidence.evidence]


def test_preferences_break_near_ties_only(build: Build) -> None:
    project = build(
        {
            "docs/a/one.md": "# Alpha\n\nThe valve closes at night.\n",
            "docs/b/two.md": "# Alpha\n\nThe valve closes at night.\n",
            "docs/b/other.md": "# Beta\n\nUnrelated words about birds.\n",
        }
    )
    liked = project.ask("when does the valve close", prefer_path_prefixes=("docs/b/", "docs/"))
    assert liked.evidence.ranked_paths[0] == "docs/b/two.md"
    liked = project.ask("when does the valve close", prefer_like_patterns=("%other.md%",))
    assert liked.evidence.ranked_paths[0] == "docs/a/one.md"


HOSTILE = (
    "",
    " \t\n",
    "%",
    "_%_",
    "100% of 'quoted\" \\ values",
    '"unbalanced NEAR( AND OR NOT * ^ : -',
    "title: * OR body:*",
    "'; DROP TABLE rag_records; --",
    "nul\0inside\0",
    "\udc80 lone surrogate",
    "\x1b[31mred\x1b[0m",
    "а" * 10_000,
    "слово word " * 1_000,
    "(" * 5_000,
    "?!.,;:",
    "the and of",
    "и в на",
    "日本語の質問",
    "🙂",
)


@pytest.mark.parametrize("question", HOSTILE, ids=lambda q: repr(q[:20]))
def test_hostile_questions_are_answered_or_refused(
    notify: Project, by_words: Project, question: str
) -> None:
    for project in (notify, by_words):
        found = project.ask(question)
        assert len(found.evidence.ranked_paths) <= 10
        if not found.gate.passed:
            assert found.gate.message
            assert "\x1b" not in found.gate.message


def test_a_project_without_documents_gives_nothing(build: Build) -> None:
    project = build({"docs/empty.md": ""})
    found = project.ask("anything at all")
    assert not found.gate.passed
    assert found.gate.answer_mode == "insufficient_evidence"
