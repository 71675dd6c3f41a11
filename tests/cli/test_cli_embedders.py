"""The command line with each embedder: indexing, asking, and what is told about them."""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from command_line import SAMPLE, Result, docs_agent, write
from embedding_server import embed, texts
from llm_server import LLMServer, Reply, Request, Script, failure, llm_server, unused_port
from test_cli_imports import loaded, modules

from docs_agent.core.embed.registry import EMBEDDERS

QUESTION = "what does the control plane take"
KEY = "sk-embedder-0123456789"
TOLD = "note: embedder: "


def sample(root: Path) -> None:
    """One page of the sample documentation at `root`."""
    if not root.exists():
        (root / "docs").mkdir(parents=True)
        shutil.copy(SAMPLE / "docs" / "api" / "health-endpoint.md", root / "docs")


def configured(root: Path, address: str, **keys: str) -> Path:
    """The project whose embedder is a service."""
    sample(root)
    values = {
        "kind": '"http"', "base_url": f'"{address}"', "model": '"m"',
        "timeout": "3.0", "question_timeout": "1.0", "retries": "1", **keys,
    }  # fmt: skip
    lines = "\n".join(f"{key} = {value}" for key, value in values.items())
    return write(root, {"docs-agent.toml": f"[embedder]\n{lines}\n"})


@contextmanager
def served(root: Path, *script: Script, **keys: str) -> Iterator[LLMServer]:
    """A service, and the project at `root` configured for it."""
    with llm_server(*(script or (embed,))) as server:
        configured(root, server.url, **keys)
        yield server


def run(root: Path, *arguments: str) -> Result:
    return docs_agent(*arguments, cwd=root, env={"DOCS_AGENT_EMBEDDER_API_KEY": KEY})


def test_every_text_is_sent_once_and_what_it_cost_is_told(tmp_path: Path) -> None:
    root = tmp_path / "p"
    with served(root) as server:
        first = run(root, "index", "--json").json
        sent = texts(server.requests)
        assert len(sent) == len(set(sent))
        # One more text told how long the vectors are.
        assert first["spent"]["texts"] == len(sent)
        assert first["spent"]["requests"] == len(server.requests)
        assert first["spent"]["tokens"] == 5 * len(sent)
        assert first["embedder"] == "http:m@192"
        for again in (("index", "--json"), ("index", "--full", "--json")):
            assert run(root, *again).json["spent"]["texts"] == 0
        assert len(texts(server.requests)) == len(sent)
        page = root / "docs" / "extra.md"
        page.write_text("# Extra\n\nSomething quite new about parcels.\n", encoding="utf-8")
        changed = run(root, "index")
        new = texts(server.requests)[len(sent) :]
        assert new
        assert all("Extra" in text or "parcels" in text for text in new)
        assert f"{len(new)} text" in changed.out
        assert "sent to http:m@192 in 1 request" in changed.out
        assert KEY not in first["embedder"] + changed.out + changed.err


def test_a_question_is_one_request_and_none_when_it_comes_again(tmp_path: Path) -> None:
    root = tmp_path / "p"
    with served(root) as server:
        run(root, "index")
        before = len(server.requests)
        asked = run(root, "ask", QUESTION, "--json")
        assert texts(server.requests[before:]) == [QUESTION]
        assert run(root, "ask", QUESTION, "--json").json["answer"] == asked.json["answer"]
        assert len(server.requests) == before + 1
        assert asked.status == 0
        assert loaded(root, "ask", QUESTION, heavy=("httpx",)) == []


@pytest.mark.parametrize(
    "trouble",
    [
        failure(500, "down"),
        Reply(delay=20),
        Reply(body=b"oops"),
        failure(401),
        Reply(drop_after=-1),
    ],
    ids=["500", "slow", "not JSON", "401", "cut"],
)
def test_a_question_is_answered_by_words_when_the_service_fails(
    tmp_path: Path, trouble: Reply
) -> None:
    root = tmp_path / "p"
    with served(root) as server:
        run(root, "index")
        server.script(trouble)
        started = time.monotonic()
        result = run(root, "ask", QUESTION)
        assert time.monotonic() - started < 15
        assert result.status == 0
        assert "younger than 3 seconds" in result.out
        assert result.err.startswith(TOLD)
        assert "answered by words alone" in result.err
        assert KEY not in result.err
        # Nothing was remembered of it.
        server.script(embed)
        before = len(server.requests)
        assert run(root, "ask", QUESTION).err == ""
        assert texts(server.requests[before:]) == [QUESTION]


def test_a_batch_of_questions_waits_once_for_a_service_that_is_away(tmp_path: Path) -> None:
    root = tmp_path / "p"
    with served(root):
        run(root, "index")
    lines = "".join(f'{{"id": {n}, "query": "{QUESTION} {n}"}}\n' for n in range(8))
    result = docs_agent("ask", "--batch", "-", cwd=root, stdin=lines)
    assert result.err.count(TOLD) == 1
    assert len(result.out.splitlines()) == 8


def test_a_run_that_fails_leaves_the_index_and_keeps_what_was_paid_for(tmp_path: Path) -> None:
    root = tmp_path / "p"
    with served(root, batch="16") as server:
        run(root, "index")
        before = run(root, "status", "--json").json
        write(root, {f"docs/new-{n}.md": f"# New {n}\n\nParcel number {n}.\n" for n in range(30)})
        given: list[Request] = []

        def breaks(request: Request) -> Reply:
            given.append(request)
            return embed(request) if len(given) == 1 else failure(503, "overloaded")

        server.script(breaks)
        failed = run(root, "index")
        assert failed.status == 3
        assert "503" in failed.err
        assert "do this" in failed.err
        after = run(root, "status", "--json").json
        assert after["documents"] == before["documents"]
        assert after["last_run"] == "failed"
        server.script(embed)
        assert run(root, "ask", QUESTION).status == 0
        count = len(server.requests)
        assert run(root, "index").status == 0
        paid = set(texts(given[:1]))
        assert len(paid) == 16
        assert not paid & set(texts(server.requests[count:]))


def test_a_first_run_that_fails_is_no_index(tmp_path: Path) -> None:
    root = configured(tmp_path / "p", f"http://127.0.0.1:{unused_port()}")
    failed = run(root, "index")
    assert failed.status == 3
    assert "could not be reached" in failed.err
    asked = run(root, "ask", QUESTION)
    assert asked.status == 2
    assert "index" in asked.err


def test_another_model_is_told_by_status_refused_by_ask_and_embedded_by_index(
    tmp_path: Path,
) -> None:
    root = tmp_path / "p"
    with served(root) as server:
        run(root, "index")
        assert run(root, "status", "--json").json["next_embedder"] is None
        configured(root, server.url, model='"other"')
        told = run(root, "status", "--json").json
        assert (told["embedder"], told["next_embedder"]) == ("http:m@192", "http:other")
        assert "http:other" in run(root, "status").out
        refused = run(root, "ask", QUESTION)
        assert refused.status == 2
        assert "http:m@192" in refused.err
        assert "docs-agent index" in refused.err
        report = run(root, "index", "--json").json
        assert report["embedder"] == "http:other@192"
        assert report["files"]["indexed"] == report["files"]["seen"]
        assert run(root, "ask", QUESTION).status == 0


def test_an_index_of_the_default_is_asked_with_it_whatever_is_configured(tmp_path: Path) -> None:
    root = tmp_path / "p"
    sample(root)
    run(root, "index")
    with served(root) as server:
        assert run(root, "ask", QUESTION).err == ""
        assert server.requests == []
        assert run(root, "status", "--json").json["next_embedder"] == "http:m"


def test_dimensions_that_change_under_way_are_refused(tmp_path: Path) -> None:
    root = tmp_path / "p"
    with served(root, dimensions="192"):
        run(root, "index")
        configured(root, "http://127.0.0.1:1", dimensions="64")
        refused = run(root, "ask", QUESTION)
        assert refused.status == 2
        assert "http:m@192" in refused.err


def test_none_indexes_asks_and_refuses_by_words_alone(tmp_path: Path) -> None:
    root = tmp_path / "p"
    sample(root)
    write(root, {"docs-agent.toml": '[embedder]\nkind = "none"\n'})
    report = run(root, "index", "--json").json
    assert (report["embedder"], report["spent"]) == ("none", None)
    answered = run(root, "ask", QUESTION)
    assert answered.status == 0
    assert "younger than 3 seconds" in answered.out
    refused = run(root, "ask", "how much does a subscription to pizza cost")
    assert refused.status == 1
    assert loaded(root, "ask", "what is asked here for the first time", heavy=("httpx",)) == []


def test_doctor_tells_of_every_embedder(tmp_path: Path) -> None:
    root = tmp_path / "p"
    with served(root) as server:
        found = {c["name"]: c for c in run(root, "doctor", "--json").json["checks"]}
        assert {f"embedder-{kind.name}" for kind in EMBEDDERS} <= found.keys()
        assert "http:m@192" in found["embedder-http"]["detail"]
        assert texts(server.requests[-1:]) == ["docs-agent doctor"]
        server.script(failure(401, f"bad key {KEY}"))
        result = run(root, "doctor", "--json")
    fact = next(c for c in result.json["checks"] if c["name"] == "embedder-http")
    assert (result.status, fact["ok"]) == (1, False)
    assert "DOCS_AGENT_EMBEDDER_API_KEY" in fact["remedy"]
    assert KEY not in result.out + result.err


def test_an_unknown_kind_is_refused_by_index_and_told_by_doctor(tmp_path: Path) -> None:
    root = write(tmp_path, {"docs/a.md": "# A\n", "docs-agent.toml": '[embedder]\nkind = "web"\n'})
    refused = run(root, "index")
    assert refused.status == 2
    assert "unknown embedder 'web'" in refused.err
    told = run(root, "doctor", "--json").json
    assert not next(c for c in told["checks"] if c["name"] == "embedder")["ok"]


def test_the_variable_comes_before_the_file_and_the_option_before_both(tmp_path: Path) -> None:
    root = write(tmp_path, {"docs/a.md": "# A\n", "docs-agent.toml": '[embedder]\nkind = "web"\n'})
    environ = {"DOCS_AGENT_EMBEDDER": "none"}
    report = docs_agent("index", "--json", cwd=root, env=environ)
    assert report.json["embedder"] == "none"
    report = docs_agent("index", "--json", "--embedder", "static", cwd=root, env=environ)
    assert report.json["embedder"].startswith("static:")


def test_a_question_to_the_default_imports_nothing_of_the_others(tmp_path: Path) -> None:
    sample(tmp_path / "p")
    run(tmp_path / "p", "index")
    found = modules(tmp_path / "p", "ask", "is there anything about the price of stamps")
    others = {f"docs_agent.core.embed.{part}" for part in ("http", "local", "service", "by_words")}
    assert not found & (others | {"httpx", "model2vec", "fastembed"})
