"""Reference pages against the code: configuration, errors, warnings, exit statuses, figures."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
import yaml
from docs_pages import DOCS, ROOT, page, section, table

from docs_agent.cli import errors as cli_errors
from docs_agent.core import errors
from docs_agent.core.config import Config, load_config
from docs_agent.core.config_schema import KEYS
from docs_agent.core.embed import local, service, static, use
from docs_agent.core.embed.registry import EMBEDDERS, KIND_VARIABLE, make_embedder
from docs_agent.core.knowledge import NoKnowledge
from docs_agent.core.layers import DOCS_LAYERS
from docs_agent.core.llm import resolve
from docs_agent.retrieval import evidence_scores, policy_profiles
from docs_agent.router import confidence
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
        (p.name, ", ".join(layer[:2] for layer in p.layers), str(p.limit))
        for p in policy_profiles.PROFILES
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


def test_the_language_model_page_has_every_provider_and_variable() -> None:
    page = "logic/language-model.md"
    written = {
        (r["provider"], r["address by default"], r["key"], r["model by default"])
        for r in table(page, "Providers")
    }
    assert written == {(p.name, p.url, p.key_variable, p.model) for p in resolve.PROVIDERS}
    own = {value for name, value in vars(resolve).items() if name.endswith("_VARIABLE")}
    theirs = {
        getattr(p, field)
        for p in resolve.PROVIDERS
        for field in p.__slots__
        if field.endswith("_variable")
    }
    assert {r["variable"] for r in table(page, "Variables")} == own | (theirs - {""})


def test_the_embedding_page_has_every_model() -> None:
    rows = {r["fingerprint"]: r["dimensions"] for r in table("logic/embedding.md", "Two models")}
    assert rows[static.FINGERPRINT] == str(static.DIM)
    assert rows[use.FINGERPRINT] == str(use.DIM)
    chosen = table("logic/embedding.md", "Choosing the embedder")
    assert [row["embedder"] for row in chosen] == [kind.name for kind in EMBEDDERS]
    for name in ("static", "none"):
        assert make_embedder(name).fingerprint in rows
    own = {v for name, v in (vars(service) | vars(local)).items() if name.endswith("_VARIABLE")}
    known = {name for _, name in service.WELL_KNOWN}
    written = {row["variable"] for row in table("logic/embedding.md", "Variables")}
    assert written == own | known | {KIND_VARIABLE}


def _figures() -> list[dict[str, Any]]:
    source = Path(__file__).parent / "cases" / "figures.yml"
    loaded: list[dict[str, Any]] = yaml.safe_load(source.read_text(encoding="utf-8"))
    return loaded


def _figure(name: str) -> float:
    """A figure of the code by its place: `retrieval.fusion.PAGE_WEIGHT`, `… MiB`."""
    place, _, unit = name.partition(" ")
    module, *attributes = re.split(r"\.(?=[A-Z_]|[a-z]+$)", place)
    value: Any = import_module(f"docs_agent.{module}")
    for attribute in attributes:
        value = getattr(value, attribute)
    return value / 2**20 if unit == "MiB" else value


@pytest.mark.parametrize("case", _figures(), ids=lambda case: f"{case['page']}: {case['says']}")
def test_the_figures_of_a_page_are_those_of_the_code(case: dict[str, Any]) -> None:
    text = " ".join((DOCS / case["page"]).read_text(encoding="utf-8").split())
    assert case["says"].format(*map(_figure, case["figures"])) in text


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


def test_the_answers_page_has_every_workflow_over_records() -> None:
    from docs_agent.retrieval.structured.table import WORKFLOWS

    told = " ".join(row["sub-intent"] for row in table("logic/answers.md", "Answers from records"))
    generic = {"SUMMARY", "FULL_SPEC", "FROM_FEATURE", "OPEN_FILE", "EXPLAIN", "FIND_TESTS"}
    generic.add("FIND_ENTRYPOINTS")
    for intent, subintent, _ in WORKFLOWS:
        assert (intent if subintent in generic else subintent) in told


def test_the_answers_page_has_every_reason_of_a_refusal_from_records() -> None:
    source = "".join(
        path.read_text(encoding="utf-8")
        for path in sorted((ROOT / "retrieval" / "structured").glob("*.py"))
    )
    used = set(re.findall(r'(?<!def )\b(?:_?refused)\((?:inquiry, )?\s*"(\w+)"', source))
    used |= {"engine_missing", "domain_unknown", "domain_not_named"}
    rows = table("logic/answers.md", "Reasons of a refusal from records")
    told = {name.strip("` ") for row in rows for name in row["reason"].split(",")}
    assert told == used
