"""The shape of the project: what is packaged, what may import what, what every module must say."""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = ("cli", "core", "indexers", "lint", "retrieval", "router", "templates")
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def packages_in_tree() -> set[str]:
    found = {"docs_agent"}
    for folder in FOLDERS:
        for init in (ROOT / folder).rglob("__init__.py"):
            found.add(".".join(("docs_agent", *init.parent.relative_to(ROOT).parts)))
    return found


def modules() -> Iterator[Path]:
    for folder in FOLDERS:
        yield from sorted((ROOT / folder).rglob("*.py"))


def test_every_package_of_the_tree_is_in_the_wheel() -> None:
    assert set(PYPROJECT["tool"]["setuptools"]["packages"]) == packages_in_tree()


def test_every_folder_with_modules_is_a_package() -> None:
    assert [p for p in modules() if not (p.parent / "__init__.py").exists()] == []


def test_the_links_under_src_lead_to_the_root_folders() -> None:
    links = {p.name: p.resolve() for p in (ROOT / "src/docs_agent").iterdir() if p.is_symlink()}
    assert links == {folder: (ROOT / folder).resolve() for folder in FOLDERS}


def test_data_files_beside_modules_are_packaged() -> None:
    patterns = PYPROJECT["tool"]["setuptools"]["package-data"]["*"]
    left_out = [
        path
        for folder in FOLDERS
        for path in (ROOT / folder).rglob("*")
        if path.is_file()
        and path.suffix not in (".py", ".pyc")
        and not any(path.match(pattern) for pattern in patterns)
    ]
    assert left_out == []


@pytest.mark.parametrize("path", list(modules()), ids=lambda p: str(p.relative_to(ROOT)))
def test_every_module_says_what_it_is(path: Path) -> None:
    assert ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))


def test_the_version_is_said_once_and_the_same() -> None:
    source = (ROOT / "src/docs_agent/__init__.py").read_text(encoding="utf-8")
    assert f'__version__ = "{PYPROJECT["project"]["version"]}"' in source


def test_every_dependency_says_why_it_is_there() -> None:
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    block = text.split("dependencies = [", 1)[1].split("]\n", 1)[0]
    lines = [line for line in block.splitlines() if line.strip()]
    assert lines
    assert [line for line in lines if "#" not in line] == []
