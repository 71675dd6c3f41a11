"""docs-agent.toml and [tool.docs-agent]: what is read, and what is said when it is wrong."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from docs_agent.core.config import Config, load_config
from docs_agent.core.config_file import MAX_CHARACTERS, key_lines
from docs_agent.core.config_schema import KEYS
from docs_agent.core.errors import ConfigError
from docs_agent.core.llm.config import LLMConfig

CASES = yaml.safe_load((Path(__file__).parent / "cases/config_errors.yaml").read_text("utf-8"))


def write(root: Path, text: str | bytes, name: str = "docs-agent.toml") -> None:
    data = text.encode() if isinstance(text, str) else text
    (root / name).write_bytes(data)


def refused(root: Path) -> ConfigError:
    with pytest.raises(ConfigError) as caught:
        load_config(root)
    assert caught.value.remedy
    return caught.value


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_fault_is_told_with_line_and_remedy(case: dict[str, Any], tmp_path: Path) -> None:
    write(tmp_path, case["text"])
    error = refused(tmp_path)
    assert error.path == "docs-agent.toml"
    assert error.line == case["line"]
    assert case["message"] in error.message
    assert case["remedy"] in error.remedy


IN_A_SECTION = [
    case for case in CASES if case["text"].startswith("[") and "TOML" not in case["message"]
]


@pytest.mark.parametrize("case", IN_A_SECTION, ids=lambda case: case["name"])
def test_same_fault_in_pyproject_has_its_line_there(case: dict[str, Any], tmp_path: Path) -> None:
    inside = case["text"].replace("\n[", "\n[tool.docs-agent.")
    write(tmp_path, "[project]\nname = 'x'\n[tool.docs-agent." + inside[1:], "pyproject.toml")
    error = refused(tmp_path)
    assert (error.path, error.line) == ("pyproject.toml", case["line"] + 2)


def test_project_without_configuration_gets_the_defaults(tmp_path: Path) -> None:
    assert load_config(tmp_path) == Config()
    assert load_config(tmp_path).router.strategy == "deterministic_first"
    assert load_config(tmp_path).router.confidence_threshold == 0.8


def test_every_key_is_read(tmp_path: Path) -> None:
    write(
        tmp_path,
        """
        [docs]
        roots = ["docs/", "./content//ru", "docs"]
        include = ["*.md"]
        exclude = ["архив/"]
        [index]
        embedder = "none"
        max_file_bytes = 1000
        db = "build/index.db"
        [router]
        strategy = "llm_first"
        confidence_threshold = 1
        aliases = { "оплата" = "docs/pay.md" }
        [router.markers]
        find_files = ["где описан", "which page"]
        [llm]
        provider = "gigachat"
        base_url = "https://llm.example.com/v1/"
        model = " GigaChat-Pro "
        timeout = 30
        connect_timeout = 0.5
        retries = 0
        max_tokens = 100
        context_tokens = 4096
        temperature = 1
        json_output = "object"
        scope = "GIGACHAT_API_CORP"
        auth_url = "https://auth.example.com/"
        verify = "certs//ca.pem"
        """,
    )
    config = load_config(tmp_path)
    assert config.docs.roots == ("docs", "content/ru")
    assert config.docs.include == ("*.md",)
    assert config.docs.exclude == ("архив/",)
    assert config.index.embedder == "none"
    assert config.index.max_file_bytes == 1000
    assert config.index.db == "build/index.db"
    assert config.router.strategy == "llm_first"
    assert config.router.confidence_threshold == 1.0
    assert config.router.aliases == {"оплата": "docs/pay.md"}
    assert config.router.markers == {"find_files": ("где описан", "which page")}
    assert config.path == "docs-agent.toml"
    assert config.llm == LLMConfig(
        provider="gigachat",
        base_url="https://llm.example.com/v1",
        model="GigaChat-Pro",
        timeout=30.0,
        connect_timeout=0.5,
        retries=0,
        max_tokens=100,
        context_tokens=4096,
        temperature=1.0,
        json_output="object",
        scope="GIGACHAT_API_CORP",
        auth_url="https://auth.example.com",
        verify=str(tmp_path / "certs/ca.pem"),
        source="docs-agent.toml",
    )


@pytest.mark.parametrize("key", KEYS, ids=lambda key: key.name)
def test_example_of_each_key_is_valid(key: Any, tmp_path: Path) -> None:
    section, _, name = key.name.partition(".")
    write(tmp_path, f"[{section}]\n{key.example}\n")
    assert getattr(getattr(load_config(tmp_path), section), name)


def test_own_file_wins_over_pyproject(tmp_path: Path) -> None:
    write(tmp_path, '[tool.docs-agent.docs]\nroots = ["a"]\nwrong = 1\n', "pyproject.toml")
    write(tmp_path, '[docs]\nroots = ["b"]\n')
    assert load_config(tmp_path).docs.roots == ("b",)


def test_pyproject_of_others_is_no_concern(tmp_path: Path) -> None:
    write(tmp_path, "this is [ not TOML", "pyproject.toml")
    assert load_config(tmp_path) == Config()
    write(tmp_path, '[project]\ndependencies = ["docs-agent"]\n', "pyproject.toml")
    assert load_config(tmp_path) == Config()


def test_bom_is_accepted(tmp_path: Path) -> None:
    write(tmp_path, b"\xef\xbb\xbf[index]\nembedder = 'none'\n")
    assert load_config(tmp_path).index.embedder == "none"


def test_other_encoding_is_refused_with_its_line(tmp_path: Path) -> None:
    write(tmp_path, "[docs]\nroots = ['док']\n".encode("cp1251"))
    assert "UTF-8" in refused(tmp_path).message
    assert refused(tmp_path).line == 2


def test_huge_file_is_refused(tmp_path: Path) -> None:
    write(tmp_path, "#" * 1_000_001)
    assert "larger" in refused(tmp_path).message


def test_deep_nesting_is_refused(tmp_path: Path) -> None:
    write(tmp_path, "a = " + "[" * 100_000)
    assert "TOML" in refused(tmp_path).message


@pytest.mark.parametrize("part", ["a", '"ключ"', "a "])
def test_an_endless_key_is_refused_with_its_line(tmp_path: Path, part: str) -> None:
    write(tmp_path, "[docs]\n" + ".".join([part] * 50_000) + " = 1\n")
    assert "100 parts" in refused(tmp_path).message
    assert refused(tmp_path).line == 2


def test_dots_in_a_text_are_no_endless_key(tmp_path: Path) -> None:
    dots = "." * 300 + " a.b.c" * 100
    write(tmp_path, f'[router.markers]\nfile = ["{dots}"] # {dots}\n')
    assert load_config(tmp_path).router.markers["file"] == (dots,)


def test_pipe_does_not_block(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "docs-agent.toml")
    assert "regular file" in refused(tmp_path).message


def test_link_to_a_file_is_followed_and_a_dangling_one_told(tmp_path: Path) -> None:
    write(tmp_path, "[index]\nembedder = 'none'\n", "real.toml")
    (tmp_path / "docs-agent.toml").symlink_to("real.toml")
    assert load_config(tmp_path).index.embedder == "none"
    (tmp_path / "real.toml").unlink()
    assert "link" in refused(tmp_path).message


def test_no_configuration_loads_no_toml_parser(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from docs_agent.core.config import load_config; "
        f"load_config(Path({str(tmp_path)!r})); sys.exit('tomllib' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_lines_of_keys_in_every_notation() -> None:
    text = (
        "a = 1  # a = 2\n"
        '[t."x.y"]\n'
        "b . c = '''\n"
        "d = 1'''\n"
        "e = [ # [z]\n"
        "  { f = 1, g = [1,\n"
        "   2] }, { h = 2 } ]\n"
        'i = { j.k = "}", l = { m = 1 }, n = 2 }\n'
        "[[u]]\n"
        "v = 1.5\n"
    )
    lines = key_lines(text)
    t = ("t", "x.y")
    assert lines[("a",)] == 1
    assert lines[t] == 2
    assert lines[(*t, "b", "c")] == 3
    assert lines[(*t, "e")] == 5
    assert lines[(*t, "i")] == 8
    assert lines[(*t, "i", "j", "k")] == 8
    assert lines[(*t, "i", "l", "m")] == 8
    assert lines[(*t, "i", "n")] == 8
    assert lines[("u",)] == 9
    assert lines[("u", "v")] == 10
    assert (*t, "d") not in lines
    assert ("z",) not in lines


LONG = "long" * (MAX_CHARACTERS // 4)
LONG_TEXTS = [
    f"[{section}]\n{line}\n"
    for section, line in (
        ("docs", 'roots = ["{}x"]'),
        ("docs", 'exclude = ["{}x"]'),
        ("index", 'embedder = "{}x"'),
        ("index", 'db = "{}x"'),
        ("embedder", 'model = "{}x"'),
        ("embedder", 'query_prefix = "{}x"'),
        ("embedder", 'verify = "{}x"'),
        ("router", 'strategy = "{}x"'),
        ("router", 'aliases = {{ a = "{}x" }}'),
        ("router", 'aliases = {{ "{}x" = "docs/a.md" }}'),
        ("router", 'markers = {{ file = ["{}x"] }}'),
        ("llm", 'model = "{}x"'),
        ("llm", 'base_url = "https://{}x"'),
        ("llm", "{}x = 1"),
        ("{}x", "a = 1"),
    )
]


@pytest.mark.parametrize("text", LONG_TEXTS)
def test_a_text_that_is_too_long_is_refused_and_only_its_beginning_shown(
    text: str, tmp_path: Path
) -> None:
    write(tmp_path, text.replace("{}", LONG * 100).replace("{{", "{").replace("}}", "}"))
    error = refused(tmp_path)
    assert len(error.message) < 200
    assert len(error.remedy) < MAX_CHARACTERS
    assert error.line in (1, 2)


def test_a_text_as_long_as_allowed_is_read(tmp_path: Path) -> None:
    write(tmp_path, f'[embedder]\nmodel = "{LONG}"\n')
    assert load_config(tmp_path).embedder.model == LONG


@settings(derandomize=True, deadline=None, max_examples=200)
@given(st.text(alphabet="ab=[]{}.,\"'#\n\\ ", max_size=60))
def test_finding_lines_never_fails(text: str) -> None:
    key_lines(text)


@settings(derandomize=True, deadline=None, max_examples=200)
@given(st.binary(max_size=80))
def test_any_bytes_give_a_configuration_or_a_told_error(
    tmp_path_factory: pytest.TempPathFactory, data: bytes
) -> None:
    root = tmp_path_factory.mktemp("any")
    write(root, data)
    try:
        load_config(root)
    except ConfigError as error:
        told = error
    else:
        return
    assert told.path == "docs-agent.toml"
