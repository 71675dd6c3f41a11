"""Documents and questions that try to break a list, and lists that are very long."""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docs_agent.core.evidence import Answer
from docs_agent.core.routes import RouteAnchors, RouteResult
from docs_agent.core.store.protocol import Reader
from docs_agent.retrieval.policy import resolve
from docs_agent.retrieval.structured.answer import answer_from_records
from docs_agent.retrieval.structured.table import WORKFLOWS
from docs_agent.retrieval.structured.wording import ENGLISH, RUSSIAN, plural
from docs_agent.router.catalogue import ROUTES

sys.path.insert(0, str(Path(__file__).parent))


from answers_index import build as indexed

Build = Callable[..., Any]
MANY = 5000


def _ask(
    project: Any,
    subintent: str,
    anchors: RouteAnchors = RouteAnchors(),  # noqa: B008
    question: str = "list them",
    terms: tuple[str, ...] = (),
    limit: int | None = None,
    language: str = "en",
) -> Answer:
    row = next(r for r in ROUTES if r.subintent == subintent)
    route = RouteResult(
        row.routing_domain, row.intent, subintent, question, question, terms, anchors
    )
    workflow = next(w for intent, sub, w in WORKFLOWS if (intent, sub) == (row.intent, subintent))
    return answer_from_records(
        workflow, route, resolve(route), getattr(project, "reader", project), language, limit
    )


def _endpoint(title: str, endpoint: str) -> str:
    return f"---\ntitle: {title}\ndoc_type: api_method\nendpoint: {endpoint}\n---\n# T\n\nText.\n"


def test_five_thousand_endpoints_are_counted_and_cut(build: Build) -> None:
    files = {
        f"docs/p{page}.md": _endpoint(
            f"P{page}", "[" + ", ".join(f"GET /e{page * 250 + n}" for n in range(250)) + "]"
        )
        for page in range(MANY // 250)
    }
    project = build(files)
    started = time.perf_counter()
    answer = _ask(project, "LIST_API_METHODS")
    assert time.perf_counter() - started < 5
    lines = answer.text.split("\n")
    assert lines[0] == "5000 API methods:"
    assert len(lines) == 52
    assert lines[-1] == "… 4950 more; to see them: --limit 1000"
    assert len(answer.found.evidence) == 2
    assert len(_ask(project, "LIST_API_METHODS", limit=1000).text.split("\n")) == 1002


def test_markup_of_a_title_stays_text_of_its_line(build: Build) -> None:
    title = '"a | b [1] `c` [x](y) \\e[31mred"'
    project = build(
        {"docs/a.md": _endpoint(title, "GET /a"), "docs/b.md": _endpoint("B", "GET /b")}
    )
    answer = _ask(project, "LIST_API_METHODS")
    lines = answer.text.split("\n")
    assert len(lines) == 3
    assert re.findall(r"\[\d+\]", lines[1]) == ["[1]"]
    assert "\x1b" not in answer.text


@pytest.mark.parametrize("path", ["/a(b)+", "/[x]*", "/%_", "/a.b?c", "/x$^", "/{a}/{b}"])
def test_an_endpoint_of_regex_and_sql_characters_is_taken_literally(
    path: str, build: Build
) -> None:
    project = build({"docs/a.md": _endpoint("A", f"'GET {path}'"), "docs/b.md": "# B\n\nGET /ab\n"})
    answer = _ask(project, "LIST_API_METHODS")
    assert answer.text.startswith("1 API method:\n- GET /")
    shown = answer.text.split("\n")[1]
    key = shown.split()[2].rstrip(":").partition("?")[0].lower()
    told = _ask(project, "EXPLAIN_API", RouteAnchors(endpoint_paths=(key,)))
    assert [item.path for item in told.found.evidence] == ["docs/a.md"]


def test_an_entity_of_regex_and_sql_characters_is_looked_for_literally(build: Build) -> None:
    project = build({"docs/a.md": "# A\n\nUses C++ and a_b.\n", "docs/b.md": "# B\n\nUses axb.\n"})
    for name in ("C++", "a_b"):
        answer = _ask(project, "DOC_ENTITY_LOOKUP", RouteAnchors(entity_names=(name,)))
        assert [item.path for item in answer.found.evidence] == ["docs/a.md"]
    for name in ("%", "a%b", "(", "[", "\\", "(a+)+$" * 20, "\0", "*"):
        answer = _ask(project, "DOC_ENTITY_LOOKUP", RouteAnchors(entity_names=(name,)))
        assert not answer.gate.passed


def test_a_refusal_repeats_no_control_characters_and_no_novel(build: Build) -> None:
    project = build({"docs/a.md": "---\ndomain: one\n---\n# A\n\nText.\n"})
    anchors = RouteAnchors(process_domain="\x1b[31m" + "x" * 10_000 + "\nred")
    answer = _ask(project, "FIND_DOCUMENTS_BY_DOMAIN", anchors)
    assert len(answer.text) < 250
    assert "\x1b" not in answer.text
    assert answer.text.count("\n") == 1


def test_a_command_to_copy_holds_nothing_that_a_shell_expands(build: Build) -> None:
    project = build({"docs/a.md": "# A\n\nText.\n"})
    answer = _ask(project, "FROM_FEATURE", terms=('x"; rm -rf $(y) `z`\\',))
    command = answer.text.split("\n")[0].partition("docs-agent ")[2]
    assert re.fullmatch(r'find-files "[^"$`\\]*"', command), command


def test_hundreds_of_domains_are_not_all_named(build: Build) -> None:
    files = {f"docs/{n}.md": f"---\ndomain: d{n:03}\n---\n# A{n}\n\nText.\n" for n in range(300)}
    answer = _ask(build(files), "FIND_DOCUMENTS_BY_DOMAIN", terms=("d07",))
    assert answer.text.split("\n")[1].endswith("and 290 more")
    assert "d007" in answer.text


def test_an_empty_index_gives_a_refusal_for_every_route(build: Build) -> None:
    project = build({"docs/a.md": "# A\n\nText.\n"})
    for _, subintent, _ in WORKFLOWS:
        if subintent == "SUMMARY":
            continue
        for language in ("en", "ru"):
            answer = _ask(project, subintent, language=language)
            assert answer.answer_mode == "insufficient_evidence"
            assert answer.text


_TEXT = st.text(max_size=8) | st.sampled_from(
    ["docs/a.md", "/a", "Order", "%", "A", "billing", "[1]", "заказ"]
)
_MANY = st.lists(_TEXT, max_size=2).map(tuple)
_ANCHORS = st.builds(
    RouteAnchors, _MANY, _MANY, _MANY, _MANY, _MANY, st.none() | _TEXT, st.none() | _TEXT
)


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Reader]:
    root = tmp_path_factory.mktemp("small")
    (root / "docs").mkdir()
    text = _endpoint("Заказ", "GET /a").replace("title:", "domain: billing\nentities: [A]\ntitle:")
    (root / "docs" / "a.md").write_text(
        f"{text}\n## Integrations\n\n### X\n\n- target: A\n", "utf-8"
    )
    store = indexed(root, "docs", root / "index.db")
    with store.read("default") as reader:
        yield reader
    store.close()


@given(_ANCHORS, _MANY, _TEXT, st.sampled_from([s for _, s, _ in WORKFLOWS if s != "SUMMARY"]))
@settings(derandomize=True, deadline=None, max_examples=100)
def test_any_route_gives_an_answer_with_citations_or_a_refusal(
    small: Reader, anchors: RouteAnchors, terms: tuple[str, ...], question: str, subintent: str
) -> None:
    answer = _ask(small, subintent, anchors, question, terms)
    assert answer.text
    assert answer.gate.passed is bool(answer.citations)
    assert answer.gate.passed is bool(answer.found.evidence)


@pytest.mark.parametrize(
    ("number", "english", "russian"),
    [
        (0, "0 documents", "0 документов"),
        (1, "1 document", "1 документ"),
        (2, "2 documents", "2 документа"),
        (5, "5 documents", "5 документов"),
        (11, "11 documents", "11 документов"),
        (14, "14 documents", "14 документов"),
        (21, "21 documents", "21 документ"),
        (112, "112 documents", "112 документов"),
        (1003, "1003 documents", "1003 документа"),
    ],
)
def test_numbers_take_the_right_form(number: int, english: str, russian: str) -> None:
    assert ENGLISH.counted("documents", number) == english
    assert RUSSIAN.counted("documents", number) == russian


def test_both_languages_say_the_same_things() -> None:
    fields = re.compile(r"\{(\w+)\}")
    assert ENGLISH.templates.keys() == RUSSIAN.templates.keys()
    assert ENGLISH.forms.keys() == RUSSIAN.forms.keys()
    for name, text in ENGLISH.templates.items():
        assert sorted(fields.findall(text)) == sorted(fields.findall(RUSSIAN.templates[name])), name
    assert plural(1, ("a", "b")) == "a"
