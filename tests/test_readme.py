"""Every example of the README is run, and prints what the README says."""

from __future__ import annotations

import importlib.util
import re
import shutil
import sys
from pathlib import Path
from types import ModuleType

import pytest

HERE = Path(__file__).resolve().parent


def _load() -> ModuleType:
    spec = importlib.util.spec_from_file_location("readme", HERE / "readme.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["readme"] = module
    spec.loader.exec_module(module)
    return module


readme = _load()
EXAMPLES = list(readme.examples(readme.README.read_text(encoding="utf-8")))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the sample where the README's reader has it, indexed by its first example."""
    path = tmp_path_factory.mktemp("readme")
    shutil.copytree(readme.README.parent / "examples", path / "examples")
    readme.run("docs-agent index --root examples/notify", path)
    return path


def stable(text: str) -> str:
    """Without what differs from run to run: durations, sizes, dates, earlier runs."""
    text = re.sub(r"\d+(\.\d+)? (s|MB)\b", "N", text)
    text = re.sub(r"\d{4}-\d\d-\d\dT[\d:.+Z]+", "DATE", text)
    text = re.sub(r"   at commit [0-9a-f]+", "", text)
    # Scores of --explain: the last digit depends on the processor's arithmetic.
    text = re.sub(r"(?m)^(  docs/|gate ).*$", lambda m: re.sub(r"-?\d+(\.\d+)?", "N", m[0]), text)
    text = re.sub(r"(?m)^  docs/.*$", lambda m: re.sub(r" +", " ", m[0]), text)
    return re.sub(r"\d+ (new or changed|unchanged)(, \d+ unchanged)?", "FILES", text)


def test_there_are_examples() -> None:
    assert len(EXAMPLES) >= 8


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda e: e.command[:60])
def test_example_prints_what_the_readme_says(example: readme.Example, folder: Path) -> None:
    assert example.output, f"README.md:{example.line} shows no output"
    shown = readme.run(example.command, folder)
    assert stable(shown) == stable(example.output), f"README.md:{example.line}"


def test_the_two_commands_are_one_line_each() -> None:
    named = readme.commands()
    assert set(named) == {"setup", "test"}
    assert all("\n" not in command for command in named.values())
    assert named["setup"].endswith('ask "how does /health work" --root examples/notify')
    assert named["test"].endswith("-m pytest -q")
