"""Which files a run looks at, on real folders."""

from __future__ import annotations

import os
import socket
import subprocess
import time
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docs_agent.core.config import Config, DocsConfig
from docs_agent.core.errors import ConfigError, InputError, PathRefusedError, UsageError
from docs_agent.core.git import Changes
from docs_agent.indexers.discover import discover, discover_changes
from docs_agent.indexers.discover_walk import Discovery
from docs_agent.indexers.ignore_pattern import compile_pattern


def write(root: Path, *names: str) -> None:
    for name in names:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"# {name}\n", encoding="utf-8")


def rules(folder: Path, *lines: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / ".gitignore").write_text("\n".join(lines) + "\n", encoding="utf-8")


def paths(found: Discovery) -> list[str]:
    return [file.path for file in found.files]


def codes(found: Discovery) -> list[tuple[str, str]]:
    return [(warning.path, warning.code) for warning in found.warnings]


def config(**docs: tuple[str, ...]) -> Config:
    return Config(docs=DocsConfig(**docs))


def test_markdown_below_docs_is_found_in_order(tmp_path: Path) -> None:
    write(
        tmp_path,
        "docs/b.md",
        "docs/a.markdown",
        "docs/sub/c.MDX",
        "docs/раздел/файл с пробелами.md",
        "docs/new\nline.md",
        "docs/no.txt",
        "docs/no.yaml",
        "other/x.md",
    )
    found = discover(tmp_path, (), Config())
    assert paths(found) == [
        "docs/a.markdown",
        "docs/b.md",
        "docs/new\nline.md",
        "docs/sub/c.MDX",
        "docs/раздел/файл с пробелами.md",
    ]
    assert found.docs_roots == ("docs",)
    info = (tmp_path / "docs/b.md").stat()
    assert (found.files[1].size, found.files[1].mtime_ns) == (info.st_size, info.st_mtime_ns)
    assert not found.warnings


def test_without_docs_folder_the_root_is_searched(tmp_path: Path) -> None:
    write(tmp_path, "README.md", "a/b.md")
    found = discover(tmp_path, (), Config())
    assert (paths(found), found.docs_roots) == (["README.md", "a/b.md"], (".",))
    assert {file.docs_root for file in found.files} == {"."}


def test_configured_roots_come_before_remembered_ones(tmp_path: Path) -> None:
    write(tmp_path, "docs/a.md", "content/b.md", "guide/c.md")
    assert paths(discover(tmp_path, (), Config(), ("guide",))) == ["guide/c.md"]
    found = discover(tmp_path, (), config(roots=("content",)), ("guide",))
    assert (paths(found), found.docs_roots) == (["content/b.md"], ("content",))


def test_tool_folders_hidden_files_and_virtual_environments_are_passed_by(tmp_path: Path) -> None:
    write(tmp_path, "a.md", ".hidden/b.md", "._a.md", "node_modules/p/README.md", "env/lib/c.md")
    (tmp_path / "env/pyvenv.cfg").write_text("")
    assert paths(discover(tmp_path, (), Config())) == ["a.md"]


def test_gitignore_files_count_where_they_lie(tmp_path: Path) -> None:
    write(
        tmp_path, "docs/a.md", "docs/draft-x.md", "docs/черновики/b.md", "docs/sub/draft-y.md",
        "docs/sub/only.md", "docs/only.md", "build/c.md",
    )  # fmt: skip
    rules(tmp_path, "# comment", "draft-*.md", "черновики/", "/build", "")
    rules(tmp_path / "docs/sub", "!draft-y.md", "/only.md")
    assert paths(discover(tmp_path, (".",), Config())) == [
        "docs/a.md",
        "docs/only.md",
        "docs/sub/draft-y.md",
    ]


def test_rules_of_folders_above_count_up_to_the_repository(tmp_path: Path) -> None:
    root = tmp_path / "repo/project"
    write(root, "docs/a.md", "docs/b.md", "docs/c.md")
    rules(tmp_path, "a.md")
    rules(tmp_path / "repo", "/project/docs/b.md")
    assert paths(discover(root, (), Config())) == ["docs/a.md", "docs/b.md", "docs/c.md"]
    (tmp_path / "repo/.git").mkdir()
    assert paths(discover(root, (), Config())) == ["docs/a.md", "docs/c.md"]


def test_named_folder_counts_although_a_rule_ignores_it(tmp_path: Path) -> None:
    write(tmp_path, "build/docs/a.md", "build/docs/x.tmp.md", ".wiki/b.md")
    rules(tmp_path, "build/", "*.tmp.md")
    rules(tmp_path / "build/docs", "*.tmp.md")
    assert paths(discover(tmp_path, ("build/docs", ".wiki"), Config())) == [
        ".wiki/b.md",
        "build/docs/a.md",
    ]


def test_configuration_excludes_and_includes(tmp_path: Path) -> None:
    write(tmp_path, "docs/a.md", "docs/архив/b.md", "docs/en/c.md", "docs/en/d.md")
    rules(tmp_path, "!*.md")
    found = discover(tmp_path, (), config(exclude=("архив/", "d.md"), include=("docs/en/", "b.md")))
    assert paths(found) == ["docs/en/c.md"]


@pytest.mark.parametrize("pattern", ["!", "[a", "a\\", "/", "a//b", "[" * 9999])
def test_unusable_pattern_is_told(pattern: str, tmp_path: Path) -> None:
    write(tmp_path, "docs/a.md")
    with pytest.raises(ConfigError, match=r"docs\.exclude"):
        discover(tmp_path, (), config(exclude=(pattern,)))
    rules(tmp_path, "# fine", pattern, "b.md")
    found = discover(tmp_path, (), Config())
    assert paths(found) == ["docs/a.md"]
    assert [(w.path, w.line, w.code) for w in found.warnings] == [
        (".gitignore", 2, "ignore-rule-invalid")
    ]


def test_ignore_file_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    write(tmp_path, "docs/a.md", "docs/b/c.md")
    os.mkfifo(tmp_path / "docs/.gitignore")
    (tmp_path / "docs/b/.gitignore").write_text("c.md\n" * 50_000)
    found = discover(tmp_path, (), Config())
    assert paths(found) == ["docs/a.md", "docs/b/c.md"]
    assert codes(found) == [
        ("docs/.gitignore", "ignore-file-unreadable"),
        ("docs/b/.gitignore", "ignore-file-too-large"),
    ]


@pytest.mark.parametrize(
    ("pattern", "path"),
    [
        ("*a" * 100 + "b", "a" * 250 + ".md"),
        ("**/a/" * 100 + "b", "a/" * 1900 + "a.md"),
        ("**/*a*ab/**/*a*ab/**/x", ("a" * 200 + "/") * 18 + "a.md"),
        ("*a*a*a/*a*a*a/*a*a*ab", "/".join(["a" * 250] * 3)),
        ("**/" * 1000 + "b", "a/" * 1900 + "a.md"),
        ("[!b]" * 200 + "*" * 200, "a" * 250),
        ("?*" * 120 + "b", "a" * 250),
    ],
)
def test_hostile_pattern_takes_no_time(pattern: str, path: str) -> None:
    compiled = compile_pattern(pattern)
    assert compiled is not None
    started = time.process_time()
    compiled.matches(path, is_folder=False)
    assert time.process_time() - started < 0.5


@pytest.mark.parametrize(
    ("pattern", "path", "expected"),
    [
        ("?.md", "я.md", True),
        ("[а-я].md", "я.md", True),
        ("[!а-я].md", "я.md", False),
        ("[[:digit:]]*.md", "1x.md", True),
        ("[[:upper:]].md", "1.md", False),
        ("Ж*ж", "Жжж", True),
        ("a\\ ", "a ", True),
        ("a[]-]b", "a-b", True),
        ("a[.-0]b", "a/b", False),
        ("\\*", "a", False),
        ("a\\/b", "a/b", True),
        ("[a/b]", "a", True),
        ("[a/b]/c", "x/a/c", False),
        ("новая\nстрока", "новая\nстрока", True),
    ],
)
def test_pattern_by_the_letter(pattern: str, path: str, expected: bool) -> None:
    compiled = compile_pattern(pattern)
    assert compiled is not None
    assert compiled.matches(path, is_folder=False) is expected


def test_links_out_of_the_root_are_told_and_not_followed(tmp_path: Path) -> None:
    root = tmp_path / "root"
    write(tmp_path, "secret/s.md")
    write(root, "docs/a.md")
    (root / "docs/folder").symlink_to(tmp_path / "secret")
    (root / "docs/file.md").symlink_to(tmp_path / "secret/s.md")
    (root / "docs/text.txt").symlink_to("/etc/hosts")
    found = discover(root, (), Config())
    assert paths(found) == ["docs/a.md"]
    outside = [(f"docs/{name}", "symlink-outside-root") for name in ("file.md", "folder")]
    assert codes(found) == outside
    assert found.doubtful == ("docs/file.md", "docs/folder")


def test_links_inside_the_root_are_taken_once(tmp_path: Path) -> None:
    write(tmp_path, "docs/a.md", "docs/z/b.md", "archive/v1/c.md", "README.md")
    (tmp_path / "docs/0-link.md").symlink_to("a.md")
    (tmp_path / "docs/0-folder").symlink_to("z")
    (tmp_path / "docs/latest").symlink_to("../archive/v1")
    (tmp_path / "docs/latest-again").symlink_to("../archive/v1")
    (tmp_path / "docs/readme.md").symlink_to("../README.md")
    (tmp_path / "docs/loop").symlink_to(".")
    (tmp_path / "docs/z/up").symlink_to("../..")
    (tmp_path / "docs/self").symlink_to("self")
    found = discover(tmp_path, (), Config())
    assert paths(found) == ["docs/a.md", "docs/latest/c.md", "docs/readme.md", "docs/z/b.md"]
    assert codes(found) == [("docs/loop", "symlink-loop"), ("docs/z/up", "symlink-loop")]
    assert not found.doubtful


def test_what_is_named_like_a_document_but_is_none_is_told(tmp_path: Path) -> None:
    write(tmp_path, "docs/a.md", "docs/folder.md/b.md")
    os.mkfifo(tmp_path / "docs/pipe.md")
    (tmp_path / "docs/dangling.md").symlink_to("nowhere.md")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(os.path.relpath(tmp_path / "docs/socket.md"))
        found = discover(tmp_path, (), Config())
    assert paths(found) == ["docs/a.md", "docs/folder.md/b.md"]
    names = ("docs/dangling.md", "docs/pipe.md", "docs/socket.md")
    assert codes(found) == [(name, "unreadable") for name in names]
    assert found.doubtful == names
    assert found.failed == found.warnings


def test_name_that_is_not_utf8_is_told(tmp_path: Path) -> None:
    write(tmp_path, "docs/a.md")
    (tmp_path / os.fsdecode(b"docs/\xff.md")).write_text("x")
    (tmp_path / os.fsdecode(b"docs/\xfe")).mkdir()
    found = discover(tmp_path, (), Config())
    assert paths(found) == ["docs/a.md"]
    assert codes(found) == [("docs/\\udcfe", "name-not-utf8"), ("docs/\\udcff.md", "name-not-utf8")]


def test_very_deep_folders_are_walked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    deep = tmp_path / "docs"
    deep.mkdir()
    try:
        monkeypatch.chdir(deep)
        for _ in range(1100):
            os.mkdir("d")
            os.chdir("d")
        Path("x.md").write_text("x")
        assert len(paths(discover(tmp_path, (), Config()))) == 1
    finally:
        subprocess.run(["rm", "-rf", str(deep)], check=True)


def test_path_inside_a_known_root_belongs_to_it(tmp_path: Path) -> None:
    write(tmp_path, "docs/a.md", "docs/api/b.md", "docs/api/c.md", "guide/d.md")
    part = discover(tmp_path, ("docs/api",), Config(), ("docs",))
    assert (paths(part), part.docs_roots) == (["docs/api/b.md", "docs/api/c.md"], ("docs",))
    assert part.covered == ("docs/api",)
    assert {file.docs_root for file in part.files} == {"docs"}
    one = discover(tmp_path, (tmp_path / "docs/api/b.md",), Config(), ("docs",))
    assert (paths(one), one.covered, one.docs_roots) == (
        ["docs/api/b.md"],
        ("docs/api/b.md",),
        ("docs",),
    )


def test_other_path_becomes_a_further_root(tmp_path: Path) -> None:
    write(tmp_path, "docs/a.md", "guide/d.md", "README.md")
    assert discover(tmp_path, ("guide/",), Config(), ("docs",)).docs_roots == ("docs", "guide")
    one = discover(tmp_path, ("README.md",), Config(), ("docs",))
    assert (paths(one), one.docs_roots, one.files[0].docs_root) == (
        ["README.md"],
        ("docs", "."),
        ".",
    )
    everything = discover(tmp_path, (".",), Config(), ("docs",))
    assert [(f.path, f.docs_root) for f in everything.files] == [
        ("README.md", "."),
        ("docs/a.md", "docs"),
        ("guide/d.md", "."),
    ]


def test_named_link_to_a_known_document_means_that_document(tmp_path: Path) -> None:
    write(tmp_path, "docs/a.md")
    (tmp_path / "b.md").symlink_to("docs/a.md")
    assert paths(discover(tmp_path, ("b.md",), Config(), ("docs",))) == ["docs/a.md"]


def test_named_file_that_rules_leave_out_is_told(tmp_path: Path) -> None:
    write(tmp_path, "docs/a.md", "docs/.b.md")
    rules(tmp_path, "a.md")
    found = discover(tmp_path, ("docs/a.md", "docs/.b.md"), Config(), ("docs",))
    assert codes(found) == [("docs/.b.md", "ignored-file"), ("docs/a.md", "ignored-file")]


@pytest.mark.parametrize("name", ["docs/none.md", "docs/text.txt", "docs/pipe.md", "нет"])
def test_named_path_that_is_no_document_is_an_error(name: str, tmp_path: Path) -> None:
    write(tmp_path, "docs/text.txt")
    os.mkfifo(tmp_path / "docs/pipe.md")
    with pytest.raises(InputError) as caught:
        discover(tmp_path, (name,), Config())
    assert caught.value.remedy
    assert caught.value.exit_status == 2


def test_named_path_outside_of_the_root_is_refused(tmp_path: Path) -> None:
    root = tmp_path / "root"
    write(root, "docs/a.md")
    write(tmp_path, "b.md")
    (root / "out").symlink_to(tmp_path)
    for bad in ("..", "../b.md", str(tmp_path / "b.md"), "out", "out/b.md"):
        with pytest.raises(PathRefusedError):
            discover(root, (bad,), Config())
    with pytest.raises(PathRefusedError):
        discover(root, (), config(roots=("out",)))


def test_missing_docs_root_is_an_error_at_first_and_a_doubt_later(tmp_path: Path) -> None:
    write(tmp_path, "guide/a.md")
    with pytest.raises(InputError):
        discover(tmp_path, (), config(roots=("docs",)))
    found = discover(tmp_path, (), config(roots=("docs", "guide")))
    assert codes(found) == [("docs", "docs-root-missing")]
    assert found.doubtful == ("docs",)
    assert found.docs_roots == ("guide",)
    later = discover(tmp_path, (), Config(), ("docs",), ("docs/a.md",))
    assert (later.doubtful, later.docs_roots) == (("docs",), ("docs",))


def test_missing_configured_roots_are_named_with_what_was_likely_meant(tmp_path: Path) -> None:
    write(tmp_path, "docs/a.md", "handbook/en/b.md")
    (tmp_path / "docs-agent.toml").write_text('[docs]\nroots = ["doc"]\n')
    for roots, meant in ((("doc",), "`docs`"), (("handbook/eng",), "`handbook/en`")):
        with pytest.raises(InputError) as caught:
            discover(tmp_path, (), replace(config(roots=roots), path="docs-agent.toml"), ("docs",))
        assert "docs.roots" in caught.value.message
        assert meant in caught.value.remedy
        assert (caught.value.path, caught.value.line) == ("docs-agent.toml", 2)


def test_one_wrong_name_among_the_roots_takes_nothing_away(tmp_path: Path) -> None:
    write(tmp_path, "docs/a.md", "guide/b.md")
    found = discover(tmp_path, (), config(roots=("doc", "guide")), ("docs",), ("docs/a.md",))
    assert (paths(found), found.covered) == (["guide/b.md"], ("guide",))
    assert found.docs_roots == ("docs", "guide")


def test_remembered_root_without_documents_is_forgotten_once_it_is_gone(tmp_path: Path) -> None:
    write(tmp_path, "docs/a.md")
    found = discover(tmp_path, (), Config(), ("doc",))
    assert (paths(found), found.docs_roots) == (["docs/a.md"], ("docs",))
    assert codes(found) == [("doc", "docs-root-forgotten")]
    named = discover(tmp_path, ("docs",), Config(), ("doc",))
    assert named.docs_roots == ("docs",)
    changes = discover_changes(tmp_path, Changes(upserts=("docs/a.md",)), Config(), ("doc",))
    assert changes.docs_roots == ("docs",)


def test_documents_beside_docs_are_only_told_while_nobody_chose_the_roots(tmp_path: Path) -> None:
    write(tmp_path, "docs/a.md", "README.md", "b.md", "c.md", ".d.md", "other/e.md")
    rules(tmp_path, "c.md")
    assert discover(tmp_path, (), Config()).beside == ("README.md", "b.md")
    assert discover(tmp_path, (), Config(), ("docs",)).beside == ()
    assert discover(tmp_path, (), config(roots=("docs",))).beside == ()


def test_changes_follow_the_same_rules(tmp_path: Path) -> None:
    write(
        tmp_path, "docs/a.md", "docs/.h/b.md", "docs/c.txt", "docs/d.tmp.md", "other/e.md",
        "docs/node_modules/f.md",
    )  # fmt: skip
    rules(tmp_path, "*.tmp.md")
    (tmp_path / "docs/out.md").symlink_to("/etc/hosts")
    upserts = (
        "docs/.h/b.md", "docs/a.md", "docs/c.txt", "docs/d.tmp.md", "docs/gone.md",
        "docs/node_modules/f.md", "docs/out.md", "other/e.md",
    )  # fmt: skip
    changes = Changes(upserts=upserts, deletes=("docs/x.md",))
    found = discover_changes(tmp_path, changes, Config(), ("docs",))
    assert paths(found) == ["docs/a.md"]
    assert found.covered == (*upserts, "docs/x.md")
    assert found.doubtful == ("docs/out.md",)
    with pytest.raises(PathRefusedError):
        discover_changes(tmp_path, Changes(upserts=("../x.md",)), Config(), ("docs",))


NAMES = ("a", "b", "foo", "draft-1", "ab", "[x]", "a b ")
CHOSEN = st.sampled_from(
    ["a", "/a", "a/", "b/**", "**/foo", "!foo", "*.md", "!a.md", "a/*", "/b/a.md", "draft-?.md"]
)
COMPOSED = st.text(alphabet="abfo*?/![]-\\. #", max_size=8)
PATTERNS = st.lists(CHOSEN | COMPOSED, max_size=5)


@settings(derandomize=True, deadline=None, max_examples=30)
@given(outer=PATTERNS, inner=PATTERNS)
def test_rules_agree_with_git(
    tmp_path_factory: pytest.TempPathFactory, outer: list[str], inner: list[str]
) -> None:
    root = tmp_path_factory.mktemp("ignore")
    write(root, *(f"{x}/{y}/{z}.md" for x in NAMES[:2] for y in NAMES[:3] for z in NAMES))
    write(root, *(f"{x}.md" for x in NAMES), *(f"b/{x}.md" for x in NAMES))
    rules(root, *outer)
    rules(root / "a", *inner)
    subprocess.run(["git", "init", "-q"], cwd=root, check=True)
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--others", "--exclude-standard", "*.md"],
        cwd=root, check=True, capture_output=True, text=True,
    )  # fmt: skip
    expected = sorted(name for name in listed.stdout.split("\0") if name)
    assert paths(discover(root, (".",), Config())) == expected


def test_link_that_may_not_be_read_concerns_itself_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, "docs/a.md", "docs/z/b.md")
    (tmp_path / "docs/folder").symlink_to("z")
    (tmp_path / "docs/page.md").symlink_to("a.md")
    read = os.readlink

    def refuse(path: str, **options: int) -> str:
        # As the kernel does for links to other people's processes; root may read all others.
        if os.fspath(path).endswith(("docs/folder", "docs/page.md")):
            raise PermissionError(13, "Permission denied", path)
        return read(path, **options)

    monkeypatch.setattr(os, "readlink", refuse)
    found = discover(tmp_path, (), Config())
    assert paths(found) == ["docs/a.md", "docs/z/b.md"]
    assert codes(found) == [("docs/folder", "unreadable"), ("docs/page.md", "unreadable")]
    with pytest.raises(UsageError, match="cannot be followed"):
        discover(tmp_path, ("docs/folder",), Config())
