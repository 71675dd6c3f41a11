"""Small pure functions: kinds by path, inline text, targets, the vocabulary."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docs_agent.indexers.doc_kind import doc_kind
from docs_agent.indexers.layers.inline import clip, key_and_value, plain, reference_in
from docs_agent.indexers.layers.targets import is_external, kind_by_name, looks_like_path, resolve
from docs_agent.indexers.layers.values import jsonable, text_of, texts_of
from docs_agent.indexers.names import endpoint_key
from docs_agent.templates import vocabulary
from docs_agent.templates.lookup import is_how_to, label_role, name_form, section_role


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("README.md", "readme"),
        ("docs/api/README.md", "readme"),
        ("docs/release-notes.md", "changelog"),
        ("docs/tutorial/index.md", "index"),
        ("docs/_index.md", "index"),
        ("docs/adr/0001-use-sqlite.md", "adr"),
        ("docs/runbooks/restart.md", "runbook"),
        ("docs/rag/api-session-create.md", "api"),
        ("docs/rag/logic-retrieval.md", "logic"),
        ("docs/rag/entity-index-job.md", "entity"),
        ("docs/rag/architecture-overview.md", "architecture"),
        ("docs/api/guide/first.md", "guide"),
        ("docs/How To/x.md", "guide"),
        ("docs/руководство/начало.md", "guide"),
        ("docs/глоссарий.md", "glossary"),
        ("docs/specs/a.md", "spec"),
        ("docs/archive/a.md", "doc"),
        ("a", "doc"),
    ],
)
def test_doc_kind_comes_from_the_path(path: str, kind: str) -> None:
    assert doc_kind(path) == kind


@pytest.mark.parametrize(
    ("title", "role"),
    [
        ("Summary", "summary"),
        ("3. Summary:", "summary"),
        ("3.1 Интеграции", "integrations"),
        ("**Основной сценарий**", "main_flow"),
        ("НЕФУНКЦИОНАЛЬНЫЕ ТРЕБОВАНИЯ", "non_functional_requirements"),
        ("Non-functional requirements", "non_functional_requirements"),
        ("Технический use case", "scenario"),
        ("Сценарий 2: Возврат", "scenario"),
        ("Scenario 1. Pay", "scenario"),
        ("Related integrations", ""),
        ("Summary of the talk", ""),
        ("x" * 5000, ""),
        ("", ""),
    ],
)
def test_section_names_match_whole(title: str, role: str) -> None:
    assert section_role(title) == role


def test_labels_know_names_only_scenarios_have() -> None:
    assert label_role("Название") == "name"
    assert label_role("Scenario name") == "name"
    assert section_role("Название") == ""


def test_how_to_headings() -> None:
    assert is_how_to("How to test")
    assert is_how_to("Как запустить")
    assert is_how_to("Шаги")
    assert not is_how_to("Какие бывают ошибки")


@pytest.mark.parametrize(
    "table",
    [
        (*vocabulary.SECTION_NAMES, *vocabulary.LABEL_NAMES),
        vocabulary.INTEGRATION_FIELDS,
        vocabulary.CONTRACT_FIELDS,
        vocabulary.RELATION_KEYS,
        vocabulary.FRONTMATTER_KEYS,
    ],
)
def test_no_name_has_two_meanings(table: vocabulary.Table) -> None:
    forms = [name_form(name) for _, names in table for name in names]
    meanings = {}
    for meaning, names in table:
        for name in names:
            assert meanings.setdefault(name_form(name), meaning) == meaning
    assert "" not in forms


@pytest.mark.parametrize(
    ("markdown", "text"),
    [
        ("**a** *b* _c_ `d_e`", "a b c d_e"),
        ("[ссылка](x.md#y) и ![alt](p.png)", "ссылка и alt"),
        ("[![badge](a.svg)](b)", "badge"),
        ("`array<Item>` <b>x</b> &amp; y\\_z", "array<Item> x & y_z"),
        ("a<br>b<td>c", "a b c"),
        ("snake_case_name and 2 * 3 * 4", "snake_case_name and 2 * 3 * 4"),
        ("open `tick", "open `tick".replace("`", "")),
    ],
)
def test_plain_text(markdown: str, text: str) -> None:
    assert plain(markdown) == text


@pytest.mark.parametrize(
    ("bullet", "pair"),
    [
        ("Key: value", ("Key", "value")),
        ("**Key**: value", ("Key", "value")),
        ("**Ключ:** значение", ("Ключ", "значение")),
        ("`key`: v", ("key", "v")),
        ("key:", ("key", "")),
        ("http://x.org", None),
        ("no pair", None),
        ("**bold** words: not a key", None),
        ("one two three four five six seven: v", None),
        (": v", None),
    ],
)
def test_key_and_value(bullet: str, pair: tuple[str, str] | None) -> None:
    assert key_and_value(bullet) == pair


def test_reference_is_the_only_thing_named() -> None:
    assert reference_in("see `a`") == "a"
    assert reference_in("`a` and `b`") == ""
    assert reference_in("[x](y.md)") == "y.md"
    assert reference_in("text") == ""


@settings(derandomize=True, deadline=None)
@given(st.text(max_size=300), st.integers(20, 100))
def test_clip_never_exceeds_its_limit(text: str, limit: int) -> None:
    assert len(clip(text, limit)) <= limit
    if len(text) <= limit:
        assert clip(text, limit) == text


@settings(derandomize=True, deadline=None)
@given(st.text(max_size=300))
def test_plain_never_grows_a_text_without_entities(text: str) -> None:
    assert len(plain(text.replace("&", ""))) <= len(text)


def test_targets() -> None:
    assert is_external("https://x.org/a.md")
    assert is_external("mailto:a@b.c")
    assert is_external("//cdn/x")
    assert not is_external("a/b.md")
    assert kind_by_name("a/b.MD") == "document"
    assert kind_by_name("a/b/") == "document"
    assert kind_by_name("a.py") == "code"
    assert kind_by_name("a.png") == ""
    assert looks_like_path("src/a.py::f")
    assert looks_like_path("../x")
    assert not looks_like_path("api.create_order")
    assert not looks_like_path("logic-rag-indexing")


def test_resolving_stays_inside_the_project() -> None:
    assert resolve("../b.md#c", "docs/x/a.md", "docs") == "docs/b.md"
    assert resolve("/b.md?x=1", "docs/x/a.md", "docs") == "docs/b.md"
    assert resolve("/b.md", "a.md", ".") == "b.md"
    assert resolve("../../../b.md", "docs/x/a.md", "docs") is None
    assert resolve("/../../b.md", "docs/a.md", "docs") is None


@pytest.mark.parametrize(
    ("endpoint", "key"),
    [
        ("GET /health", "/health"),
        ("/Items/{Id}/?q=1", "/items/{id}"),
        ("post /", "/"),
        ("health", ""),
        ("`POST /a/b.`", "/a/b"),
    ],
)
def test_endpoint_key(endpoint: str, key: str) -> None:
    assert endpoint_key(endpoint) == key


def test_frontmatter_values_of_any_shape() -> None:
    assert text_of({"name": "Order", "x": 1}) == "Order"
    assert text_of([1, 2]) == ""
    assert text_of(None) == ""
    assert texts_of("a") == ("a",)
    assert texts_of({"id": "b"}) == ("b",)
    assert texts_of([{"id": "b"}, None, " c ", []]) == ("b", "c")
    deep: object = "x"
    for _ in range(500):
        deep = [deep]
    assert jsonable({1: {2}, "f": 1.5}) == {"1": [2], "f": "1.5"}
    assert "…" in str(jsonable(deep))
