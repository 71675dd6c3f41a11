"""Root, index file and paths of a project."""

from __future__ import annotations

from pathlib import Path

import pytest

from docs_agent.core.config import Config, IndexConfig
from docs_agent.core.errors import PathRefusedError, UsageError
from docs_agent.core.project import db_path, find_root, relative_posix


@pytest.mark.parametrize("marker", ["docs-agent.toml", ".docs-agent/", ".git/", ".git"])
def test_root_is_the_nearest_folder_with_a_marker(marker: str, tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    project = tmp_path / "проект"
    deep = project / "docs/a b"
    deep.mkdir(parents=True)
    if marker.endswith("/"):
        (project / marker).mkdir()
    else:
        (project / marker).write_text("")
    assert find_root(deep) == project
    assert find_root(project) == project


def test_pyproject_counts_only_with_our_table(tmp_path: Path) -> None:
    inner = tmp_path / "a/b"
    inner.mkdir(parents=True)
    (tmp_path / "docs-agent.toml").write_text("")
    (inner.parent / "pyproject.toml").write_text("[project]\nname = 'docs-agent-x'\n")
    assert find_root(inner) == tmp_path
    (inner.parent / "pyproject.toml").write_text("[tool.docs-agent.docs]\nroots = ['d']\n")
    assert find_root(inner) == inner.parent


def test_broken_pyproject_above_does_not_stop_the_search(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a/pyproject.toml").write_text("docs-agent [")
    (tmp_path / "docs-agent.toml").write_text("")
    assert find_root(tmp_path / "a") == tmp_path


def test_root_must_be_a_folder(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for bad in (tmp_path / "none", tmp_path / "file", Path("a\0b")):
        with pytest.raises(UsageError):
            find_root(bad)


@pytest.mark.parametrize(
    ("path", "expected"),
    [("docs/a.md", "docs/a.md"), ("./docs//a.md", "docs/a.md"), (".", "."), ("x/../док", "док")],
)
def test_paths_become_relative_with_slashes(path: str, expected: str, tmp_path: Path) -> None:
    assert relative_posix(path, tmp_path) == expected
    assert relative_posix(tmp_path / path, tmp_path) == expected


@pytest.mark.parametrize("path", ["..", "../x", "docs/../../x", "/etc/passwd", "/"])
def test_path_outside_of_the_root_is_refused(path: str, tmp_path: Path) -> None:
    with pytest.raises(PathRefusedError) as caught:
        relative_posix(path, tmp_path)
    assert caught.value.remedy


def test_link_out_of_the_root_is_refused_and_one_inside_keeps_its_name(tmp_path: Path) -> None:
    root = tmp_path / "root"
    (root / "real").mkdir(parents=True)
    (root / "in").symlink_to("real")
    (root / "out").symlink_to(tmp_path)
    assert relative_posix("in/a.md", root) == "in/a.md"
    with pytest.raises(PathRefusedError):
        relative_posix("out/a.md", root)
    with pytest.raises(PathRefusedError):
        relative_posix("in/../../a.md", root)


def test_root_reached_through_a_link_is_the_same_root(tmp_path: Path) -> None:
    (tmp_path / "real/docs").mkdir(parents=True)
    (tmp_path / "link").symlink_to("real")
    assert relative_posix(tmp_path / "link/docs", tmp_path / "real") == "docs"
    assert relative_posix(tmp_path / "real/docs", tmp_path / "link") == "docs"
    assert find_root(tmp_path / "link") == tmp_path / "real"


def test_index_file_is_chosen_by_option_then_variable_then_configuration(tmp_path: Path) -> None:
    config = Config(index=IndexConfig(db="build/i.db"))
    env = {"DOCS_AGENT_DB": str(tmp_path / "env.db")}
    option = str(tmp_path / "o.db")
    assert db_path(tmp_path, option, env, config) == tmp_path / "o.db"
    assert db_path(tmp_path, None, env, config) == tmp_path / "env.db"
    assert db_path(tmp_path, None, {}, config) == tmp_path / "build/i.db"
    assert db_path(tmp_path, None, {}, Config()) == tmp_path / ".docs-agent/index.db"


def test_reader_finds_the_index_of_a_folder_above(tmp_path: Path) -> None:
    inner = tmp_path / "a/b"
    inner.mkdir(parents=True)
    assert db_path(inner, reading=True) == inner / ".docs-agent/index.db"
    (tmp_path / ".docs-agent").mkdir()
    (tmp_path / ".docs-agent/index.db").write_bytes(b"")
    assert db_path(inner, reading=True) == tmp_path / ".docs-agent/index.db"
    assert db_path(inner) == inner / ".docs-agent/index.db"


def test_configured_index_file_may_not_leave_through_a_link(tmp_path: Path) -> None:
    root = tmp_path / "root"
    root.mkdir()
    (root / "out").symlink_to(tmp_path)
    with pytest.raises(PathRefusedError):
        db_path(root, config=Config(index=IndexConfig(db="out/i.db")))
