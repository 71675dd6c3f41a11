"""Index runs over real files into a real index, with the real static embedder."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from docs_agent.core.config import Config, DocsConfig, IndexConfig, load_config
from docs_agent.core.embed.protocol import Embedder
from docs_agent.core.embed.static import StaticEmbedder
from docs_agent.core.errors import InputError, PathRefusedError, ServiceError, UsageError
from docs_agent.core.git import Changes
from docs_agent.core.store.protocol import RowFilter, SessionInfo
from docs_agent.core.store.sqlite import open_store
from docs_agent.indexers.run import run_index
from docs_agent.indexers.run_report import IndexReport, IndexRequest, NoProgress, Progress


class Counting:
    """The static embedder, with a count of the texts it was given."""

    def __init__(self, fingerprint: str = "") -> None:
        self._real: Embedder = StaticEmbedder()
        self.fingerprint = fingerprint or self._real.fingerprint
        self.dim = self._real.dim
        self.texts: list[str] = []
        self.fails_after = -1

    def documents(self, texts: Sequence[str]) -> Any:
        self.texts.extend(texts)
        if 0 <= self.fails_after < len(self.texts):
            raise ServiceError("the service is away", remedy="start it")
        return self._real.documents(texts)

    def query(self, text: str) -> Any:
        return self._real.query(text)


class Project:
    """A folder with documents and its index."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.db = root / ".docs-agent/index.db"
        self.embedder = Counting()
        self.config = Config()

    def write(self, name: str, text: str | bytes, age: float = 60.0) -> None:
        """A file that was last changed `age` seconds ago."""
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        then = time.time() - age
        os.utime(path, (then, then))

    def run(self, *paths: str, progress: Progress | None = None, **fields: Any) -> IndexReport:
        request = IndexRequest(
            root=self.root, db=self.db, config=self.config, paths=paths, **fields
        )
        store = open_store(self.db, create=True)
        self.embedder.texts.clear()
        try:
            return run_index(request, store, self.embedder, progress or NoProgress())
        finally:
            store.close()

    def paths(self, session: str = "default") -> list[str]:
        with open_store(self.db).read(session) as reader:
            return [file.path for file in reader.files()]

    def content(self, path: str, layer: str = "D0_DOC_CHUNKS") -> str:
        with open_store(self.db).read("default") as reader:
            rows = reader.rows_of(RowFilter(layers=(layer,), paths=(path,)))
        return "\n".join(row.content for row in rows)

    def session(self) -> SessionInfo:
        with open_store(self.db).read("default") as reader:
            return reader.session

    def resolved(self) -> dict[tuple[str, str], bool]:
        with open_store(self.db).read("default") as reader:
            rows = reader.rows_of(RowFilter(layers=("D5_RELATION_GRAPH",)))
        return {(row.path, row.metadata["target_id"]): row.metadata["resolved"] for row in rows}


def document(title: str, text: str, **keys: str) -> str:
    lines = "".join(f"{key}: {value}\n" for key, value in {"title": title, **keys}.items())
    return f"---\n{lines}---\n# {title}\n\n## Summary\n\n{text}\n"


@pytest.fixture
def project(tmp_path: Path) -> Project:
    made = Project(tmp_path)
    made.write("docs/a.md", document("Delivery loop", "The loop sends what is due.", id="loop"))
    made.write("docs/b.md", document("Цикл доставки", "Цикл отправляет уведомления."))
    made.write("docs/sub/c.md", document("Health", "GET /health tells the state."))
    return made


def counts(report: IndexReport) -> dict[str, int]:
    return {name: n for name, n in report.files.as_json().items() if n}


def test_first_run_indexes_everything(project: Project) -> None:
    report = project.run()
    assert counts(report) == {"seen": 3, "indexed": 3}
    assert report.records["D1_DOCUMENT_CATALOG"] == 3
    assert project.paths() == ["docs/a.md", "docs/b.md", "docs/sub/c.md"]
    assert "отправляет" in project.content("docs/b.md")
    assert project.embedder.texts
    assert not report.warnings


def test_report_is_the_documented_json(project: Project) -> None:
    report = project.run().as_json()
    assert report.keys() >= {
        "session", "db", "root", "docs_roots", "files", "records", "warnings", "embedder",
        "seconds",
    }  # fmt: skip
    assert report["session"] == "default"
    assert report["db"] == str(project.db)
    assert report["root"] == str(project.root)
    assert report["docs_roots"] == ["docs"]
    assert report["files"] == {
        "seen": 3, "indexed": 3, "unchanged": 0, "deleted": 0, "failed": 0, "cache_hits": 0,
    }  # fmt: skip
    assert report["embedder"] == project.embedder.fingerprint


def test_second_run_embeds_nothing(project: Project) -> None:
    before = project.run()
    after = project.run()
    assert counts(after) == {"seen": 3, "unchanged": 3}
    assert project.embedder.texts == []
    assert after.records == before.records


def test_changed_file_alone_is_embedded_again(project: Project) -> None:
    project.run()
    project.write("docs/b.md", document("Цикл доставки", "Теперь раз в минуту."))
    assert counts(project.run()) == {"seen": 3, "indexed": 1, "unchanged": 2}
    assert project.embedder.texts
    assert all("минуту" in text or "Цикл" in text for text in project.embedder.texts)
    assert "минуту" in project.content("docs/b.md")


def test_file_with_another_time_but_the_same_content_is_unchanged(project: Project) -> None:
    project.run()
    os.utime(project.root / "docs/a.md", (1e9, 1e9))
    assert counts(project.run()) == {"seen": 3, "unchanged": 3}
    assert project.embedder.texts == []


def test_change_within_one_tick_of_the_clock_is_seen(project: Project) -> None:
    path = project.root / "docs/a.md"
    project.write("docs/a.md", "# One\n\nfirst text\n", age=0)
    first = path.stat()
    project.run()
    path.write_text("# One\n\nother text\n")
    os.utime(path, ns=(first.st_atime_ns, first.st_mtime_ns))
    assert path.stat().st_size == first.st_size
    assert counts(project.run()) == {"seen": 3, "indexed": 1, "unchanged": 2}
    assert "other text" in project.content("docs/a.md")


def test_settled_file_is_not_read_again(project: Project) -> None:
    project.run()
    project.write("docs/a.md", "x" * (project.root / "docs/a.md").stat().st_size)
    with open_store(project.db).read("default") as reader:
        known = {file.path: file for file in reader.files()}["docs/a.md"].mtime_ns
    os.utime(project.root / "docs/a.md", ns=(known, known))
    assert counts(project.run()) == {"seen": 3, "unchanged": 3}


def test_full_run_embeds_everything_again(project: Project) -> None:
    project.run()
    assert counts(project.run(full=True)) == {"seen": 3, "indexed": 3}
    assert project.embedder.texts


def test_content_that_was_there_before_comes_from_the_cache(project: Project) -> None:
    project.run()
    text = project.content("docs/a.md")
    old = (project.root / "docs/a.md").read_bytes()
    project.write("docs/a.md", "# Other\n")
    project.run()
    project.write("docs/a.md", old)
    report = project.run()
    assert counts(report) == {"seen": 3, "indexed": 1, "unchanged": 2, "cache_hits": 1}
    assert project.embedder.texts == []
    assert project.content("docs/a.md") == text


def test_other_session_takes_what_the_first_has(project: Project) -> None:
    project.run()
    report = project.run(session="draft")
    assert counts(report) == {"seen": 3, "indexed": 3, "cache_hits": 3}
    assert project.embedder.texts == []
    assert project.paths("draft") == project.paths()


def test_deleted_file_loses_its_records(project: Project) -> None:
    project.run()
    (project.root / "docs/b.md").unlink()
    assert counts(project.run()) == {"seen": 2, "unchanged": 2, "deleted": 1}
    assert project.paths() == ["docs/a.md", "docs/sub/c.md"]
    assert project.content("docs/b.md") == ""


def test_deleted_folder_loses_its_records(project: Project) -> None:
    project.run()
    (project.root / "docs/sub/c.md").unlink()
    (project.root / "docs/sub").rmdir()
    assert counts(project.run())["deleted"] == 1


def test_file_that_rules_now_leave_out_loses_its_records(project: Project) -> None:
    project.run()
    project.config = Config(docs=DocsConfig(exclude=("b.md",)))
    assert counts(project.run()) == {"seen": 2, "unchanged": 2, "deleted": 1}


@pytest.mark.parametrize("kind", ["folder", "pipe", "dangling link", "outside link", "binary"])
def test_file_that_cannot_be_read_keeps_its_records(kind: str, project: Project) -> None:
    project.run()
    text = project.content("docs/b.md")
    path = project.root / "docs/b.md"
    path.unlink()
    if kind == "folder":
        path.mkdir()
    elif kind == "pipe":
        os.mkfifo(path)
    elif kind == "dangling link":
        path.symlink_to("nowhere.md")
    elif kind == "outside link":
        path.symlink_to("/etc/hosts")
    else:
        path.write_bytes(b"\x7fELF\0\0\0\1" * 99)
    for _ in range(2):
        report = project.run()
        assert report.files.failed == 1
        assert report.files.deleted == 0
        assert [(w.path, bool(w.code and w.message)) for w in report.failed] == [
            ("docs/b.md", True)
        ]
        assert set(report.failed) <= set(report.warnings)
        assert project.content("docs/b.md") == text
    if kind == "folder":
        path.rmdir()
    else:
        path.unlink()
    assert project.run().files.deleted == 1


def test_file_that_grows_too_large_keeps_its_records(project: Project) -> None:
    project.config = Config(index=IndexConfig(max_file_bytes=1000))
    project.run()
    text = project.content("docs/b.md")
    project.write("docs/b.md", "# Big\n" + "x" * 1000)
    report = project.run()
    assert [(w.path, w.code) for w in report.failed] == [("docs/b.md", "file-too-large")]
    assert project.content("docs/b.md") == text


def test_file_that_vanishes_midway_is_told_and_kept(project: Project) -> None:
    class Vanishing(NoProgress):
        def start(self, total: int) -> None:
            (project.root / "docs/b.md").unlink()

    project.run()
    report = project.run(full=True, progress=Vanishing())
    assert [w.path for w in report.failed] == ["docs/b.md"]
    assert "docs/b.md" in project.paths()


def test_docs_root_that_vanishes_keeps_its_records(project: Project) -> None:
    project.run()
    (project.root / "docs").rename(project.root / "moved")
    report = project.run()
    assert counts(report) == {"failed": 1}
    assert [(w.path, w.code) for w in report.failed] == [("docs", "docs-root-missing")]
    assert len(project.paths()) == 3


def test_misspelt_docs_root_costs_nothing(project: Project) -> None:
    project.run()
    project.config = Config(docs=DocsConfig(roots=("doc",)))
    with pytest.raises(InputError, match="doc"):
        project.run()
    project.write("guide/g.md", "# Guide\n")
    project.config = Config(docs=DocsConfig(roots=("doc", "guide")))
    report = project.run()
    assert counts(report) == {"seen": 1, "indexed": 1, "failed": 1}
    assert project.session().docs_roots == ("docs", "guide")
    assert len(project.paths()) == 4
    project.config = Config()
    assert counts(project.run()) == {"seen": 4, "unchanged": 4}


def test_full_run_forgets_a_remembered_root_that_is_gone(project: Project) -> None:
    project.write("guide/g.md", "# Guide\n")
    project.run("docs", "guide")
    (project.root / "guide/g.md").unlink()
    (project.root / "guide").rmdir()
    assert counts(project.run()) == {"seen": 3, "unchanged": 3, "failed": 1}
    assert len(project.paths()) == 4
    report = project.run(full=True)
    assert [w.code for w in report.warnings] == ["docs-root-forgotten"]
    assert report.docs_roots == ("docs",)
    assert len(project.paths()) == 3


def test_folder_that_was_renamed_to_docs_is_found(project: Project) -> None:
    (project.root / "docs").rename(project.root / "doc")
    project.run("doc")
    (project.root / "doc").rename(project.root / "docs")
    report = project.run()
    assert report.files.seen == 3
    assert [w.code for w in report.failed] == ["docs-root-missing"]
    assert report.docs_roots == ("doc", "docs")


def test_part_of_a_root_leaves_the_rest_alone(project: Project) -> None:
    project.run()
    (project.root / "docs/a.md").unlink()
    (project.root / "docs/sub/c.md").unlink()
    project.write("docs/sub/d.md", "# New\n")
    report = project.run("docs/sub")
    assert counts(report) == {"seen": 1, "indexed": 1, "deleted": 1}
    assert report.docs_roots == ("docs",)
    assert project.paths() == ["docs/a.md", "docs/b.md", "docs/sub/d.md"]
    project.write("docs/b.md", "# Changed\n")
    assert counts(project.run("docs/b.md")) == {"seen": 1, "indexed": 1}
    assert project.session().docs_roots == ("docs",)


def test_further_root_is_remembered(project: Project) -> None:
    project.write("guide/g.md", "# Guide\n")
    project.run()
    assert project.run("guide").docs_roots == ("docs", "guide")
    assert len(project.paths()) == 4
    (project.root / "guide/g.md").unlink()
    assert counts(project.run()) == {"seen": 3, "unchanged": 3, "deleted": 1}


def test_root_that_the_configuration_drops_is_forgotten(project: Project) -> None:
    project.write("guide/g.md", "# Guide\n")
    project.run("docs", "guide")
    project.config = Config(docs=DocsConfig(roots=("guide",)))
    assert counts(project.run()) == {"seen": 1, "unchanged": 1, "deleted": 3}


def test_records_depend_on_the_docs_root(project: Project) -> None:
    project.write("docs/sub/e.md", "# E\n\n[home](/c.md)\n")
    project.run()
    assert project.resolved()[("docs/sub/e.md", "/c.md")] is False
    project.config = Config(docs=DocsConfig(roots=("docs", "docs/sub")))
    report = project.run()
    assert counts(report) == {"seen": 4, "indexed": 2, "unchanged": 2}
    assert project.resolved()[("docs/sub/e.md", "/c.md")] is True


def test_other_embedder_embeds_everything_again(project: Project) -> None:
    project.run()
    project.embedder = Counting("static:other")
    report = project.run("docs/b.md")
    assert counts(report) == {"seen": 3, "indexed": 3}
    assert (report.embedder, project.session().embedder) == ("static:other",) * 2
    assert counts(project.run()) == {"seen": 3, "unchanged": 3}


def test_remote_vectors_are_bought_once(project: Project) -> None:
    project.embedder = Counting("remote:model")
    project.run()
    assert project.embedder.texts
    report = project.run(full=True)
    assert counts(report) == {"seen": 3, "indexed": 3}
    assert project.embedder.texts == []


def test_failing_service_leaves_the_index_as_it_was(project: Project) -> None:
    project.run()
    project.write("docs/a.md", "# New text\n\nwords\n")
    project.embedder.fails_after = 0
    with pytest.raises(ServiceError):
        project.run()
    assert "what is due" in project.content("docs/a.md")
    project.embedder.fails_after = -1
    assert counts(project.run()) == {"seen": 3, "indexed": 1, "unchanged": 2}


def test_interrupted_run_leaves_the_index_as_it_was(project: Project) -> None:
    class Interrupting(NoProgress):
        finished = False

        def advance(self, path: str, records: int) -> None:
            if path == "docs/sub/c.md":
                raise KeyboardInterrupt

        def finish(self) -> None:
            self.finished = True

    project.run()
    project.write("docs/a.md", "# New\n")
    progress = Interrupting()
    with pytest.raises(KeyboardInterrupt):
        project.run(progress=progress)
    assert progress.finished
    assert "what is due" in project.content("docs/a.md")
    assert counts(project.run()) == {"seen": 3, "indexed": 1, "unchanged": 2}


def test_progress_tells_every_file_once(project: Project) -> None:
    class Told(NoProgress):
        def __init__(self) -> None:
            self.total = 0
            self.files: list[tuple[str, bool]] = []

        def start(self, total: int) -> None:
            self.total = total

        def advance(self, path: str, records: int) -> None:
            self.files.append((path, records > 0))

    project.run()
    project.write("docs/a.md", "# New\n")
    project.write("docs/b.md", b"\x7fELF\0\0\0\1" * 99)
    told = Told()
    project.run(progress=told)
    assert told.total == 3
    expected = [("docs/a.md", True), ("docs/b.md", False), ("docs/sub/c.md", False)]
    assert sorted(told.files) == expected


def test_relations_are_resolved_when_all_documents_are_known(project: Project) -> None:
    project.write("src/code.py", "pass\n")
    project.write(
        "docs/0.md",
        "---\nid: zero\nrelated_docs: [loop, nowhere]\n"
        "related_code: [src/code.py, src/none.py, ../../etc/passwd]\n---\n"
        "# Zero\n\n[health](sub/c.md) [later](later.md#part) [folder](sub)\n",
    )
    project.run()
    resolved = project.resolved()
    assert {target: resolved[("docs/0.md", target)] for _, target in resolved} == {
        "loop": True,
        "nowhere": False,
        "src/code.py": True,
        "src/none.py": False,
        "../../etc/passwd": False,
        "sub/c.md": True,
        "later.md#part": False,
        "sub": True,
    }
    project.write("docs/later.md", "# Later\n")
    (project.root / "docs/a.md").unlink()
    project.run()
    assert project.resolved()[("docs/0.md", "later.md#part")] is True
    assert project.resolved()[("docs/0.md", "loop")] is False


def test_id_used_twice_is_told_with_both_files(project: Project) -> None:
    project.write("docs/z.md", document("Second", "Same id.", id="loop"))
    report = project.run()
    assert [(w.path, w.code) for w in report.warnings] == [("docs/z.md", "duplicate-id")]
    assert "docs/a.md" in report.warnings[0].message


def test_warnings_stand_until_the_fault_is_mended(project: Project) -> None:
    project.write("docs/bad.md", "---\nid: x\nid: y\n---\n# Text\n\ntext\n")
    project.write("docs/z.md", document("Second", "Same id.", id="loop"))
    first = project.run()
    again = project.run()
    assert again.files.indexed == 0
    assert again.warnings == first.warnings
    assert {w.code for w in again.warnings} == {"frontmatter-duplicate-key", "duplicate-id"}
    with open_store(project.db).read("default") as reader:
        job = reader.last_job()
    assert job is not None
    assert job.warnings == again.warnings
    part = project.run("docs/sub")
    assert [w.code for w in part.warnings] == ["duplicate-id"]
    project.write("docs/bad.md", "# Text\n\ntext\n")
    (project.root / "docs/z.md").unlink()
    assert project.run().warnings == ()


def test_alias_that_leads_nowhere_is_told_with_its_line(project: Project) -> None:
    toml = '[router.aliases]\npage = "docs/a.md"\nid = "loop"\n"призрак" = "docs/ghost.md"\n'
    (project.root / "docs-agent.toml").write_text(toml, encoding="utf-8")
    project.config = load_config(project.root)
    for _ in range(2):
        (warning,) = project.run().warnings
        assert (warning.path, warning.line) == ("docs-agent.toml", 4)
        assert warning.code == "alias-target-missing"
        assert "docs/ghost.md" in warning.message


def test_documents_outside_docs_are_hinted_at_once(project: Project) -> None:
    for name in ("CHANGELOG.md", "README.md", "CONTRIBUTING.md"):
        project.write(name, "# x\n")
    report = project.run()
    assert report.warnings == ()
    assert report.hints == (
        "README.md and 2 more Markdown files outside docs/ are not indexed "
        "(docs-agent index . to include them)",
    )
    assert report.as_json()["hints"] == list(report.hints)
    assert project.run().hints == ()


def test_faults_inside_documents_do_not_stop_the_run(project: Project) -> None:
    project.write("docs/bad.md", "---\nid: [unclosed\n---\n# Still here\n\ntext\n")
    project.write("docs/cp1251.md", "# Заголовок\n\nСтарый текст.\n".encode("cp1251"))
    project.write("docs/empty.md", "")
    report = project.run()
    assert report.files.indexed == 6
    assert {w.path for w in report.warnings} >= {"docs/bad.md", "docs/cp1251.md"}
    assert "Старый" in project.content("docs/cp1251.md")


def test_broken_names_do_not_stop_the_run(project: Project) -> None:
    (project.root / os.fsdecode(b"docs/\xff.md")).write_text("# x\n")
    project.write("docs/имя с пробелами\nи строкой.md", "# y\n")
    report = project.run()
    assert counts(report) == {"seen": 4, "indexed": 4, "failed": 1}
    assert [w.code for w in report.failed] == ["name-not-utf8"]
    assert "docs/имя с пробелами\nи строкой.md" in project.paths()


def test_project_without_documents_gives_an_empty_index(tmp_path: Path) -> None:
    empty = Project(tmp_path)
    assert counts(empty.run()) == {}
    assert empty.paths() == []


def test_wrong_paths_change_nothing(project: Project) -> None:
    project.run()
    with pytest.raises(InputError):
        project.run("docs/none.md")
    with pytest.raises(PathRefusedError):
        project.run("..")
    with pytest.raises(UsageError):
        project.run("docs", changed_since="HEAD")
    assert len(project.paths()) == 3


def git(root: Path, *arguments: str) -> None:
    who = ("-c", "user.name=t", "-c", "user.email=t@example.org")
    subprocess.run(["git", *who, *arguments], cwd=root, check=True, capture_output=True)


def test_only_what_changed_since_a_commit_is_looked_at(project: Project) -> None:
    git(project.root, "init", "-q")
    project.write(".gitignore", ".docs-agent/\n")
    git(project.root, "add", "-A")
    git(project.root, "commit", "-qm", "first")
    assert counts(project.run(changed_since="HEAD")) == {"seen": 3, "indexed": 3}
    assert len(project.session().commit_sha) == 40
    project.write("docs/a.md", "# Changed\n")
    (project.root / "docs/sub/c.md").rename(project.root / "docs/sub/d.md")
    project.write("other/x.md", "# Not documentation\n")
    assert counts(project.run(changed_since="HEAD")) == {"seen": 2, "indexed": 2, "deleted": 1}
    assert project.paths() == ["docs/a.md", "docs/b.md", "docs/sub/d.md"]
    assert counts(project.run(changed_since="HEAD")) == {"seen": 2, "unchanged": 2}


def test_explicit_changes_touch_nothing_else(project: Project) -> None:
    project.run()
    project.write("docs/a.md", "# Changed\n")
    project.write("docs/b.md", "# Changed too\n")
    (project.root / "docs/sub/c.md").unlink()
    changes = Changes(upserts=("docs/a.md",), deletes=("docs/sub/c.md", "docs/unknown.md"))
    assert counts(project.run(changes=changes)) == {"seen": 1, "indexed": 1, "deleted": 1}
    assert "Цикл" in project.content("docs/b.md")


def test_unchanged_run_over_many_files_is_quick(tmp_path: Path) -> None:
    many = Project(tmp_path)
    for number in range(300):
        many.write(f"docs/{number % 10}/{number}.md", f"# Document {number}\n\nText {number}.\n")
    many.run()
    best = min(many.run().seconds for _ in range(5))
    assert best < 0.25  # 0.05 s on an idle machine
