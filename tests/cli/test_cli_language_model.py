"""The command line with a language model's service that answers well, badly, late or not at all."""

from __future__ import annotations

import json
import shutil
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from command_line import Result, docs_agent, write
from llm_cases import load, proposing, script
from llm_server import LLMServer, Script, chat, llm_server, unused_port
from test_cli_imports import loaded

from docs_agent.cli.language_model import PROVIDER_VARIABLE
from docs_agent.core.llm import resolve

MODES = {"deterministic_first": "llm_assisted", "llm_first": "llm_default"}
STRATEGIES = pytest.mark.parametrize("strategy", MODES)
# No marker and no name: the rules are unsure of it. The documentation answers it.
QUESTION = "how many seconds pass before the next attempt"
UNKNOWN = "сколько стоит подписка на пиццу"
TOLD = "note: language model: "
CONNECT = 1.0
GENEROUS = 20.0
"""Seconds beyond a limit before a busy machine is no excuse."""
CASES = [
    case
    for case in load("replies")
    if case["name"]
    not in (
        "thoughts before the JSON",
        "known words in a combination that does not exist",
        "enum in small letters",
        "a list, not an object",
        "half of the JSON",
        "401",
        "the connection is dropped at once",
    )
]


@pytest.fixture(scope="module")
def projects(sample: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """An indexed project for each strategy; which service it uses is left to the environment."""
    found = {}
    for strategy in MODES:
        root = tmp_path_factory.mktemp(strategy) / "notify"
        shutil.copytree(sample, root)
        config = (
            f'[router]\nstrategy = "{strategy}"\n'
            f"[llm]\ntimeout = 2.5\nconnect_timeout = {CONNECT}\nretries = 1\n"
        )
        found[strategy] = write(root, {"docs-agent.toml": config})
    return found


def env(port: int) -> dict[str, str]:
    """The service at that port of loopback."""
    return {
        PROVIDER_VARIABLE: "openai",
        "DOCS_AGENT_LLM_BASE_URL": f"http://127.0.0.1:{port}",
        "DOCS_AGENT_LLM_MODEL": "m",
        "DOCS_AGENT_LLM_API_KEY": "",
        "OPENAI_API_KEY": "",
        "no_proxy": "127.0.0.1",
    }


def run(root: Path, port: int, *arguments: str, stdin: str = "") -> Result:
    return docs_agent(*arguments, cwd=root, env=env(port), stdin=stdin)


@contextmanager
def serving(*replies: Script) -> Iterator[LLMServer]:
    with llm_server(*replies) as server:
        yield server


@contextmanager
def black_hole() -> Iterator[int]:
    """A port that never finishes a connection: its queue is full and nobody accepts."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen(0)
        port = listener.getsockname()[1]
        waiting = []
        try:
            for _ in range(8):
                client = socket.socket()
                client.setblocking(False)
                client.connect_ex(("127.0.0.1", port))
                waiting.append(client)
            time.sleep(0.1)
            with socket.socket() as probe:
                probe.settimeout(0.3)
                try:
                    probe.connect(("127.0.0.1", port))
                    pytest.skip("this system accepts connections without end")
                except TimeoutError:
                    pass
            yield port
        finally:
            for client in waiting:
                client.close()


@pytest.fixture(scope="module")
def offline(projects: dict[str, Path]) -> Any:
    """What is answered when nobody is asked."""
    return docs_agent("ask", QUESTION, "--json", cwd=projects["llm_first"]).json


def told(result: Result) -> int:
    """How often the failure of the service was told."""
    return sum(line.startswith(TOLD) for line in result.err.splitlines())


@STRATEGIES
@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_ask_answers_whatever_the_service_does(
    case: dict[str, Any], strategy: str, projects: dict[str, Path], offline: Any
) -> None:
    with serving(*script(case["script"])) as server:
        result = run(projects[strategy], server.port, "ask", QUESTION, "--json")
        calls = len(server.requests)
    assert told(result) == bool(case.get("told")), result.err
    assert "Traceback" not in result.err
    assert calls == case.get("calls", calls) >= 1
    found = result.json
    if case["used"]:
        assert result.status in (0, 1)
        assert found["route"]["routing_mode"] == MODES[strategy]
        assert found["route"]["intent"] == "GENERAL_QA"
        assert found["plan"]["profile"] == "general_qa_grounded_summary"
        return
    assert result.status == 0, result.err
    assert found["route"] == {**offline["route"], "routing_mode": "llm_fallback"}
    assert found["route"]["llm_router_used"] is False
    assert (found["answer"], found["citations"]) == (offline["answer"], offline["citations"])


@STRATEGIES
def test_a_good_route_leads_to_the_same_answer(
    strategy: str, projects: dict[str, Path], offline: Any
) -> None:
    with serving(chat(proposing("explain"))) as server:
        found = run(projects[strategy], server.port, "ask", QUESTION, "--json").json
    assert found["answer"] == offline["answer"]
    assert found["route"]["routing_mode"] == MODES[strategy]
    assert found["route"]["reason_short"] == "because"


@STRATEGIES
@pytest.mark.parametrize("command", ["route", "plan"])
def test_route_and_plan_ask_as_well(command: str, strategy: str, projects: dict[str, Path]) -> None:
    with serving(chat(proposing("general"))) as server:
        printed = run(projects[strategy], server.port, command, QUESTION, "--json").json
        shown = run(projects[strategy], server.port, command, QUESTION).out
        refused = run(projects[strategy], server.port, command, QUESTION, "--no-llm").out
        assert len(server.requests) == 2
    assert printed.get("route", printed)["routing_mode"] == MODES[strategy]
    assert MODES[strategy] in shown
    assert "deterministic, confidence" in refused


def test_finding_files_asks_nobody(projects: dict[str, Path]) -> None:
    with serving(chat(proposing("general"))) as server:
        result = run(projects["llm_first"], server.port, "find-files", QUESTION)
        assert (result.status, server.requests) == (0, [])


def test_the_honest_no_stays_the_honest_no(projects: dict[str, Path]) -> None:
    result = run(projects["llm_first"], unused_port(), "ask", UNKNOWN)
    assert (result.status, told(result)) == (1, 1)
    assert result.out == docs_agent("ask", UNKNOWN, cwd=projects["llm_first"]).out


@STRATEGIES
def test_a_batch_is_told_once_that_the_service_is_down(
    strategy: str, projects: dict[str, Path]
) -> None:
    lines = [json.dumps({"id": n, "query": q}) for n, q in enumerate([QUESTION, UNKNOWN] * 5)]
    result = run(projects[strategy], unused_port(), "ask", "--batch", "-", stdin="\n".join(lines))
    assert (result.status, told(result)) == (0, 1), result.err
    answers = [json.loads(line) for line in result.out.splitlines()]
    assert [answer["id"] for answer in answers] == list(range(10))
    assert {answer["route"]["routing_mode"] for answer in answers} == {"llm_fallback"}


def test_a_service_that_cannot_be_reached_costs_the_connect_timeout_once(
    projects: dict[str, Path],
) -> None:
    lines = "\n".join(json.dumps({"id": n, "query": QUESTION}) for n in range(40))
    with black_hole() as port:
        started = time.monotonic()
        result = run(projects["llm_first"], port, "ask", "--batch", "-", stdin=lines)
        seconds = time.monotonic() - started
    assert (result.status, told(result)) == (0, 1), result.err
    assert len(result.out.splitlines()) == 40
    # Forty times the timeout would be more.
    assert seconds < CONNECT + GENEROUS


def test_a_service_that_fails_every_time_is_left_alone_after_a_while(
    projects: dict[str, Path],
) -> None:
    lines = "\n".join(json.dumps({"id": n, "query": QUESTION}) for n in range(12))
    with serving(*script([{"status": 500}])) as server:
        result = run(projects["llm_first"], server.port, "ask", "--batch", "-", stdin=lines)
        assert len(server.requests) < 12
    assert (result.status, told(result)) == (0, 1), result.err


def test_a_model_that_cannot_be_used_is_an_error_when_it_would_be_asked(tmp_path: Path) -> None:
    incomplete = '[llm]\nprovider = "openai"\n'
    clean = dict.fromkeys(env(1), "")
    write(tmp_path, {"docs-agent.toml": incomplete + '[router]\nstrategy = "llm_first"\n'})
    for command in ("route", "plan"):
        result = docs_agent(command, "GET /health.json", cwd=tmp_path, env=clean)
        assert (result.status, result.out) == (2, "")
        assert "no model" in result.err
    assert docs_agent("route", QUESTION, "--no-llm", cwd=tmp_path, env=clean).status == 0
    write(tmp_path, {"docs-agent.toml": incomplete})
    assert (
        docs_agent("route", "в каком файле описан `/health`", cwd=tmp_path, env=clean).status == 0
    )
    unsure = docs_agent("route", QUESTION, cwd=tmp_path, env=clean)
    assert unsure.status == 2, unsure.out
    assert "no model" in unsure.err


def test_a_model_that_is_wanted_and_not_configured_is_an_error(tmp_path: Path) -> None:
    result = docs_agent("route", QUESTION, "--llm", cwd=tmp_path, env=dict.fromkeys(env(1), ""))
    assert result.status == 2
    assert "no language model is configured" in result.err
    assert "[llm]" in result.err


def test_escape_sequences_of_a_model_do_not_reach_the_terminal(
    projects: dict[str, Path],
) -> None:
    reply = proposing("general", reason="\x1b[2J\x1b]0;owned\x07red \x9b31m\u202eline\nnext")
    with serving(chat(reply)) as server:
        result = run(projects["llm_first"], server.port, "route", QUESTION, "--explain")
    assert "red line next" in result.out
    assert "owned" not in result.out.partition("\nmodel\n")[0]
    assert not set("\x1b\x9b\x07\u202e") & set(result.out)


def test_an_explained_route_shows_what_the_model_said_and_what_was_made_of_it(
    projects: dict[str, Path],
) -> None:
    with serving(chat(proposing("explain_api"))) as server:
        root, port = projects["deterministic_first"], server.port
        shown = run(root, port, "route", QUESTION, "--explain").out
        found = run(root, port, "route", QUESTION, "--explain", "--json").json
    assert "proposed   DOCS › DOC_EXPLAIN › EXPLAIN_API, confidence 0.80: because" in shown
    assert "corrected  DOCS › DOC_EXPLAIN › SUMMARY: no endpoint named" in shown
    explained = found["explain"]
    assert explained["escalation"] == "confidence below 0.8"
    assert explained["model"]["name"] == "openai:m"
    assert explained["model"]["corrected"] == "DOCS/DOC_EXPLAIN/SUMMARY"
    total = sum(step["amount"] for step in explained["confidence"])
    assert found["confidence"] == pytest.approx(total)


def test_route_prints_the_contract_and_nothing_else_unless_asked(sample: Path) -> None:
    plain = docs_agent("route", QUESTION, "--json", cwd=sample).json
    explained = docs_agent("route", QUESTION, "--json", "--explain", cwd=sample).json
    assert "explain" not in plain
    assert plain["left_out"] == 0
    assert explained.pop("explain")
    assert explained == plain


def test_a_configured_model_loads_no_http_client_until_it_is_asked(
    projects: dict[str, Path],
) -> None:
    root = projects["deterministic_first"]
    assert loaded(root, "route", "how does /health work", environ=env(unused_port())) == []
    assert "httpx" in loaded(root, "route", QUESTION, "--json", environ=env(unused_port()))


def test_the_variable_is_that_of_the_core() -> None:
    assert PROVIDER_VARIABLE == resolve.PROVIDER_VARIABLE
