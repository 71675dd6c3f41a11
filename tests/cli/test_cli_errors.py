"""Every way to fail has words, a remedy and the right exit status, and never a traceback."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from command_line import docs_agent, write


def test_asking_without_an_index_names_the_command_to_run(tmp_path: Path) -> None:
    result = docs_agent("ask", "anything", cwd=tmp_path)
    assert result.status == 2
    assert result.out == ""
    assert "error: there is no index" in result.err
    assert str(tmp_path / ".docs-agent" / "index.db") in result.err
    assert "docs-agent index" in result.err
    assert "Traceback" not in result.err


@pytest.mark.parametrize("command", ["ask", "find-files", "route", "plan"])
def test_a_missing_question_is_a_usage_error(command: str, tmp_path: Path) -> None:
    result = docs_agent(command, cwd=tmp_path)
    assert result.status == 2
    assert "Traceback" not in result.err
    assert result.err


@pytest.mark.parametrize("command", ["ask", "find-files", "route", "plan"])
@pytest.mark.parametrize("question", ["", "   ", "\n\t", "\u200b"])
def test_an_empty_question_is_a_usage_error(command: str, question: str, sample: Path) -> None:
    result = docs_agent(command, question, cwd=sample)
    assert result.status == 2
    assert result.out == ""
    assert "the question is empty" in result.err
    assert "do this" in result.err


@pytest.mark.parametrize("command", ["ask", "find-files"])
def test_a_prefix_without_documents_is_named(command: str, sample: Path) -> None:
    result = docs_agent(command, "how does it work", "--path-prefix", "logic", cwd=sample)
    assert result.status == 2
    assert "no indexed documents under logic/" in result.err
    assert "docs/logic" in result.err


@pytest.mark.parametrize("command", ["index", "route", "doctor"])
def test_an_unknown_marker_group_is_named_with_its_line(command: str, tmp_path: Path) -> None:
    text = '[router.markers]\nfile = ["which spec"]\nfiles = ["which spec"]\n'
    write(tmp_path, {"docs/a.md": "# A\n", "docs-agent.toml": text})
    result = docs_agent(command, *(("what",) if command == "route" else ()), cwd=tmp_path)
    assert result.status == (1 if command == "doctor" else 2)
    said = result.out + result.err
    assert "docs-agent.toml:3" in said
    assert "`files`" in said
    assert "did you mean `file`" in said


@pytest.mark.parametrize("command", ["index", "status", "doctor"])
def test_a_docs_root_that_does_not_exist_is_named_with_its_line(
    command: str, tmp_path: Path
) -> None:
    write(tmp_path, {"docs/a.md": "# A\n\nText.\n"})
    assert docs_agent("index", cwd=tmp_path).status == 0
    write(tmp_path, {"docs-agent.toml": '[docs]\nroots = ["doc"]\n'})
    result = docs_agent(command, cwd=tmp_path)
    assert result.status == (1 if command == "doctor" else 2)
    said = result.out + result.err
    assert "docs-agent.toml:2" in said
    assert "did you mean `docs`?" in said


@pytest.mark.parametrize("damage", ["no database", "half", "values"])
@pytest.mark.parametrize(
    "call", [("ask", "what does it do"), ("find-files", "alpha"), ("index",), ("status",)]
)
def test_a_damaged_index_is_told_with_a_remedy(
    damage: str, call: tuple[str, ...], tmp_path: Path
) -> None:
    write(tmp_path, {"docs/a.md": "# A\n\nAlpha does it.\n"})
    assert docs_agent("index", cwd=tmp_path).status == 0
    index = tmp_path / ".docs-agent" / "index.db"
    data = index.read_bytes()
    values = data.replace(b"Alpha does it.", b"Alph\xff does it").replace(b'{"', b"{\xff")
    changed = {"no database": b"text " * 2000, "half": data[: len(data) // 2], "values": values}
    assert changed[damage] != data
    index.write_bytes(changed[damage])
    result = docs_agent(*call, cwd=tmp_path)
    assert "Traceback" not in result.err
    if damage == "values" and call[0] in ("index", "status"):
        # Nothing of the damage is looked at.
        return
    assert result.status == 2
    assert result.err.startswith("error: ")
    assert "damaged" in result.err
    assert "move the file away" in result.err


def test_an_unknown_option_is_a_usage_error(tmp_path: Path) -> None:
    result = docs_agent("index", "--nope", cwd=tmp_path)
    assert result.status == 2
    assert "--nope" in result.err


def test_a_folder_that_does_not_exist_is_named(tmp_path: Path) -> None:
    result = docs_agent("index", "nowhere", cwd=tmp_path)
    assert result.status == 2
    assert "nowhere" in result.err
    assert "do this" in result.err


def test_a_folder_outside_the_root_is_refused(tmp_path: Path) -> None:
    root = write(tmp_path / "project", {"docs/a.md": "# A\n\nText.\n"})
    write(tmp_path, {"other/b.md": "# B\n"})
    result = docs_agent("index", tmp_path / "other", "--root", root, cwd=root)
    assert result.status == 2
    assert "outside the project root" in result.err


def test_a_root_that_is_no_folder_is_refused(tmp_path: Path) -> None:
    result = docs_agent("status", "--root", tmp_path / "gone", cwd=tmp_path)
    assert result.status == 2
    assert "not a folder" in result.err


def test_a_wrong_key_in_the_configuration_is_named_with_its_line(tmp_path: Path) -> None:
    write(tmp_path, {"docs-agent.toml": '[docs]\nroots = ["docs"]\nexclde = ["x"]\n'})
    result = docs_agent("route", "how does it work", cwd=tmp_path)
    assert result.status == 2
    assert "docs-agent.toml:3" in result.err
    assert "exclude" in result.err


def test_a_file_that_is_no_index_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path, {"notes.db": "this is not a database, only text\n" * 50}) / "notes.db"
    result = docs_agent("ask", "anything", "--db", path, cwd=tmp_path)
    assert result.status == 2
    assert "notes.db" in result.err
    assert "do this" in result.err


def test_an_unknown_embedder_is_refused_before_anything_is_read(tmp_path: Path) -> None:
    write(tmp_path, {"docs/a.md": "# A\n"})
    result = docs_agent("index", "--embedder", "word2vec", cwd=tmp_path)
    assert result.status == 2
    assert "word2vec" in result.err
    assert "static" in result.err
    assert not (tmp_path / ".docs-agent" / "index.db").exists()


def test_a_question_and_a_batch_exclude_each_other(sample: Path) -> None:
    result = docs_agent("ask", "anything", "--batch", "questions.jsonl", cwd=sample)
    assert result.status == 2
    assert "--batch" in result.err


def test_a_reader_that_stops_early_is_no_error(sample: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "docs_agent", "plan", "how does /health work", "--json"],
        cwd=sample,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    err = process.stderr.read()
    process.stderr.close()
    process.wait(timeout=60)
    assert b"Traceback" not in err
    assert b"BrokenPipe" not in err
