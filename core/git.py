"""What git knows: which repository and commit this is, and what changed since a commit.

Facts are read from the files of `.git`, which costs no process and runs nothing. Only changes ask
the git executable, and only through plumbing that runs no hook, filter, textconv, external diff or
file-system monitor, whatever the repository's own configuration says.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Final

from docs_agent.core.errors import UsageError

_TIMEOUT = 60.0
"""Seconds for one git command."""
_MAX_BYTES = 1_000_000
"""Bytes read of any file in `.git`; `packed-refs` of a large repository may be longer, then git is
asked."""
_MAX_SUBMODULES: Final = 8
"""Submodules inside one another that are looked into."""
_SHA = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_REMOTE = re.compile(r'\s*\[\s*remote\s+"origin"\s*\]', re.IGNORECASE)
_URL = re.compile(r"\s*url\s*=\s*(\S.*)", re.IGNORECASE)
_SCP = re.compile(r"(?:[^@/\s]+@)?([^:/\s]+):(?!//)(.*)")
_SAFE: Final = (
    "--no-pager",
    "-c",
    "core.fsmonitor=false",
    "-c",
    f"core.hooksPath={os.devnull}",
    "-c",
    "core.quotePath=false",
)
# Set by git itself when a hook runs us; they would point the command at another work tree.
_FOREIGN: Final = (
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_PREFIX",
    "GIT_COMMON_DIR",
    "GIT_NAMESPACE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_EXTERNAL_DIFF",
)


@dataclass(frozen=True, slots=True)
class GitFacts:
    """Which repository and commit a folder is at."""

    repo_id: str
    """`host/owner/name` of the remote `origin`, lower-case host, without scheme, credentials or
    `.git`: the same in every clone. Without a remote, or with one on this machine, `local:` and a
    hash of the repository folder's name; never an absolute path."""
    commit_sha: str
    """HEAD, 40 or 64 hex digits; empty outside git and before the first commit."""


@dataclass(frozen=True, slots=True)
class Changes:
    """Files to index again and files that are gone, relative to the root, with `/`, sorted."""

    upserts: tuple[str, ...] = ()
    """New or changed files that exist."""
    deletes: tuple[str, ...] = ()
    """Files that existed and do not any more; a rename is one delete and one upsert."""


def git_facts(root: Path) -> GitFacts:
    """Facts about the repository around `root`. Never fails: what cannot be read is empty."""
    found = next(_repositories(root), None)
    if found is None:
        return GitFacts(_local_id(root.name), "")
    top, git_dir = found
    common = _common_dir(git_dir)
    url = _origin(_read(common / "config"))
    return GitFacts(repo_id(url, top.name), _head(root, git_dir, common))


def repo_id(url: str, folder: str) -> str:
    """Name of a repository from its remote URL; from the folder's name when the URL is empty or
    points to this machine."""
    text = url.strip().rstrip("/")
    scheme, sep, rest = text.partition("://")
    if sep and scheme.lower() != "file":
        host, _, path = rest.partition("/")
        host = host.rpartition("@")[2]
    elif not sep and (scp := _SCP.fullmatch(text)) and len(scp[1]) > 1:
        host, path = scp[1], scp[2]
    else:
        return _local_id(re.split(r"[/\\]", text)[-1] or folder)
    host = host.partition(":")[0].lower()
    return f"{host}/{path.strip('/').removesuffix('.git')}"


def changed_since(root: Path, rev: str) -> Changes:
    """Files below `root` that differ between commit `rev` and the work tree as it is now:
    committed, staged, unstaged and untracked ones; what `.gitignore` names is left out.

    Submodules are compared with the commit they were at in `rev`; of a repository that `rev` does
    not know (a new submodule, a clone inside the work tree) all files count as changed.
    Raises UsageError, with a remedy, when git is not installed, `root` is in no repository, `rev`
    names no commit, a submodule lacks its commit, or git takes longer than a minute.
    """
    names = sorted(_changed(root, _commit(root, rev), 0))
    # What counts is the disk: a file may be back after it was removed from the index.
    gone = {name for name in names if not os.path.lexists(os.path.join(root, name))}
    return Changes(
        upserts=tuple(name for name in names if name not in gone),
        deletes=tuple(name for name in names if name in gone),
    )


def staged_files(root: Path) -> tuple[str, ...]:
    """Files below `root` whose staged content differs from the last commit, and that exist; sorted.

    Raises UsageError as `changed_since` does.
    """
    if git_facts(root).commit_sha:
        how = ("-z", "--name-only", "--no-renames", "--relative", "--no-ext-diff", "--no-textconv")
        listing = _git(root, "diff-index", "--cached", *how, "HEAD", "--", ".")
    else:
        listing = _git(root, "ls-files", "-z", "--cached", "--", ".")
    names = _names(listing)
    return tuple(sorted(name for name in names if os.path.lexists(os.path.join(root, name))))


def repository_top(root: Path) -> Path | None:
    """The work tree around `root`; None outside of git."""
    found = next(_repositories(root), None)
    return found[0] if found else None


def _changed(root: Path, sha: str, depth: int) -> set[str]:
    """Names below `root` that differ from the commit, or all that are there when it is empty."""
    names: set[str] = set()
    before: dict[str, str] = {}
    if sha:
        names.update(_names(
            _git(root, "diff-index", "-z", "--name-only", "--no-renames", "--relative",
                 "--ignore-submodules=all", "--no-ext-diff", "--no-textconv", sha, "--", ".",
                 extra=_filters_off(root))
        ))  # fmt: skip
        before = _submodules(_git(root, "ls-tree", "-r", "-z", sha, "--", "."))
    else:
        names.update(_names(_git(root, "ls-files", "-z", "--", ".")))
    others = _names(_git(root, "ls-files", "-z", "--others", "--exclude-standard", "--", "."))
    # A name with `/` at its end is a repository that git does not look into.
    names.update(name for name in others if not name.endswith("/"))
    now = _submodules(_git(root, "ls-files", "-z", "--stage", "--", "."))
    for name in sorted({*now, *(name.rstrip("/") for name in others if name.endswith("/"))}):
        folder = root / name
        if depth < _MAX_SUBMODULES and _is_repository(folder):
            inside = _changed(folder, _known_commit(folder, before.get(name, "")), depth + 1)
            names.update(f"{name}/{path}" for path in inside)
    return names


def _submodules(listing: bytes) -> dict[str, str]:
    """Commit of each submodule in the answer of `ls-tree` or `ls-files --stage`, by its path."""
    found: dict[str, str] = {}
    for entry in listing.split(b"\0"):
        facts, _, name = entry.partition(b"\t")
        if facts.startswith(b"160000 "):
            sha = next(word for word in facts.decode("ascii").split()[1:] if _SHA.fullmatch(word))
            found[os.fsdecode(name)] = sha
    return found


def _is_repository(folder: Path) -> bool:
    """Whether this very folder is one: git would else answer for the repository around it. A link
    in its place leads who knows where."""
    try:
        return os.path.realpath(folder) == os.path.join(
            os.path.realpath(folder.parent), folder.name
        ) and os.path.lexists(folder / ".git")
    except OSError:
        return False


def _known_commit(folder: Path, sha: str) -> str:
    """The commit, which the submodule has; empty for an empty one."""
    if not sha:
        return ""
    query = ("rev-parse", "--verify", "--quiet", "--end-of-options", sha + "^{commit}")
    if not _git(folder, *query, may_be_none=True):
        raise UsageError(
            f"the submodule `{folder}` does not have the commit {sha[:12]}",
            remedy="fetch it there, or index without --changed-since",
        )
    return sha


def _commit(root: Path, rev: str) -> str:
    if not rev.strip() or rev.startswith("-") or not rev.isprintable():
        raise UsageError(
            f"{rev!a} is not a git revision",
            remedy="name a commit, branch or tag, for example HEAD~1 or main",
        )
    answer = _git(
        root, "rev-parse", "--verify", "--quiet", "--end-of-options", rev + "^{commit}",
        unknown=rev,
    )  # fmt: skip
    return answer.decode("ascii", "replace").strip()


def _filters_off(root: Path) -> dict[str, str]:
    """Variables that empty every content filter of the configuration. Git runs them whenever it has
    to compare contents, which it does for files as old as its index."""
    pattern = r"^filter\..*\.(clean|process|smudge|required)$"
    answer = _git(root, "config", "-z", "--name-only", "--get-regexp", pattern, may_be_none=True)
    keys = sorted(set(_names(answer)))
    switches = {"GIT_CONFIG_COUNT": str(len(keys))}
    for number, key in enumerate(keys):
        switches |= {f"GIT_CONFIG_KEY_{number}": key, f"GIT_CONFIG_VALUE_{number}": ""}
    return switches


def _names(answer: bytes) -> list[str]:
    return [os.fsdecode(name) for name in answer.split(b"\0") if name]


def _git(
    root: Path,
    *arguments: str,
    unknown: str = "",
    may_be_none: bool = False,
    extra: Mapping[str, str] | None = None,
) -> bytes:
    """Output of one git command.

    unknown: the revision that a quiet failure is about. may_be_none: status 1 is an empty answer.
    extra: variables for this command.
    """
    import subprocess

    environment = {k: v for k, v in os.environ.items() if k not in _FOREIGN}
    environment |= {
        "LC_ALL": "C",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_NO_LAZY_FETCH": "1",
        **(extra or {}),
    }
    try:
        done = subprocess.run(
            ["git", *_SAFE, "-C", os.fspath(root), *arguments],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_TIMEOUT,
            env=environment,
            check=False,
        )
    except OSError as exc:
        raise UsageError(
            f"git cannot be run: {exc.strerror}",
            remedy="install git, or index without --changed-since",
        ) from exc
    except subprocess.TimeoutExpired as exc:
        raise UsageError(
            f"git took longer than {_TIMEOUT:.0f} seconds",
            remedy="index without --changed-since",
        ) from exc
    if done.returncode == 1 and may_be_none:
        return b""
    if done.returncode:
        raise _failed(done.stderr.decode("utf-8", "replace").strip(), root, unknown)
    return done.stdout


def _failed(reason: str, root: Path, unknown: str) -> UsageError:
    if "not a git repository" in reason:
        return UsageError(
            f"`{root}` is not in a git repository", remedy="index without --changed-since"
        )
    if "dubious ownership" in reason:
        return UsageError(
            f"git refuses the repository at `{root}`: it belongs to another user",
            remedy="allow it with `git config --global --add safe.directory`, "
            "or index without --changed-since",
        )
    if unknown:
        return UsageError(
            f"git knows no commit `{unknown}`",
            remedy="name a commit, branch or tag; in a shallow clone fetch it first",
        )
    return UsageError(
        f"git failed: {reason.splitlines()[0] if reason else 'no reason given'}",
        remedy="index without --changed-since",
    )


def _repositories(root: Path) -> Iterator[tuple[Path, Path]]:
    """(work tree, git directory) around `root`, nearest first."""
    for folder in (root, *root.parents):
        dot_git = folder / ".git"
        if dot_git.is_dir():
            yield folder, dot_git
        elif dot_git.is_file():
            # A linked work tree or a submodule: the file names the real directory.
            target = _read(dot_git).removeprefix("gitdir:").strip()
            if target:
                yield folder, folder / target


def _common_dir(git_dir: Path) -> Path:
    common = _read(git_dir / "commondir").strip()
    return git_dir / common if common else git_dir


def _origin(config: str) -> str:
    inside = False
    for line in config.splitlines():
        if line.lstrip().startswith("["):
            inside = _REMOTE.match(line) is not None
        elif inside and (url := _URL.fullmatch(line)):
            return url[1].strip().strip('"')
    return ""


def _head(root: Path, git_dir: Path, common: Path) -> str:
    text = _read(git_dir / "HEAD").strip()
    if _SHA.fullmatch(text):
        return text
    ref = text.removeprefix("ref:").strip()
    parts = ref.split("/")
    if not text.startswith("ref:") or parts[0] != "refs" or ".." in parts:
        return ""
    for folder in (git_dir, common):
        sha = _read(folder / ref).strip()
        if _SHA.fullmatch(sha):
            return sha
    for line in _read(common / "packed-refs").splitlines():
        sha, _, name = line.partition(" ")
        if name == ref and _SHA.fullmatch(sha):
            return sha
    if (common / "reftable").is_dir() or _size(common / "packed-refs") > _MAX_BYTES:
        try:
            return _commit(root, "HEAD")
        except UsageError:
            return ""
    return ""


def _read(path: Path) -> str:
    """The beginning of a small text file; empty when it cannot be read."""
    try:
        if not path.is_file():
            return ""
        with path.open("rb") as file:
            return file.read(_MAX_BYTES).decode("utf-8", "replace")
    except (OSError, ValueError):
        return ""


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


def _local_id(name: str) -> str:
    return f"local:{sha256(name.removesuffix('.git').encode('utf-8', 'replace')).hexdigest()[:16]}"
