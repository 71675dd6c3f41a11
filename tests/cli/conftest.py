"""One indexed copy of the sample documentation for all tests that only read it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from command_line import SAMPLE, docs_agent


@pytest.fixture(scope="session")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project with the sample documentation, indexed. Do not write into it."""
    root = tmp_path_factory.mktemp("sample") / "notify"
    shutil.copytree(SAMPLE, root)
    result = docs_agent("index", "--root", root, cwd=root)
    assert result.status == 0, result.err
    return root
