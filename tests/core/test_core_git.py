"""Facts and changes from real git repositories."""

from __future__ import annotations

import os
import subprocess
import time
from pathlib import Path

import pytest

from docs_agent.core.errors import UsageError
from docs_agent.core.git import Changes, changed_since, git_facts, repo_id


def git(root: Path, *arguments: str) -> str:
    done = subprocess.run(
        ["git", "-c", "user.name=t", "-c", "user.email=t@example.org", *arguments],
        cwd=root,
        check=True,
        capture_output=True,
        text=True,
    )
    return done.stdout.strip()


def write(root: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    root = tmp_path / "repo"
    root.mkdir()
    git(root, "init", "-q", "-b", "main")
    write(root, {"docs/a.md": "a", "docs/б в.md": "b", "docs/old name.md": "c" * 99, "x.md": "x"})
    git(root, "add", "-A")
    git(root, "commit", "-qm", "first")
    return root


def test_head_is_read_in_every_state_of_a_repository(repo: Path, tmp_path: Path) -> None:
    sha = git(repo, "rev-parse", "HEAD")
    assert git_facts(repo).commit_sha == sha
    assert git_facts(repo / "docs").commit_sha == sha
    git(repo, "pack-refs", "--all")
    assert git_facts(repo).commit_sha == sha
    git(repo, "worktree", "add", "-q", "-b", "side/ветка", str(tmp_path / "tree"))
    write(tmp_path / "tree", {"new.md": "n"})
    git(tmp_path / "tree", "add", "-A")
    git(tmp_path / "tree", "commit", "-qm", "second")
    second = git(tmp_path / "tree", "rev-parse", "HEAD")
    assert git_facts(tmp_path / "tree").commit_sha == second != sha
    git(repo, "checkout", "-q", "--detach", "side/ветка")
    assert git_facts(repo).commit_sha == second


def test_no_repository_and_no_commit_give_empty_facts(tmp_path: Path) -> None:
    folder = tmp_path / "plain"
    folder.mkdir()
    assert git_facts(folder).commit_sha == ""
    name_only = git_facts(folder).repo_id
    git(folder, "init", "-q")
    assert git_facts(folder) == git_facts(folder)
    assert git_facts(folder).commit_sha == ""
    assert git_facts(folder).repo_id == name_only


def test_facts_are_cheap(repo: Path) -> None:
    best = min(_timed(repo) for _ in range(5))
    assert best < 0.01


def _timed(repo: Path) -> float:
    started = time.perf_counter()
    git_facts(repo)
    return time.perf_counter() - started


@pytest.mark.parametrize("junk", ["ref: ../../../etc/passwd", "ref: refs/../../x", "", "\0", "zz"])
def test_hostile_head_gives_no_commit(junk: str, repo: Path) -> None:
    (repo / ".git/HEAD").write_text(junk)
    assert git_facts(repo).commit_sha == ""


@pytest.mark.parametrize(
    "url",
    [
        "https://github.com/Owner/name.git",
        "https://user:secret@GitHub.com/Owner/name",
        "git@github.com:Owner/name.git",
        "ssh://git@github.com:22/Owner/name.git/",
    ],
)
def test_clones_of_one_repository_share_its_id(url: str, repo: Path) -> None:
    git(repo, "remote", "add", "origin", url)
    assert git_facts(repo).repo_id == "github.com/Owner/name"
    assert git_facts(repo / "docs").repo_id == "github.com/Owner/name"


def test_id_of_a_local_repository_holds_for_its_clone(repo: Path, tmp_path: Path) -> None:
    clone = tmp_path / "elsewhere"
    git(tmp_path, "clone", "-q", str(repo), str(clone))
    assert git_facts(clone) == git_facts(repo)
    assert str(tmp_path) not in git_facts(clone).repo_id


def test_url_with_an_at_sign_in_its_path_keeps_it() -> None:
    assert repo_id("https://token@host/o/n@1.git", "x") == "host/o/n@1"


def test_changes_are_committed_staged_unstaged_and_untracked_ones(repo: Path) -> None:
    write(repo, {"docs/committed.md": "1"})
    git(repo, "add", "-A")
    git(repo, "commit", "-qm", "second")
    write(repo, {"docs/staged.md": "2"})
    git(repo, "add", "-A")
    write(repo, {"docs/a.md": "changed", "docs/новый\nфайл.md": "3", ".gitignore": "*.tmp.md\n"})
    write(repo, {"docs/ignored.tmp.md": "4"})
    (repo / "docs/old name.md").rename(repo / "docs/new name.md")
    (repo / "docs/б в.md").unlink()
    assert changed_since(repo, "HEAD~1") == Changes(
        upserts=(
            ".gitignore",
            "docs/a.md",
            "docs/committed.md",
            "docs/new name.md",
            "docs/staged.md",
            "docs/новый\nфайл.md",
        ),
        deletes=("docs/old name.md", "docs/б в.md"),
    )


def test_changes_are_relative_to_a_root_inside_the_repository(repo: Path) -> None:
    write(repo, {"docs/a.md": "changed", "x.md": "changed", "docs/n.md": "new"})
    assert changed_since(repo / "docs", "main") == Changes(upserts=("a.md", "n.md"))


def test_file_removed_from_git_but_not_from_disk_is_still_there(repo: Path) -> None:
    git(repo, "rm", "-q", "--cached", "docs/a.md")
    assert changed_since(repo, "HEAD").deletes == ()
    assert "docs/a.md" in changed_since(repo, "HEAD").upserts


@pytest.mark.parametrize("rev", ["--output=pwned", "-h", "", " ", "HEAD\n", "a\0b"])
def test_revision_that_is_none_is_refused(rev: str, repo: Path) -> None:
    with pytest.raises(UsageError, match="is not a git revision"):
        changed_since(repo, rev)
    assert not (repo / "pwned").exists()


@pytest.mark.parametrize("rev", ["нет-такой", "HEAD~9", "HEAD:docs", "main..HEAD", "f" * 40])
def test_unknown_revision_is_told(rev: str, repo: Path) -> None:
    with pytest.raises(UsageError, match="knows no commit") as caught:
        changed_since(repo, rev)
    assert caught.value.remedy


def test_folder_outside_of_git_is_told(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="not in a git repository"):
        changed_since(tmp_path, "HEAD")


def test_missing_git_is_told(repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(repo))
    with pytest.raises(UsageError, match="cannot be run") as caught:
        changed_since(repo, "HEAD")
    assert "install git" in caught.value.remedy


def test_configuration_of_a_repository_runs_nothing(repo: Path, tmp_path: Path) -> None:
    marker = tmp_path / "ran"
    script = tmp_path / "script"
    script.write_text(f"#!/bin/sh\ntouch {marker}\ncat\n")
    script.chmod(0o755)
    for key in (
        "core.fsmonitor",
        "diff.external",
        "filter.evil.clean",
        "filter.evil.process",
        "filter.evil.smudge",
        "filter.x.y=z.clean",
        "diff.evil.textconv",
        "diff.evil.command",
        "core.pager",
        "alias.diff-index",
    ):
        git(repo, "config", key, str(script))
    git(repo, "config", "filter.evil.required", "true")
    write(
        repo,
        {
            ".gitattributes": "*.md filter=evil diff=evil\nx.md filter=x.y=z\n",
            "docs/a.md": "changed",
        },
    )
    os.utime(repo / "x.md", (1, 1))
    assert "docs/a.md" in changed_since(repo, "HEAD").upserts
    assert not marker.exists()


def test_variables_that_git_sets_for_hooks_do_not_mislead(
    repo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "nowhere"))
    monkeypatch.setenv("GIT_INDEX_FILE", str(tmp_path / "none"))
    assert changed_since(repo, "HEAD") == Changes()


def test_changes_inside_submodules_and_clones_are_seen(repo: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    git(other, "init", "-q", "-b", "main")
    write(other, {"a.md": "a", "b.md": "b", "c.md": "c"})
    git(other, "add", "-A")
    git(other, "commit", "-qm", "first")
    git(repo, "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(other), "docs/sub")
    git(repo, "commit", "-qam", "with a submodule")
    assert changed_since(repo, "HEAD") == Changes()
    sub = repo / "docs/sub"
    write(sub, {"a.md": "changed", "нов.md": "n"})
    (sub / "b.md").unlink()
    assert changed_since(repo, "HEAD") == Changes(
        upserts=("docs/sub/a.md", "docs/sub/нов.md"), deletes=("docs/sub/b.md",)
    )
    # New since then as a whole: all that is there.
    since = changed_since(repo, "HEAD~1")
    assert {"docs/sub/a.md", "docs/sub/c.md", "docs/sub/нов.md"} <= set(since.upserts)
    git(repo, "clone", "-q", str(other), "docs/clone")
    assert "docs/clone/c.md" in changed_since(repo, "HEAD").upserts


def test_submodule_without_its_commit_is_told(repo: Path) -> None:
    sub = repo / "docs/sub"
    sub.mkdir()
    git(sub, "init", "-q", "-b", "main")
    git(repo, "update-index", "--add", "--cacheinfo", f"160000,{'1' * 40},docs/sub")
    git(repo, "commit", "-qm", "a submodule that was never fetched")
    with pytest.raises(UsageError, match="docs/sub"):
        changed_since(repo, "HEAD")
