"""What holds for the router as a whole: any input, any project, bounded time, light imports."""

from __future__ import annotations

import subprocess
import sys
import time
import tomllib
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from memory_knowledge import MemoryKnowledge, build, from_description

from docs_agent.core.errors import ConfigError
from docs_agent.core.knowledge import NoKnowledge
from docs_agent.core.records import KnownName
from docs_agent.core.router_config import RouterConfig
from docs_agent.core.routes import RouteResult
from docs_agent.core.text import name_key
from docs_agent.retrieval.policy import resolve
from docs_agent.router import confidence, markers
from docs_agent.router.catalogue import FILES_ROUTE, GENERAL_ROUTE, ROUTES, find_route
from docs_agent.router.confidence import Grade, adjust
from docs_agent.router.markers import WORD_GROUPS, vocabulary
from docs_agent.router.question import MAX_CHARACTERS, MAX_WORDS, looked_at, read_question
from docs_agent.router.route import extract, route
from docs_agent.router.validator import validate

_SMALL = from_description(
    {
        "documents": {
            "docs/api/health.md": {"endpoint": "GET /health", "title": "Health check"},
            "docs/loop.md": {"alias": ["цикл доставки", "delivery loop"], "entity": "RagSession"},
        }
    }
)


def _valid(result: RouteResult, question: str) -> None:
    assert find_route(result.routing_domain, result.intent, result.subintent) in ROUTES
    looked = looked_at(question)
    assert (result.user_query, result.left_out) == looked
    assert result.normalized_query == " ".join(looked.text.split())
    assert 0.0 <= result.confidence <= 1.0
    assert result.routing_mode in ("deterministic", "deterministic_fallback")
    assert len(result.target_terms) <= 7
    assert len(set(result.target_terms)) == len(result.target_terms)
    assert all(term == term.lower() for term in result.target_terms)
    assert result.reason_short
    assert "\n" not in result.reason_short
    assert not set(result.anchors.endpoint_paths) & set(result.anchors.file_names)
    resolve(result)


_PIECES = """как где в каком файле описан метод health endpoint /health docs/x.md RagSession цикл
доставки what is the which document describes - . ? «» ` { } /a/{b} %_ ё é 🙂 ... ^ $"""
_WORDS = st.sampled_from([*_PIECES.split(), "\x00", "\x1b[0m", ""])


@given(st.text(max_size=300) | st.lists(_WORDS, max_size=40).map(" ".join))
@settings(derandomize=True, deadline=None, max_examples=150)
def test_any_text_gets_a_valid_route(question: str) -> None:
    for knowledge in (NoKnowledge(), _SMALL):
        result = route(question, knowledge, RouterConfig())
        _valid(result, question)
        assert result == route(question, knowledge, RouterConfig())


@pytest.mark.parametrize(
    "unit",
    [
        "a",
        "я",
        "{a",
        "/a",
        "a.",
        "'a",
        "a-",
        "where ",
        "где ",
        "which document ",
        "/a/b/c/d/e/f/g/h/i/j ",
        "/" + "a/" * 140 + " ",
        "\x00 ",
        "health endpoint ",
    ],
)
def test_ten_thousand_characters_cost_no_more_than_a_moment(unit: str) -> None:
    question = (unit * 10_000)[:10_000]
    started = time.process_time()
    _valid(route(question, _SMALL, RouterConfig()), question)
    assert time.process_time() - started < 0.5


def test_only_the_first_words_of_a_long_question_are_looked_at() -> None:
    question = "слово " * MAX_WORDS + "/health"
    assert route(question, _SMALL, RouterConfig()).anchors.endpoint_paths == ()
    assert route("/health " + question, _SMALL, RouterConfig()).anchors.endpoint_paths == (
        "/health",
    )


@pytest.mark.parametrize(
    "question",
    ["how does it work", "  как\n\nэто\tработает? ", "", " ", "слово " * MAX_WORDS, "\x00\udcff"],
)
def test_a_question_of_usual_length_is_looked_at_as_it_came(question: str) -> None:
    assert looked_at(question) == (question, 0)


@pytest.mark.parametrize("unit", ["health ", "слово, ", "/a/b ", "a.b.c; ", "? ", "—", "a", "{}"])
def test_a_long_question_is_looked_at_up_to_a_bound_and_the_rest_is_counted(unit: str) -> None:
    question = "\n " + unit * 200_000
    whole = " ".join(question.split())
    looked = looked_at(question)
    read = read_question(whole)
    assert 0 < len(looked.text) <= MAX_CHARACTERS
    assert whole.startswith(looked.text)
    assert len(looked.text) + looked.left_out == len(whole)
    assert read.text == looked.text
    assert len(read.words) <= MAX_WORDS
    assert looked_at(looked.text) == (looked.text, 0)


def test_the_last_word_that_is_looked_at_is_whole() -> None:
    question = "абвгдежзий" * 3 + " abcdefgh" * 1000
    assert set(looked_at(question).text.split()) == {"абвгдежзий" * 3, "abcdefgh"}
    assert looked_at("one " + "x" * 2 * MAX_CHARACTERS).text == "one"


def test_white_space_takes_no_room_of_a_question() -> None:
    assert looked_at(" " * 2 * MAX_CHARACTERS + "what\n\nis it") == ("what is it", 0)


def test_the_same_question_follows_the_project_it_is_asked_in() -> None:
    here = from_description({"documents": {"a/one.md": {"endpoint": "GET /orders"}}})
    there = from_description({"documents": {"b/two.md": {"endpoint": "POST /v2/orders"}}})
    for question in ("как работает метод orders?", "what does the orders endpoint return"):
        first = route(question, here, RouterConfig()).anchors
        second = route(question, there, RouterConfig()).anchors
        nowhere = route(question, NoKnowledge(), RouterConfig()).anchors
        assert (first.target_doc_hints, first.endpoint_paths) == (("a/one.md",), ("/orders",))
        assert (second.target_doc_hints, second.endpoint_paths) == (("b/two.md",), ("/v2/orders",))
        assert (nowhere.target_doc_hints, nowhere.endpoint_paths) == ((), ("/orders",))


def test_configured_aliases_lead_to_their_documents() -> None:
    config = RouterConfig(aliases={"большая кнопка": "ui/button.md", "kill switch": "ops/kill.md"})
    russian = route("что делает большую кнопку красной", NoKnowledge(), config)
    english = route("who may use the kill switch?", NoKnowledge(), config)
    assert russian.anchors.target_doc_hints == ("ui/button.md",)
    assert russian.anchors.matched_aliases == ("большая кнопка",)
    assert english.anchors.target_doc_hints == ("ops/kill.md",)


def test_configured_markers_are_added_to_the_shipped_ones() -> None:
    config = RouterConfig(markers={"file": ("в каком свитке", "which scroll tells")})
    for question in ("в каком свитке сказано про дракона", "which scroll tells of the dragon"):
        assert route(question, NoKnowledge(), config).subintent == FILES_ROUTE.subintent
        assert route(question, NoKnowledge(), RouterConfig()).subintent != FILES_ROUTE.subintent
    assert route("где описан дракон", NoKnowledge(), config).subintent == FILES_ROUTE.subintent


def test_the_markers_are_read_as_toml_reads_them() -> None:
    text = Path(markers.__file__).with_name("markers.toml").read_text(encoding="utf-8")
    assert markers.vocabulary().lines == {
        group: tuple(lines.splitlines()) for group, lines in tomllib.loads(text).items()
    }


def test_unknown_marker_group_is_refused_with_the_known_ones() -> None:
    with pytest.raises(ConfigError) as error:
        route("x", NoKnowledge(), RouterConfig(markers={"flie": ("x",)}))
    assert "flie" in error.value.message
    assert "file" in error.value.remedy


def test_question_in_a_language_the_index_lacks_is_still_for_the_documentation() -> None:
    english = build([], ["the order is placed for you and in time of need"])
    russian = build([], ["и заказ не в срок на то, что нужно"])
    for question, foreign, own in (
        ("когда придёт посылка", english, russian),
        ("when will the parcel arrive", russian, english),
    ):
        asked = route(question, foreign, RouterConfig())
        assert (asked.intent, asked.confidence) == ("DOC_EXPLAIN", confidence.FOREIGN.base)
        assert route(question, own, RouterConfig()).intent == "GENERAL_QA"


def test_a_path_is_never_both_endpoint_and_file() -> None:
    anchors = route("/health, docs/api/health.md, /openapi.yaml", NoKnowledge(), RouterConfig())
    assert anchors.anchors.endpoint_paths == ("/health",)
    assert anchors.anchors.file_names == ("docs/api/health.md", "/openapi.yaml")


def test_two_domains_at_once_filter_by_neither() -> None:
    known = from_description(
        {"documents": {"a.md": {"domain": "billing"}, "b.md": {"domain": "notify"}}}
    )
    both = route("домен billing и домен notify", known, RouterConfig()).anchors
    assert both.process_domain is None


def test_every_route_has_marker_groups_that_exist() -> None:
    lines = vocabulary().lines
    for row in ROUTES:
        assert row.markers
        assert set(row.markers) <= set(lines)
    assert set(WORD_GROUPS) <= set(lines)


def test_grades_say_how_sure_each_rule_is() -> None:
    grades = {n: g for n, g in vars(confidence).items() if isinstance(g, Grade)}
    assert confidence.ENDPOINT.base == 0.95
    assert confidence.VOCABULARY.base == 0.6
    assert confidence.FALLBACK.base == 0.3
    assert min(grades.values(), key=lambda g: g.base) == confidence.FALLBACK


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("alpha bravo charlie delta", 0.4),  # no strong anchor
        ("alpha", 0.3),  # and short
        ("как работает /alpha при сбое сети", 0.55),  # explicit signal
        ("/alpha", 0.45),  # explicit but short
        ("в каком файле написано про alpha и bravo", 0.55),
    ],
)
def test_confidence_is_adjusted_as_the_seed_says(question: str, expected: float) -> None:
    assert adjust(0.5, extract(question, NoKnowledge(), RouterConfig())) == expected


def test_adjusted_confidence_stays_between_nought_and_one() -> None:
    weak = extract("alpha", NoKnowledge(), RouterConfig())
    strong = extract("как работает /alpha при сбое сети", NoKnowledge(), RouterConfig())
    assert adjust(0.05, weak) == 0.0
    assert adjust(0.99, strong) == 1.0


@pytest.mark.parametrize(
    ("given_figure", "expected"),
    [
        (0.7, 0.7),
        ("0.7", 0.7),
        (7, 1.0),
        (-1, 0.0),
        ("much", 0.0),
        (None, 0.0),
        ("nan", 0.0),
        (True, 0.0),
        ([1], 0.0),
    ],
)
def test_proposal_of_a_known_route_is_taken_with_a_usable_figure(
    given_figure: object, expected: float
) -> None:
    proposal = validate(
        {
            "routing_domain": "GENERAL",
            "intent": " GENERAL_QA ",
            "subintent": "SUMMARY",
            "confidence": given_figure,
            "reason_short": "two\nlines " + "x" * 500,
        }
    )
    assert proposal is not None
    assert proposal.route is GENERAL_ROUTE
    assert proposal.confidence == expected
    assert proposal.reason.startswith("two lines")
    assert len(proposal.reason) <= 200


@pytest.mark.parametrize(
    "candidate",
    [
        None,
        "GENERAL",
        [],
        {},
        {"routing_domain": "GENERAL", "intent": "GENERAL_QA", "subintent": "FIND_FILES"},
        {"routing_domain": "DOCS", "intent": "DOC_EXPLAIN", "subintent": 3},
    ],
)
def test_proposal_outside_the_catalogue_is_no_proposal(candidate: object) -> None:
    assert validate(candidate) is None


def _large() -> MemoryKnowledge:
    names: list[KnownName] = []
    texts: list[str] = []
    for i in range(2000):
        path = f"docs/area{i % 40}/page-{i}.md"
        title = f"Page {i} about things"
        names.append(KnownName("title", name_key(title), title, path))
        if i % 4 == 0:
            names.append(
                KnownName("endpoint", f"/things{i}/{{id}}", f"GET /things{i}/{{id}}", path)
            )
        texts.append(f"the page {i} tells of things и вещи word{i % 300}")
    return build(names, texts)


def test_a_route_does_not_turn_a_large_index_round() -> None:
    known = _large()
    questions = (
        "Как работает метод things40 и что он возвращает при ошибке?",
        "I registered two middlewares. Which of them sees the incoming request earlier?",
        "в каком документе описано, как показать запрос, который пошлёт наш сервис?",
        "what does GET /things400/12 return when the page is not there",
        "page 7 about things",
    )
    started = time.process_time()
    for i in range(1000):
        route(questions[i % len(questions)], known, RouterConfig())
    # Ten times what it takes; going through all names for every question would take minutes.
    assert time.process_time() - started < 15


@dataclass
class _Counting(NoKnowledge):
    """Counts the look-ups of one question."""

    asked: list[str] = field(default_factory=list)

    def document_count(self) -> int:
        self.asked.append("document_count")
        return 5

    def endpoints(self) -> tuple[KnownName, ...]:
        self.asked.append("endpoints")
        return ()


def test_endpoints_are_looked_up_only_when_the_question_has_reason_to() -> None:
    plain, named = _Counting(), _Counting()
    route("how do refunds work", plain, RouterConfig())
    route("how does the refunds endpoint work", named, RouterConfig())
    assert "endpoints" not in plain.asked
    assert named.asked.count("endpoints") == 1


def test_routing_imports_nothing_heavy() -> None:
    code = (
        "import sys\n"
        "from docs_agent.core.knowledge import NoKnowledge\n"
        "from docs_agent.core.router_config import RouterConfig\n"
        "from docs_agent.router.route import route\n"
        "route('как работает /health', NoKnowledge(), RouterConfig())\n"
        "heavy = {'numpy', 'httpx', 'markdown_it', 'sentencepiece', 'apsw', 'tomllib'}\n"
        "print(heavy & set(sys.modules))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


def _sample(line: str) -> str:
    """A sentence the phrase is written for: the first word of every place, gaps empty."""
    places = [part.removesuffix("?").removeprefix("$|").split("|") for part in line.split()]
    firsts = [place[0].removeprefix("=").replace("*", "billing") for place in places]
    return " ".join(first for first in firsts if first not in ("...", "^", "$"))


@pytest.mark.parametrize(
    ("group", "line"),
    [
        (group, line)
        for group, lines in vocabulary().lines.items()
        for line in lines
        if group not in WORD_GROUPS and not group.startswith("not_")
    ],
)
def test_every_phrase_of_the_marker_file_is_found_in_its_own_words(group: str, line: str) -> None:
    found = vocabulary().find(read_question(_sample(line)))
    assert group in {marker.group for marker in found}, _sample(line)


@pytest.mark.parametrize("line", vocabulary().lines["not_file"])
def test_every_exception_keeps_its_own_words_from_being_a_file_marker(line: str) -> None:
    found = vocabulary().find(read_question(_sample(line)))
    assert "file" not in {marker.group for marker in found}, _sample(line)


def test_words_are_matched_whole_or_by_stem_and_never_in_part() -> None:
    find = vocabulary().find
    for question, group, is_there in (
        ("логику", "logic", True),
        ("прологика", "logic", False),
        ("архитектурой", "architecture", True),
        ("архив", "architecture", False),
        ("Architecture", "architecture", True),
        ("archive", "architecture", False),
        ("workflow", "logic", True),
        ("process", "logic", False),
        ("business process", "logic", True),
        ("домен", "domain_noun", True),
        ("дом", "domain_noun", False),
        ("ручку", "endpoint", True),
        ("ручной", "endpoint", False),
    ):
        markers = {marker.group for marker in find(read_question(question))}
        assert (group in markers) is is_there, question
