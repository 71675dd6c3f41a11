"""The commands as a person or a script uses them, on the sample documentation."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from command_line import docs_agent, write
from llm_server import failure, llm_server

from docs_agent.router.question import MAX_CHARACTERS

HEALTH = "docs/api/health-endpoint.md"


@pytest.mark.parametrize(
    "question",
    [
        "how does /health work",
        "Как работает метод health?",
        "объясни ручку /health",
        "what does the health endpoint return",
    ],
)
def test_every_way_to_ask_for_the_endpoint_leads_to_its_document(
    question: str, sample: Path
) -> None:
    result = docs_agent("ask", question, "--json", cwd=sample)
    assert result.status == 0, result.err
    answer = result.json
    assert answer["route"]["anchors"]["endpoint_paths"] == ["/health"]
    assert answer["plan"]["profile"] == "docs_summary_api_endpoint"
    assert answer["citations"][0]["path"] == HEALTH
    assert answer["ranked_paths"][0] == HEALTH
    assert answer["language"] == ("ru" if question[0] in "Ко" else "en")


@pytest.mark.parametrize("question", ["how do I brew coffee", "сколько стоит подписка"])
def test_a_question_the_documents_do_not_answer_is_refused(question: str, sample: Path) -> None:
    result = docs_agent("ask", question, "--json", cwd=sample)
    assert result.status == 1
    answer = result.json
    assert answer["answer_mode"] == "insufficient_evidence"
    assert answer["citations"] == []
    assert not answer["gate"]["passed"]
    assert answer["gate"]["supporting_paths"]
    assert answer["gate"]["supporting_paths"][0] in answer["answer"]


def test_cited_lines_hold_the_steps_that_are_quoted(sample: Path) -> None:
    answer = docs_agent("ask", "how does /health work", "--json", cwd=sample).json
    places = {c["n"]: c for c in answer["citations"]}
    steps = re.findall(r"(?m)^\s+\d+\. (.+) \[(\d+)\]$", answer["answer"])
    assert len(steps) == 5
    for step, number in steps:
        place = places[int(number)]
        lines = (sample / place["path"]).read_text(encoding="utf-8").splitlines()
        assert step in "\n".join(lines[place["start_line"] - 1 : place["end_line"]])


def test_find_files_lists_the_document_first(sample: Path) -> None:
    result = docs_agent("find-files", "где описан цикл доставки", "--json", cwd=sample)
    assert result.status == 0
    assert result.json["files"][0]["path"] == "docs/logic/delivery-loop.md"
    assert result.json["files"][0]["is_primary"] is True
    assert result.json["gate"]["passed"] is True


def test_find_files_without_a_match_exits_with_one(sample: Path) -> None:
    result = docs_agent("find-files", "which file describes espresso machines", cwd=sample)
    assert result.status == 1
    assert result.out


def test_path_prefix_keeps_answers_inside_the_folder(sample: Path) -> None:
    result = docs_agent(
        "ask", "how does delivery work", "--path-prefix", "docs/logic", "--json", cwd=sample
    )
    assert result.json["ranked_paths"]
    assert all(path.startswith("docs/logic/") for path in result.json["ranked_paths"])


def test_limit_bounds_the_list(sample: Path) -> None:
    question = "which documents describe the notification"
    one = docs_agent("find-files", question, "--limit", "1", "--json", cwd=sample)
    assert len(one.json["files"]) == 1


def test_a_batch_answers_every_line_and_reports_the_bad_ones(sample: Path, tmp_path: Path) -> None:
    batch = tmp_path / "questions.jsonl"
    batch.write_text(
        '{"id": "a", "query": "how does /health work"}\n'
        "\n"
        "not json\n"
        '{"id": 7}\n'
        '{"id": 8, "query": "  "}\n'
        '{"id": 2, "query": "сколько стоит подписка"}\n',
        encoding="utf-8",
    )
    result = docs_agent("ask", "--batch", batch, "--json", cwd=sample)
    lines = [json.loads(line) for line in result.out.splitlines()]
    assert [line.get("id", line.get("line")) for line in lines] == ["a", 3, 4, 5, 2]
    assert lines[0]["citations"][0]["path"] == HEALTH
    assert "empty" in lines[3]["error"]
    assert lines[4]["gate"]["passed"] is False
    assert f"{batch}:3" in result.err
    assert f"{batch}:4" in result.err
    assert result.status == 2


def test_a_batch_can_come_from_standard_input(sample: Path) -> None:
    line = '{"id": 1, "query": "как работает цикл доставки"}\n'
    result = docs_agent("ask", "--batch", "-", cwd=sample, stdin=line)
    assert result.status == 0
    answer = json.loads(result.out)
    assert answer["id"] == 1
    assert answer["citations"][0]["path"] == "docs/logic/delivery-loop.md"


def test_route_and_plan_work_without_an_index(tmp_path: Path) -> None:
    result = docs_agent("plan", "как работает метод health?", "--json", cwd=tmp_path)
    assert result.status == 0
    assert result.json["route"]["anchors"]["endpoint_paths"] == ["/health"]
    assert result.json["plan"]["layers"] == [
        "D1_DOCUMENT_CATALOG",
        "D2_FACT_INDEX",
        "D0_DOC_CHUNKS",
    ]
    assert "no index" in result.err


def test_status_follows_the_files(sample: Path, tmp_path: Path) -> None:
    root = tmp_path / "notify"
    shutil.copytree(sample, root)
    assert docs_agent("status", "--json", cwd=root).json["fresh"] is True
    write(root, {"docs/new.md": "# New\n", "docs/glossary/delivery-attempt.md": "# Changed\n"})
    (root / "docs/ui/operator-page.md").unlink()
    state = docs_agent("status", "--json", cwd=root).json
    assert state["fresh"] is False
    assert state["added"] == ["docs/new.md"]
    assert state["changed"] == ["docs/glossary/delivery-attempt.md"]
    assert state["removed"] == ["docs/ui/operator-page.md"]
    assert docs_agent("index", cwd=root).status == 0
    assert docs_agent("status", "--json", cwd=root).json["fresh"] is True


def test_a_file_that_cannot_be_indexed_does_not_make_the_index_stale(tmp_path: Path) -> None:
    write(tmp_path, {"docs/a.md": "# A\n\nText.\n"})
    (tmp_path / "docs/picture.md").write_bytes(bytes(range(256)) * 8)
    assert docs_agent("index", cwd=tmp_path).status == 0
    state = docs_agent("status", "--json", cwd=tmp_path).json
    assert state["fresh"] is True
    assert state["refused"] == ["docs/picture.md"]


def test_the_index_keeps_itself_out_of_git(tmp_path: Path) -> None:
    write(tmp_path, {"docs/a.md": "# A\n\nText.\n"})
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    assert docs_agent("index", cwd=tmp_path).status == 0
    untracked = subprocess.run(
        ["git", "status", "--porcelain", "--untracked-files=all"],
        cwd=tmp_path,
        capture_output=True,
        check=True,
    )
    assert untracked.stdout.decode() == "?? docs/a.md\n"


def test_doctor_finds_this_machine_able(sample: Path) -> None:
    result = docs_agent("doctor", "--json", cwd=sample)
    assert result.status == 0, result.out
    assert result.json["ok"] is True
    assert {"python", "configuration", "sqlite-version", "full-text", "index"} <= {
        check["name"] for check in result.json["checks"]
    }


def test_doctor_names_the_remedy_of_a_broken_index(tmp_path: Path) -> None:
    write(tmp_path, {".docs-agent/index.db": "not a database at all, but long enough\n" * 40})
    result = docs_agent("doctor", "--json", cwd=tmp_path)
    assert result.status == 1
    broken = [check for check in result.json["checks"] if not check["ok"]]
    assert [check["name"] for check in broken] == ["index"]
    assert "docs-agent index" in broken[0]["remedy"]


def test_a_model_without_a_key_is_told_by_doctor_and_stops_nothing_else(tmp_path: Path) -> None:
    config = '[llm]\nprovider = "gigachat"\n'
    write(tmp_path, {"docs/a.md": "# GET /a\n\nText of a.\n", "docs-agent.toml": config})
    env = {"GIGACHAT_TOKEN": "", "DOCS_AGENT_LLM_API_KEY": ""}
    assert docs_agent("index", cwd=tmp_path, env=env).status == 0
    assert docs_agent("status", cwd=tmp_path, env=env).status == 0
    result = docs_agent("doctor", "--json", cwd=tmp_path, env=env)
    assert result.status == 1
    (broken,) = [check for check in result.json["checks"] if not check["ok"]]
    assert broken["name"] == "language-model"
    assert "GIGACHAT_TOKEN" in broken["remedy"]


def test_doctor_looks_whether_the_model_answers_and_shows_no_key(tmp_path: Path) -> None:
    write(tmp_path, {"docs/a.md": "# A\n\nText.\n"})
    with llm_server(failure(401, "who are you")) as server:
        env = {
            "DOCS_AGENT_LLM_PROVIDER": "openai",
            "DOCS_AGENT_LLM_BASE_URL": server.url,
            "DOCS_AGENT_LLM_MODEL": "small",
            "DOCS_AGENT_LLM_API_KEY": "sk-very-secret",
        }
        result = docs_agent("doctor", "--json", cwd=tmp_path, env=env)
    assert result.status == 0, result.out
    (check,) = [c for c in result.json["checks"] if c["name"] == "language-model"]
    assert f"openai:small at {server.url}" in check["detail"]
    assert "sk-very-secret" not in result.out + result.err
    assert "authorization" not in server.requests[0].headers


def test_strict_indexing_fails_on_a_warning_but_keeps_the_records(tmp_path: Path) -> None:
    write(tmp_path, {"docs/a.md": "---\nid: a\nid: b\n---\n# A\n\nText.\n"})
    result = docs_agent("index", "--strict", "--json", cwd=tmp_path)
    assert result.status == 1
    assert result.json["files"]["indexed"] == 1
    assert result.json["warnings"][0]["code"] == "frontmatter-duplicate-key"
    again = docs_agent("index", "--strict", "--json", cwd=tmp_path)
    assert again.status == 1
    assert again.json["files"]["unchanged"] == 1
    assert again.json["warnings"] == result.json["warnings"]


def test_documents_outside_docs_are_noted_and_strict_does_not_mind(tmp_path: Path) -> None:
    write(tmp_path, {"docs/a.md": "# A\n\nText.\n", "README.md": "# R\n"})
    result = docs_agent("index", "--strict", cwd=tmp_path)
    assert result.status == 0
    assert "note: README.md outside docs/ is not indexed" in result.err


@pytest.mark.parametrize("command", ["ask", "find-files", "route", "plan"])
def test_a_question_needs_no_quotes(command: str, sample: Path) -> None:
    quoted = docs_agent(command, "how does /health work", "--json", cwd=sample)
    for words in (("how", "does", "/health", "work"), ("--", "how", "does", "/health", "work")):
        result = docs_agent(command, "--json", *words, cwd=sample)
        assert result.status == 0, result.err
        assert {**result.json, "seconds": 0} == {**quoted.json, "seconds": 0}


def test_a_plan_says_what_docs_stands_for(tmp_path: Path, sample: Path) -> None:
    write(tmp_path, {"content/en/docs/api/a.md": "# GET /a\n\nText of a.\n"})
    assert docs_agent("index", "content/en/docs", cwd=tmp_path).status == 0
    result = docs_agent("plan", "how does /a work", cwd=tmp_path)
    assert "docs/ = content/en/docs/" in result.out
    assert "docs/ =" not in docs_agent("plan", "how does /health work", cwd=sample).out


def test_status_and_doctor_do_not_praise_an_empty_index(tmp_path: Path) -> None:
    assert docs_agent("index", cwd=tmp_path).status == 0
    write(tmp_path, {"docs/a.md": "# A\n\nText.\n"})
    assert docs_agent("status", "--json", cwd=tmp_path).json["fresh"] is False
    result = docs_agent("doctor", "--json", cwd=tmp_path)
    assert result.status == 1
    assert [c["name"] for c in result.json["checks"] if not c["ok"]] == ["index"]


def test_doctor_names_an_alias_that_leads_nowhere(tmp_path: Path) -> None:
    config = '[router.aliases]\n"ghost" = "docs/ghost.md"\n"page" = "docs/a.md"\n"it" = "the.id"\n'
    text = "---\nid: the.id\n---\n# A\n\nText.\n"
    write(tmp_path, {"docs/a.md": text, "docs-agent.toml": config})
    assert docs_agent("index", cwd=tmp_path).status == 0
    result = docs_agent("doctor", "--json", cwd=tmp_path)
    (broken,) = [check for check in result.json["checks"] if not check["ok"]]
    assert "docs/ghost.md" in broken["detail"]
    assert "page" not in broken["detail"]
    assert "the.id" not in broken["detail"]
    route = docs_agent("route", "tell me about it", "--json", cwd=tmp_path)
    assert route.status == 0


def test_a_document_cannot_send_commands_to_the_terminal(tmp_path: Path) -> None:
    text = "# Pump\n\nThe pump \x1b]0;owned\x07 moves \x1b[31mwater\x1b[0m at 5 bar.\n"
    write(tmp_path, {"docs/pump.md": text})
    docs_agent("index", cwd=tmp_path)
    result = docs_agent("ask", "what does the pump move", "--explain", cwd=tmp_path)
    assert result.status == 0
    assert "\x1b" not in result.out
    assert "\x07" not in result.out
    assert "water" in result.out


@pytest.mark.parametrize(
    "question",
    [
        "'; DROP TABLE rag_records; --",
        'title:"health" OR * NEAR(a b) ^"',
        "100% _ready_ [a-z] *?",
        "?!",
        "а почему?",
        "why?",
        "\u202eevil \x1b[2J",
        "слово " * 2000,
        "a" * 10_000,
    ],
)
def test_any_question_is_answered_or_refused_in_words(question: str, sample: Path) -> None:
    result = docs_agent("ask", question, cwd=sample)
    assert result.status in (0, 1), result.err
    # Only a question that is cut is spoken of.
    is_cut = len(question) > MAX_CHARACTERS
    assert ("were left out" in result.err) if is_cut else result.err == ""
    assert "\x1b" not in result.out
    assert result.out.strip()
