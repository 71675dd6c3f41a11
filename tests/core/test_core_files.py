"""A file is replaced as a whole or not at all."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from docs_agent.core.errors import OutputError, PathRefusedError
from docs_agent.core.files import replace_file


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.parametrize("mode", [0o644, 0o600, 0o755, 0o664])
def test_content_changes_and_permissions_stay(mode: int, tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_bytes(b"old")
    path.chmod(mode)
    replace_file(path, b"new\r\n", tmp_path)
    assert path.read_bytes() == b"new\r\n"
    assert stat.S_IMODE(path.stat().st_mode) == mode
    assert names(tmp_path) == ["a.md"]


def test_a_new_file_has_the_usual_permissions(tmp_path: Path) -> None:
    replace_file(tmp_path / "new.md", b"x")
    (tmp_path / "usual").write_bytes(b"")
    assert (tmp_path / "new.md").stat().st_mode == (tmp_path / "usual").stat().st_mode


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "target.md").write_bytes(b"old")
    (tmp_path / "link.md").symlink_to("target.md")
    replace_file(tmp_path / "link.md", b"new", tmp_path)
    assert (tmp_path / "link.md").is_symlink()
    assert (tmp_path / "target.md").read_bytes() == b"new"


@pytest.mark.parametrize("link", ["file", "folder"])
def test_nothing_is_written_outside_the_root(link: str, tmp_path: Path) -> None:
    root = tmp_path / "root"
    root.mkdir()
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "a.md").write_bytes(b"old")
    if link == "file":
        (root / "a.md").symlink_to(outside / "a.md")
        path = root / "a.md"
    else:
        (root / "docs").symlink_to(outside)
        path = root / "docs/a.md"
    with pytest.raises(PathRefusedError):
        replace_file(path, b"new", root)
    assert (outside / "a.md").read_bytes() == b"old"
    assert names(outside) == ["a.md"]


def test_what_is_no_file_is_told(tmp_path: Path) -> None:
    (tmp_path / "folder.md").mkdir()
    os.mkfifo(tmp_path / "pipe.md")
    (tmp_path / "loop.md").symlink_to("loop.md")
    (tmp_path / "dangling.md").symlink_to("gone.md")
    before = names(tmp_path)
    for name in (*before, "none/a.md", "x" * 300, "nul\0.md"):
        with pytest.raises(OutputError) as caught:
            replace_file(tmp_path / name, b"new")
        assert caught.value.path == str(tmp_path / name)
        assert caught.value.message.startswith("the file cannot be written: ")
    assert names(tmp_path) == before


FULL_DISK = """
import resource, sys
from pathlib import Path
from docs_agent.core.errors import OutputError
from docs_agent.core.files import replace_file
resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))
try:
    replace_file(Path(sys.argv[1]), b"x" * 1000)
except OutputError:
    sys.exit(7)
"""


def test_a_write_that_fails_leaves_the_old_file_and_nothing_beside(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_bytes(b"old")
    code = [sys.executable, "-c", FULL_DISK, str(path)]
    assert subprocess.run(code, timeout=60, check=False).returncode == 7
    assert path.read_bytes() == b"old"
    assert names(tmp_path) == ["a.md"]
