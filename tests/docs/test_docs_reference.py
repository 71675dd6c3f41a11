"""Reference pages against the code: configuration, errors, warnings, exit statuses, figures."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from docs_pages import DOCS, ROOT, page, section, table

from docs_agent.cli import errors as cli_errors
from docs_agent.core import errors
from docs_agent.core.config import Config, load_config
from docs_agent.core.config_schema import KEYS
from docs_agent.core.embed import static, use
from docs_agent.core.embed.registry import EMBEDDERS
from docs_agent.core.knowledge import NoKnowledge
from docs_agent.core.layers import DOCS_LAYERS
from docs_agent.core.store import blob_cache, vector_cache
from docs_agent.indexers import frontmatter, markdown, metadata
from docs_agent.indexers.layers import (
    d1_document_catalog,
    d2_fact_index,
    d3_entity_catalog,
    d4_workflow_index,
    d5_relation_graph,
    d6_integration_index,
)
from docs_agent.retrieval import (
    evidence,
    evidence_scores,
    execute,
    execute_preferences,
    execute_spelling,
    execute_terms,
    fusion,
    gate,
    policy,
    rerank,
    rerank_windows,
)
from docs_agent.router import anchors, confidence, names, question, target_terms
from docs_agent.router.markers import vocabulary
from docs_agent.router.route import route

CATALOG = "errors/catalog.md"
WARNINGS = (
    "Warnings about a file or folder",
    "Warnings about the text",
    "Warnings about the frontmatter",
    "Warnings of the extractors",
)
# Calls that take a warning's code, and nothing else in kebab-case.
_WARN = ("IndexWarning", "Refused", "MetadataError", "Decoded", "Body", "warn", "_warn", "doubt")
_CODE = re.compile(r"[a-z]+(?:-[a-z0-9]+)+|unreadable")


def test_the_configuration_page_has_every_key_and_no_other() -> None:
    assert [row["key"] for row in table("configuration.md", "Keys")] == [key.name for key in KEYS]


@pytest.mark.parametrize("row", table("configuration.md", "Keys"), ids=lambda row: row["key"])
def test_the_configuration_page_gives_the_default(row: dict[str, str]) -> None:
    group, _, name = row["key"].partition(".")
    default: Any = getattr(getattr(Config(), group), name)
    written = tomllib.loads(f"value = {row['default']}")["value"]
    assert written == (list(default) if isinstance(default, tuple) else default)


def test_the_example_of_the_configuration_page_is_a_good_configuration(tmp_path: Path) -> None:
    blocks = section("configuration.md", "Example").blocks
    source = "\n".join(next(b for b in blocks if b.kind == "code").text.splitlines()[1:-1])
    (tmp_path / "docs-agent.toml").write_text(source, encoding="utf-8")
    config = load_config(tmp_path)
    assert [key.example for key in KEYS if key.example not in source] == []
    # Marker groups are only looked up when a question comes.
    assert route("which page", NoKnowledge(), config.router)


def test_the_catalogue_has_every_error_class_with_its_place_status_and_retry() -> None:
    rows = table(CATALOG, "Errors")
    written = [(r["error"], r["parent"], r["exit status"], r["retry"]) for r in rows]
    assert sorted(written) == sorted(_error_classes(errors.DocsAgentError, ""))
    assert all(row["what to do"] for row in rows)


def _error_classes(kind: type[errors.DocsAgentError], parent: str) -> Iterator[tuple[str, ...]]:
    yield kind.__name__, parent, str(kind.exit_status), "yes" if kind.retryable else "no"
    for child in kind.__subclasses__():
        yield from _error_classes(child, kind.__name__)


def test_the_exit_status_page_has_every_status() -> None:
    own = {kind.exit_status for kind in (errors.DocsAgentError, errors.ServiceError)}
    known = {0, 1, *own, cli_errors.INTERNAL, cli_errors.INTERRUPTED}
    rows = table("exit-status-and-errors.md", "Values")
    assert {int(row["status"]) for row in rows} == known


def test_the_catalogue_has_every_warning_code_of_indexing_once() -> None:
    documented = [row["code"] for title in WARNINGS for row in table(CATALOG, title)]
    assert sorted(documented) == sorted(_codes())


def _codes() -> set[str]:
    """Warning codes in the source of `indexers`."""
    trees = (ast.parse(p.read_text(encoding="utf-8")) for p in (ROOT / "indexers").rglob("*.py"))
    calls = (node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Call))
    inside = (value for call in calls if _takes_code(call.func) for value in ast.walk(call))
    texts = (node.value for node in inside if isinstance(node, ast.Constant))
    return {text for text in texts if isinstance(text, str) and _CODE.fullmatch(text)}


def _takes_code(called: ast.expr) -> bool:
    if isinstance(called, ast.Name):
        return called.id in _WARN
    if not isinstance(called, ast.Attribute):
        return False
    owner = called.value
    appended = called.attr == "append" and isinstance(owner, ast.Attribute)
    return called.attr in _WARN or (appended and owner.attr.endswith("warnings"))


def test_the_layers_page_has_every_layer_in_order() -> None:
    rows = table("domains/layers.md", "What one record stands for")
    assert [row["layer"] for row in rows] == list(DOCS_LAYERS)


def test_the_planning_page_has_every_profile() -> None:
    written = {
        (row["profile"], row["layers in order"], row["limit"])
        for row in table("logic/planning.md", "Profiles")
    }
    assert written == {
        (p.name, ", ".join(layer[:2] for layer in p.layers), str(p.limit)) for p in policy.PROFILES
    }


def test_the_routing_page_has_every_figure_and_marker_group() -> None:
    grades = [g for g in vars(confidence).values() if isinstance(g, confidence.Grade)]
    rows = table("logic/routing.md", "Confidence")
    written = sorted((float(row["base"]), row["adjusted"] == "yes") for row in rows)
    assert written == sorted((grade.base, grade.adjusted) for grade in grades)
    groups = ", ".join(row["group"] for row in table("logic/routing.md", "Markers")).split(", ")
    assert sorted(groups) == sorted(vocabulary({}).lines)


def test_the_evidence_page_has_the_points_of_every_part() -> None:
    written = {row["part"]: row["points"] for row in table("logic/evidence-and-gate.md", "Score")}
    figures = {
        "semantic": [evidence_scores.SCALE],
        "path_match": [evidence_scores.PATH, evidence_scores.PATH_MAX],
        "filename_match": [evidence_scores.FILENAME, evidence_scores.FILENAME_MAX],
        "alias_match": [evidence_scores.ALIAS],
        "anchor_boost": [evidence_scores.ANCHOR],
        "target_doc_boost": [evidence_scores.TARGET],
        "specificity_boost": [evidence_scores.SPECIFIC],
        "generic_penalty": [evidence_scores.GENERIC],
    }
    found = {part: list(map(int, re.findall(r"-?\d+\b", text))) for part, text in written.items()}
    assert {part: numbers[: len(figures[part])] for part, numbers in found.items()} == figures


def test_the_embedding_page_has_every_model() -> None:
    rows = {r["fingerprint"]: r["dimensions"] for r in table("logic/embedding.md", "Two models")}
    assert rows[static.FINGERPRINT] == str(static.DIM)
    assert rows[use.FINGERPRINT] == str(use.DIM)
    assert {kind.make().fingerprint for kind in EMBEDDERS} <= rows.keys()


# A page, a phrase of it, and the figures of the code that fill it.
FIGURES: tuple[tuple[str, str, tuple[float, ...]], ...] = (
    ("domains/layers.md", "| D2 | {} facts, {} rows of a table", (d2_fact_index.MAX_FACTS, d2_fact_index.MAX_ROWS)),
    ("domains/layers.md", "| D3 | {} entities of the frontmatter, {} found ones", (d3_entity_catalog.MAX_WRITTEN, d3_entity_catalog.MAX_FOUND)),
    ("domains/layers.md", "| D4 | {} workflows, {} lines of a field", (d4_workflow_index.MAX_WORKFLOWS, d4_workflow_index.MAX_LINES)),
    ("domains/layers.md", "| D5 | {} edges", (d5_relation_graph.MAX_EDGES,)),
    ("domains/layers.md", "| D6 | {} integrations", (d6_integration_index.MAX_INTEGRATIONS,)),
    ("domains/layers.md", "up to {:,} characters. Without one", (d1_document_catalog.SUMMARY_LIMIT,)),
    ("domains/layers.md", "up to {} characters.\n", (d1_document_catalog.LEAD_LIMIT,)),
    ("logic/frontmatter-recovery.md", "larger than {:,} characters or nested deeper than {} levels", (metadata.MAX_CHARS, metadata.MAX_DEPTH)),
    ("logic/frontmatter-recovery.md", "at most {} warnings", (frontmatter._MAX_WARNINGS,)),
    ("logic/indexing.md", "| lines of a file with structure | {:,};", (markdown.MAX_LINES,)),
    ("logic/indexing.md", "| characters of a line searched for structure | {:,} |", (markdown.MAX_LINE,)),
    ("logic/store-concurrency.md", "about {:.0f} MiB at most |\n| `rag_chunk_cache`", (blob_cache.MAX_BYTES / 2**20,)),
    ("logic/store-concurrency.md", "vectors by text, about {:.0f} MiB", (vector_cache.MAX_BYTES / 2**20,)),
    ("logic/routing.md", "first {} words", (question.MAX_WORDS,)),
    ("logic/routing.md", "at most {} documents: named files", (anchors.MAX_HINTS,)),
    ("logic/routing.md", "At most {}, in lower case", (target_terms.MAX_TERMS,)),
    ("domains/known-name.md", "up to {} words of the question", (names.MAX_NAME_WORDS,)),
    ("logic/retrieval.md", "up to {0} rows by words and up to {0} by vector", (execute.CANDIDATES,)),
    ("logic/retrieval.md", "its best {} documents", (execute.READ_DOCUMENTS,)),
    ("logic/retrieval.md", "| words on the whole page | {} |", (fusion.PAGE_WEIGHT,)),
    ("logic/retrieval.md", "| words in the best other row | {} |", (fusion.ROW_WEIGHT,)),
    ("logic/retrieval.md", "| vector | {} |", (fusion.DENSE_WEIGHT,)),
    ("logic/retrieval.md", "| encoder | {} |", (fusion.ENCODER_WEIGHT,)),
    ("logic/retrieval.md", "| named document | {} | {} for an exact path, {} for", (fusion.SEED_WEIGHT, execute_preferences.EXACT_SEED, execute_preferences.SUBSTRING_SEED)),
    ("logic/retrieval.md", "| preferred folder | 1.0 | {} |", (execute_preferences.FOLDER_BONUS,)),
    ("logic/retrieval.md", "| preferred name | 1.0 | {} a pattern |", (execute_preferences.NAME_BONUS,)),
    ("logic/retrieval.md", "give at most {:.2f}", (execute_preferences.MAX_BONUS,)),
    ("logic/retrieval.md", "title {:.0f}, the section path {:.0f}, path and body {:.0f}", (fusion.WEIGHTS.title, fusion.WEIGHTS.section, fusion.WEIGHTS.body)),
    ("logic/retrieval.md", "about {} characters, with", (rerank_windows.WINDOW,)),
    ("logic/retrieval.md", "best {} rows compete; {} are encoded, at most {} of a document", (rerank.MAX_ROWS, rerank.MAX_WINDOWS, rerank.MAX_PER_DOCUMENT)),
    ("logic/retrieval.md", "first {:,} characters of the question", (rerank.MAX_QUESTION,)),
    ("logic/retrieval.md", "| shortest word that is corrected | {} letters |", (execute_spelling.MIN_LENGTH,)),
    ("logic/retrieval.md", "| slips allowed | 1, from {} letters on 2 |", (execute_spelling.TWO_SLIPS_FROM,)),
    ("logic/retrieval.md", "| another first letter | from {} letters on |", (execute_spelling.OTHER_INITIAL_FROM,)),
    ("logic/retrieval.md", "| weight of a corrected word | {} |", (execute_terms.CORRECTED_WEIGHT,)),
    ("logic/retrieval.md", "first {} words and the rarest {} stems", (execute_terms.MAX_TOKENS, execute_terms.MAX_STEMS)),
    ("logic/evidence-and-gate.md", "The best {} documents of retrieval", (evidence.CONSIDERED,)),
    ("logic/evidence-and-gate.md", "no vectors | {:.2f} |", (gate.WORDS_NEEDED,)),
    ("logic/evidence-and-gate.md", "| vectors, if they took part | {:.2f} |", (gate.VECTORS_NEEDED,)),
    ("logic/evidence-and-gate.md", "| encoder, if it took part | {:.2f} |", (gate.ENCODER_NEEDED,)),
    ("logic/evidence-and-gate.md", "minus {} for each unknown name", (gate.UNKNOWN_NAME,)),
    ("logic/evidence-and-gate.md", "lexical counts up\nto {}", (gate.WORDS_CAP,)),
    ("logic/evidence-and-gate.md", "the {} nearest documents", (gate.NEAREST,)),
    ("logic/evidence-and-gate.md", "best {} of them are kept, {} for a file look-up", (evidence.MAX_SUMMARIES, evidence.MAX_FILES)),
)  # fmt: skip


@pytest.mark.parametrize(("path", "phrase", "figures"), FIGURES, ids=lambda v: str(v)[:50])
def test_the_figures_of_a_page_are_those_of_the_code(
    path: str, phrase: str, figures: tuple[float, ...]
) -> None:
    text = (DOCS / path).read_text(encoding="utf-8").replace("six words", "6 words")
    assert phrase.format(*figures) in text


def test_every_file_of_the_code_that_a_page_names_exists() -> None:
    folders = "|".join(("cli", "core", "indexers", "retrieval", "router", "templates", "tests"))
    named = re.compile(rf"`((?:{folders})/[\w./-]+)`")
    missing = [
        f"{path.relative_to(ROOT)}: {name}"
        for path in sorted(DOCS.rglob("*.md"))
        for name in named.findall(path.read_text(encoding="utf-8"))
        if not (ROOT / name).exists()
    ]
    assert missing == []


def test_every_console_example_calls_a_command_there_is() -> None:
    from docs_agent.cli.app import COMMANDS

    known = {name for name, _ in COMMANDS}
    called = re.compile(r"docs-agent ([a-z][a-z-]+)")
    unknown = [
        f"{path.name}: {name}"
        for path in sorted(DOCS.rglob("*.md"))
        for name in called.findall(_code_of(path))
        if name not in known
    ]
    assert unknown == []


def _code_of(path: Path) -> str:
    """Fenced and inline code of a page."""
    document = page(path.relative_to(DOCS).as_posix())
    fenced = [b.text for s in document.sections for b in s.blocks if b.kind == "code"]
    return "\n".join([*fenced, *(code for code, _ in document.code_spans)])
