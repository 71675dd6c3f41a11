"""What every implementation of core/store/protocol.py must do.

A backend inherits StoreConformance and says how a store is opened.
"""

from __future__ import annotations

import math
import random
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest
from store_samples import (
    FINGERPRINT,
    begin,
    document,
    file,
    index,
    info,
    put,
    record,
    state_of,
    vector,
)

from docs_agent.core.errors import (
    EmbedderMismatchError,
    IndexBusyError,
    NoIndexError,
    StoreError,
)
from docs_agent.core.layers import D0, D1, D2, D5
from docs_agent.core.records import FileRecords, IndexWarning, KnownName
from docs_agent.core.store.protocol import (
    FileState,
    Hit,
    LexicalWeights,
    Reader,
    RowFilter,
    Store,
    Writer,
)
from docs_agent.core.text import stems

ANY = RowFilter()
FLAT = LexicalWeights()


def paths(hits: Sequence[Hit]) -> list[str]:
    return [hit.path for hit in hits]


def find(reader: Reader, text: str, where: RowFilter = ANY, layer: str = D0) -> list[str]:
    return paths(reader.lexical(layer, stems(text), where, FLAT, 50))


@contextmanager
def breaking(store: Store, error: type[BaseException]) -> Iterator[Writer]:
    """A run that fails after what the caller does in it."""
    with begin(store) as writer:
        yield writer
        raise error


def bm25(
    rows: Sequence[Sequence[str]], terms: Sequence[str], weights: Sequence[float]
) -> list[float]:
    """The textbook formula with SQLite's constants, over rows of four texts."""
    columns = [[stems(text) for text in row] for row in rows]
    lengths = [sum(map(len, row)) for row in columns]
    average = sum(lengths) / len(rows)
    scores = [0.0] * len(rows)
    for term in dict.fromkeys(terms):
        holding = sum(any(term in words for words in row) for row in columns)
        idf = max(math.log((len(rows) - holding + 0.5) / (holding + 0.5)), 1e-6)
        for i, row in enumerate(columns):
            seen = sum(w * words.count(term) for w, words in zip(weights, row, strict=True))
            scale = 1.2 * (1 - 0.75 + 0.75 * lengths[i] / average)
            scores[i] += idf * seen * 2.2 / (seen + scale)
    return scores


class StoreConformance(ABC):
    @abstractmethod
    def open(self, path: Path, *, create: bool = False) -> Store: ...

    @pytest.fixture
    def place(self, tmp_path: Path) -> Path:
        return tmp_path / "папка с пробелом" / "index?#%20.db"

    @pytest.fixture
    def store(self, place: Path) -> Iterator[Store]:
        store = self.open(place, create=True)
        yield store
        store.close()

    # Sessions and jobs

    def test_missing_index_names_the_command_that_builds_it(self, place: Path) -> None:
        with pytest.raises(NoIndexError) as caught:
            self.open(place)
        assert "docs-agent index" in caught.value.remedy

    def test_new_store_has_no_sessions_and_cannot_be_read(self, store: Store) -> None:
        assert store.sessions() == ()
        with pytest.raises(NoIndexError), store.read("default"):
            pass

    def test_unknown_session_is_no_index(self, store: Store) -> None:
        index(store, file("a.md", "text"))
        with pytest.raises(NoIndexError, match="other"), store.read("other"):
            pass

    def test_finished_run_records_the_session(self, store: Store, place: Path) -> None:
        made = info("ветка", docs_roots=("content/en/docs", "доки"))
        with begin(store, "ветка") as writer:
            writer.finish(made, {}, ())
        assert store.sessions() == (made,)
        store.close()
        with self.open(place).read("ветка") as reader:
            assert reader.session == made

    def test_sessions_are_ordered_by_name(self, store: Store) -> None:
        for name in ("b", "a", "c"):
            index(store, session=name)
        assert [s.name for s in store.sessions()] == ["a", "b", "c"]

    def test_missing_completion_time_is_filled_in(self, store: Store) -> None:
        index(store, updated_at="")
        assert store.sessions()[0].updated_at

    def test_job_holds_counts_and_warnings(self, store: Store) -> None:
        warning = IndexWarning("a.md", 3, "code", "Беда\nс \x00 знаком")
        with begin(store) as writer:
            writer.finish(info(), {"seen": 2, "failed": 1}, (warning,))
        with store.read("default") as reader:
            job = reader.last_job()
        assert job is not None
        assert (job.session, job.status) == ("default", "done")
        assert job.counts == {"seen": 2, "failed": 1}
        assert job.warnings == (warning,)
        assert job.started_at <= job.finished_at

    def test_run_without_finish_leaves_nothing(self, store: Store) -> None:
        with pytest.raises(StoreError, match="without being finished"), begin(store) as writer:
            put(writer, file("a.md", "text"))
        assert store.sessions() == ()

    @pytest.mark.parametrize(
        ("error", "status"), [(ValueError, "failed"), (KeyboardInterrupt, "interrupted")]
    )
    def test_broken_run_keeps_the_index_and_its_job_shows(
        self, store: Store, error: type[BaseException], status: str
    ) -> None:
        index(store, file("a.md", "alpha"))
        with pytest.raises(error), breaking(store, error) as writer:
            put(writer, file("a.md", "beta", content_hash="new"))
        with store.read("default") as reader:
            assert find(reader, "alpha") == ["a.md"]
            assert find(reader, "beta") == []
            job = reader.last_job()
        assert job is not None
        assert job.status == status

    def test_dropped_session_is_gone_and_others_stay(self, store: Store) -> None:
        for name in ("a", "b"):
            with begin(store, name) as writer:
                put(writer, file("x.md", "alpha"), vector(1, 0))
                writer.finish(info(name), {}, ())
        assert store.drop("a") is True
        assert store.drop("a") is False
        assert [s.name for s in store.sessions()] == ["b"]
        with store.read("b") as reader:
            assert find(reader, "alpha") == ["x.md"]
            assert paths(reader.dense(D0, [1, 0], ANY, 5)) == ["x.md"]

    def test_dropped_name_can_be_used_again(self, store: Store) -> None:
        index(store, file("old.md", "alpha"))
        store.drop("default")
        index(store, file("new.md", "alpha"))
        with store.read("default") as reader:
            assert find(reader, "alpha") == ["new.md"]

    # Rows

    def test_row_comes_back_as_it_was_put(self, store: Store) -> None:
        metadata = {"a": [1, 2.5, None, True], "б": {"ключ": "знач 'ение\""}, "nul": "\x00"}
        made = record(
            "Текст\n| a | b |\n\x00", title="Имя", metadata=metadata, line=7, lang="ru", layer=D2
        )
        index(store, file("docs/ф.md", made), commit_sha="abc")
        with store.read("default") as reader:
            (row,) = reader.rows_of(ANY)
        assert (row.path, row.content, row.layer, row.title, row.lang) == (
            "docs/ф.md",
            made.content,
            D2,
            "Имя",
            "ru",
        )
        assert (row.span_start, row.span_end) == (7, 9)
        assert (row.repo_id, row.commit_sha) == ("repo", "abc")
        assert row.metadata == metadata

    def test_text_that_utf8_cannot_hold_does_not_stop_the_run(self, store: Store) -> None:
        bad = "half \ud83d of a pair"
        made = file(
            "a.md",
            record(bad, title=bad, metadata={"x": bad, bad: 1}),
            names=[KnownName("title", bad, bad, "a.md")],
        )
        index(store, made)
        with store.read("default") as reader:
            assert find(reader, "pair") == ["a.md"]
            assert reader.rows_of(ANY)[0].content == "half \ufffd of a pair"
            assert reader.lexical(D0, ["\ud83d"], ANY, FLAT, 5) == ()
            assert reader.rows_of(RowFilter(domain="\ud83d", paths=("\ud83d",))) == ()

    def test_path_that_utf8_cannot_hold_is_refused_by_name(self, store: Store) -> None:
        with begin(store) as writer:
            with pytest.raises(StoreError, match="not valid UTF-8"):
                put(writer, file("bad\udcff.md", "text"))
            put(writer, file("good.md", "text"))
            writer.finish(info(), {}, ())
        with store.read("default") as reader:
            assert [f.path for f in reader.files()] == ["good.md"]

    def test_unchanged_file_keeps_the_commit_it_was_indexed_at(self, store: Store) -> None:
        index(store, file("a.md", "x"), commit_sha="one")
        index(store, file("b.md", "x"), commit_sha="two")
        with store.read("default") as reader:
            assert [(r.path, r.commit_sha) for r in reader.rows_of(ANY)] == [
                ("a.md", "one"),
                ("b.md", "two"),
            ]

    def test_rows_come_in_the_order_asked_for(self, store: Store) -> None:
        index(store, file("a.md", "x", "y", "z"))
        with store.read("default") as reader:
            x, y, z = (row.row_id for row in reader.rows_of(ANY))
            asked = [z, 10**9, x, -1, y, z]
            assert [row.row_id for row in reader.rows(asked)] == [z, x, y, z]
            assert reader.rows([]) == ()

    def test_rows_of_another_session_are_not_given(self, store: Store) -> None:
        index(store, file("a.md", "x"), session="a")
        index(store, file("b.md", "x"), session="b")
        with store.read("a") as reader:
            (row,) = reader.rows_of(ANY)
        with store.read("b") as reader:
            assert reader.rows([row.row_id]) == ()

    def test_rows_of_orders_by_path_layer_and_line(self, store: Store) -> None:
        index(
            store,
            file(
                "b.md",
                record("one", layer=D2, line=1),
                record("two", line=9),
                record("three", line=3),
                record("four", layer=D1, line=1),
            ),
            file("a.md", "five"),
        )
        with store.read("default") as reader:
            found = [row.content for row in reader.rows_of(ANY)]
            assert found == ["five", "three", "two", "four", "one"]
            assert len(reader.rows_of(ANY, limit=2)) == 2
            assert reader.rows_of(ANY, limit=-1) == ()

    def test_layer_the_registry_does_not_know_is_stored_after_the_known(self, store: Store) -> None:
        index(store, file("a.py", record("code", layer="C0_SOURCE_CHUNKS"), "text"))
        with store.read("default") as reader:
            assert [r.layer for r in reader.rows_of(ANY)] == [D0, "C0_SOURCE_CHUNKS"]
            assert find(reader, "code", layer="C0_SOURCE_CHUNKS") == ["a.py"]
            assert find(reader, "code", layer="NO_SUCH_LAYER") == []

    def test_putting_a_file_again_replaces_all_of_it(self, store: Store) -> None:
        old = file("a.md", "alpha", "beta", names=[KnownName("title", "old", "Old", "a.md")])
        with begin(store) as writer:
            put(writer, old, vector(1, 0), vector(0, 1))
            put(writer, file("other.md", "alpha"), vector(1, 0))
            writer.finish(info(), {}, ())
        with begin(store) as writer:
            put(writer, file("a.md", "gamma", content_hash="new"), vector(0, 1))
            writer.finish(info(), {}, ())
        with store.read("default") as reader:
            assert [(r.path, r.content) for r in reader.rows_of(ANY)] == [
                ("a.md", "gamma"),
                ("other.md", "alpha"),
            ]
            assert find(reader, "alpha") == ["other.md"]
            assert find(reader, "beta") == []
            assert paths(reader.dense(D0, [1, 0], ANY, 9)) == ["other.md", "a.md"]
            assert reader.knowledge.names(["old"]) == ()
            assert "beta" not in reader.vocabulary(D0)

    def test_deleted_file_is_gone_and_unknown_paths_are_no_error(self, store: Store) -> None:
        index(store, file("a.md", "alpha"), file("b.md", "alpha"))
        with begin(store) as writer:
            writer.delete("a.md")
            writer.delete("never.md")
            writer.finish(info(), {}, ())
        with store.read("default") as reader:
            assert find(reader, "alpha") == ["b.md"]
            assert [f.path for f in reader.files()] == ["b.md"]

    def test_file_without_records_is_remembered(self, store: Store) -> None:
        empty = file("empty.md")
        index(store, empty)
        index(store, file("b.md", "x"))
        with store.read("default") as reader:
            assert reader.files() == (state_of(file("b.md")), state_of(empty))
            assert [row.path for row in reader.rows_of(ANY)] == ["b.md"]

    def test_stats_count_documents_rows_and_languages(self, store: Store) -> None:
        index(
            store,
            file("a.md", record("x", layer=D1, lang="ru"), "y", "z"),
            file("b.md", record("x", layer=D1, lang="en")),
            file("c.md", record("x", layer=D1, lang="ru")),
        )
        with store.read("default") as reader:
            stats = reader.stats()
        assert stats.documents == 3
        assert stats.records == {D0: 2, D1: 3}
        assert stats.languages == {"en": 1, "ru": 2}
        assert stats.db_bytes > 0

    # Full text

    def test_scores_are_bm25_with_weights_per_column(self, store: Store) -> None:
        rng = random.Random(7)
        words = ["сессия", "token", "health", "цикл", "user_id", "retry", "очередь"]
        rows = [
            tuple(" ".join(rng.choices(words, k=k)) for k in (2, 3, 0, rng.randint(1, 30)))
            for _ in range(12)
        ]
        rows.append(("", "", "", "filler text without any of them"))
        made = [
            file(f"{i:02}.md", record(body, title=title, section=section, path=path))
            for i, (title, section, path, body) in enumerate(rows)
        ]
        index(store, *made)
        weights = (4.0, 2.5, 0.5, 1.0)
        terms = stems("retry цикл user_id")
        expected = bm25(rows, terms, weights)
        with store.read("default") as reader:
            hits = reader.lexical(D0, terms, ANY, LexicalWeights(*weights), 50)
        best_first = sorted((score for score in expected if score), reverse=True)
        assert [hit.value for hit in hits] == pytest.approx(best_first, rel=1e-9)
        for hit in hits:
            assert hit.value == pytest.approx(expected[int(hit.path[:2])], rel=1e-9)

    def test_each_layer_and_session_ranks_by_its_own_words(self, store: Store) -> None:
        rows = [("", "", "", "alpha beta"), ("", "", "", "gamma"), ("", "", "", "delta delta")]
        made = [file(f"{i}.md", record(row[3])) for i, row in enumerate(rows)]
        noise = [file(f"n{i}.md", record("alpha alpha", layer=D1)) for i in range(5)]
        index(store, *made, *noise)
        index(store, *(file(f"{i}.md", "alpha") for i in range(20)), session="other")
        with store.read("default") as reader:
            (hit,) = reader.lexical(D0, ["alpha"], ANY, FLAT, 5)
        assert hit.value == pytest.approx(bm25(rows, ["alpha"], [1] * 4)[0], rel=1e-9)

    def test_statistics_forget_replaced_rows(self, store: Store) -> None:
        index(store, *(file(f"{i}.md", "alpha beta") for i in range(4)))
        index(store, *(file(f"{i}.md", "gamma", content_hash="2") for i in range(3)))
        rows = [("", "", "", "gamma")] * 3 + [("", "", "", "alpha beta")]
        with store.read("default") as reader:
            (hit,) = reader.lexical(D0, ["alpha"], ANY, FLAT, 5)
        assert hit.value == pytest.approx(bm25(rows, ["alpha"], [1] * 4)[3], rel=1e-9)

    @pytest.mark.parametrize(
        "word",
        [
            "/items/{item_id}",
            "C++",
            "C#",
            "WWW-Authenticate",
            "don't",
            "don’t",
            "v0.100.0",
            "user_id",
            "a/b",
            "x:y",
            "__init__",
            "ёлка",
            "йод",
            "Ёж",
            "naïve",
            "İstanbul",
            "ΣΊΣΥΦΟΣ",
            "straße",
            "中文",
            "𝔘𝔫𝔦",
            "①",
        ],
    )
    def test_every_stem_is_one_word_of_the_vocabulary(self, store: Store, word: str) -> None:
        index(store, file("a.md", f"x {word} y"), file("b.md", "other"))
        expected = dict.fromkeys(stems(f"x {word} y"), 1)
        with store.read("default") as reader:
            assert reader.vocabulary(D0) == expected | dict.fromkeys(stems("other"), 1)
            for stem in stems(word):
                assert paths(reader.lexical(D0, [stem], ANY, FLAT, 5)) == ["a.md"]

    @pytest.mark.parametrize(
        "term",
        [
            '"',
            '""',
            'a" OR "alpha',
            "alpha OR beta",
            "alpha*",
            "al*",
            "^alpha",
            "NOT",
            "AND",
            "NEAR(alpha beta)",
            "title:alpha",
            "{title body}:alpha",
            "-alpha",
            "alpha + beta",
            "'; DROP TABLE rag_files; --",
            "alpha\x00",
            "\x00",
            "",
            " ",
            "al_ha",
            "al%",
        ],
    )
    def test_terms_are_taken_literally(self, store: Store, term: str) -> None:
        index(store, file("a.md", "alpha beta"), file("b.md", "gamma"))
        with store.read("default") as reader:
            assert reader.lexical(D0, [term], ANY, FLAT, 5) == ()
            assert paths(reader.lexical(D0, [term, "beta"], ANY, FLAT, 5)) == ["a.md"]
            assert reader.knowledge.document_frequency([term]) == {}

    def test_any_of_sixty_terms_finds_a_row(self, store: Store) -> None:
        index(store, file("a.md", "word59"), file("b.md", "word3 word4"), file("c.md", "none"))
        with store.read("default") as reader:
            hits = reader.lexical(D0, [f"word{i}" for i in range(60)], ANY, FLAT, 5)
        assert paths(hits) == ["b.md", "a.md"]

    def test_limit_keeps_the_best(self, store: Store) -> None:
        index(
            store,
            file("a.md", "alpha and a lot of other words besides"),
            file("b.md", "alpha alpha"),
            file("c.md", "gamma"),
            file("d.md", "gamma"),
        )
        with store.read("default") as reader:
            assert paths(reader.lexical(D0, ["alpha"], ANY, FLAT, 1)) == ["b.md"]
            assert reader.lexical(D0, ["alpha"], ANY, FLAT, 0) == ()
            assert reader.lexical(D0, [], ANY, FLAT, 5) == ()

    def test_vocabulary_counts_rows_not_words(self, store: Store) -> None:
        index(store, file("a.md", "alpha alpha", "alpha beta"))
        with store.read("default") as reader:
            assert reader.vocabulary(D0) == {"alpha": 2, "beta": 1}
            assert reader.vocabulary(D1) == {}

    # Filters

    ODD = (
        "docs/a.md",
        "docs/a%b.md",
        "docs/a_b.md",
        "docs/aXb.md",
        "docs/[x]*?.md",
        "docs/it's.md",
        "docs_old/a.md",
        "Docs/a.md",
        "доки/я.md",
        "доки/яя\U0010ffff.md",
    )

    @pytest.mark.parametrize(
        "prefix",
        [
            "docs/",
            "docs",
            "docs/a%",
            "docs/a_",
            "docs/[",
            "docs/it'",
            "d",
            "доки/",
            "доки/яя\U0010ffff",
            "\U0010ffff",
            "\ud7ff",
            "%",
            "_",
            "*",
            "'",
            '"',
            "",
        ],
    )
    def test_path_prefixes_are_literal(self, store: Store, prefix: str) -> None:
        index(store, *(file(path, "alpha") for path in self.ODD))
        expected = sorted(p for p in self.ODD if p.startswith(prefix))
        only = RowFilter(path_prefixes=(prefix,))
        without = RowFilter(exclude_path_prefixes=(prefix,))
        with store.read("default") as reader:
            assert [row.path for row in reader.rows_of(only)] == expected
            assert sorted(find(reader, "alpha", only)) == expected
            assert [row.path for row in reader.rows_of(without)] == sorted(
                set(self.ODD) - set(expected)
            )

    def test_filters_restrict_before_the_limit(self, store: Store) -> None:
        many = [file(f"a/{i}.md", "alpha alpha alpha") for i in range(30)]
        with begin(store) as writer:
            for made in many:
                put(writer, made, vector(1, 0))
            put(writer, file("b/x.md", "alpha and other words"), vector(0, 1))
            writer.finish(info(), {}, ())
        for where in (
            RowFilter(path_prefixes=("b/",)),
            RowFilter(exclude_path_prefixes=("a/",)),
            RowFilter(paths=("b/x.md",)),
        ):
            with store.read("default") as reader:
                assert paths(reader.lexical(D0, ["alpha"], where, FLAT, 1)) == ["b/x.md"]
                assert paths(reader.dense(D0, [1, 0], where, 1)) == ["b/x.md"]

    def test_filters_combine(self, store: Store) -> None:
        index(
            store,
            file("docs/a/1.md", record("alpha", metadata={"domain": "Оплата"})),
            file("docs/a/2.md", record("alpha", metadata={"domain": "Доставка"})),
            file("docs/b/3.md", record("alpha", metadata={"domain": "оплата"})),
            file("src/4.md", record("alpha", metadata={"domain": "оплата"})),
        )
        where = RowFilter(
            layers=(D0,),
            path_prefixes=("docs/", "src/"),
            exclude_path_prefixes=("docs/b/",),
            domain="ОПЛАТА",
        )
        with store.read("default") as reader:
            assert [r.path for r in reader.rows_of(where)] == ["docs/a/1.md", "src/4.md"]
            assert sorted(find(reader, "alpha", where)) == ["docs/a/1.md", "src/4.md"]
            assert find(reader, "alpha", RowFilter(layers=(D1,))) == []

    @pytest.mark.parametrize("asked", ["Платёжный Контур", "ПЛАТЁЖНЫЙ КОНТУР", "платёжный контур"])
    def test_domains_are_compared_without_case(self, store: Store, asked: str) -> None:
        index(
            store,
            file(
                "a.md", record("alpha", metadata={"domain": "Платёжный контур", "subdomain": "ÉTÉ"})
            ),
            file("b.md", record("alpha", metadata={"domain": "Платёжный контур 2"})),
            file("c.md", record("alpha", metadata={"domain": ["Платёжный контур"]})),
        )
        with store.read("default") as reader:
            assert find(reader, "alpha", RowFilter(domain=asked)) == ["a.md"]
            assert find(reader, "alpha", RowFilter(subdomain="été")) == ["a.md"]
            assert find(reader, "alpha", RowFilter(domain="%")) == []

    def test_paths_like_is_literal_and_without_case(self, store: Store) -> None:
        index(store, *(file(path, "alpha") for path in self.ODD))
        with store.read("default") as reader:
            assert reader.paths_like(["A.MD"], ANY) == ("Docs/a.md", "docs/a.md", "docs_old/a.md")
            assert reader.paths_like(["a_b"], ANY) == ("docs/a_b.md",)
            assert reader.paths_like(["%"], ANY) == ("docs/a%b.md",)
            assert reader.paths_like(["Я.md", "it's"], ANY) == ("доки/я.md", "docs/it's.md")
            assert reader.paths_like([""], ANY) == ()
            assert reader.paths_like([], ANY) == ()
            assert len(reader.paths_like(["md"], ANY, limit=3)) == 3
            assert reader.paths_like(["a.md"], RowFilter(path_prefixes=("docs_",))) == (
                "docs_old/a.md",
            )
            assert reader.paths_like(["a.md"], RowFilter(layers=(D2,))) == ()

    # Vectors

    def test_nearest_first_by_cosine(self, store: Store) -> None:
        with begin(store) as writer:
            put(writer, file("same.md", "a"), vector(3, 4))
            put(writer, file("right.md", "a"), vector(4, -3))
            put(writer, file("opposite.md", "a"), vector(-6, -8))
            put(writer, file("none.md", "a"), None)
            put(writer, file("zero.md", "a"), vector(0, 0))
            put(writer, file("nan.md", "a"), vector(math.nan, 1))
            writer.finish(info(), {}, ())
        with store.read("default") as reader:
            hits = reader.dense(D0, [0.6, 0.8], ANY, 9)
            assert paths(hits) == ["same.md", "right.md", "opposite.md"]
            assert [hit.value for hit in hits] == pytest.approx([0, 1, 2], abs=0.01)
            assert paths(reader.dense(D0, [0.6, 0.8], ANY, 1)) == ["same.md"]
            assert reader.dense(D0, [0.0, 0.0], ANY, 5) == ()
            assert reader.dense(D1, [0.6, 0.8], ANY, 5) == ()

    def test_distances_are_exact_within_half_a_hundredth(self, store: Store) -> None:
        rng = random.Random(3)
        made = [[rng.gauss(0, 1) for _ in range(64)] for _ in range(300)]
        question = [rng.gauss(0, 1) for _ in range(64)]
        with begin(store, fingerprint="test:64") as writer:
            for i, components in enumerate(made):
                put(writer, file(f"{i}.md", "a"), vector(*components))
            writer.finish(info(dim=64, embedder="test:64"), {}, ())
        expected = [_cosine_distance(question, components) for components in made]
        for where in (ANY, RowFilter(path_prefixes=("1", "2"))):
            with store.read("default") as reader:
                hits = reader.dense(D0, question, where, 5000)
            wanted = [i for i in range(300) if where is ANY or str(i)[0] in "12"]
            assert sorted(paths(hits)) == sorted(f"{i}.md" for i in wanted)
            for hit in hits:
                assert hit.value == pytest.approx(expected[int(hit.path[:-3])], abs=0.005)

    def test_vector_of_another_length_is_a_mismatch(self, store: Store) -> None:
        with begin(store) as writer:
            put(writer, file("a.md", "a"), vector(1, 0))
            writer.finish(info(), {}, ())
        with store.read("default") as reader, pytest.raises(EmbedderMismatchError):
            reader.dense(D0, [1, 0, 0], ANY, 5)

    def test_session_without_vectors_finds_nothing_by_vector(self, store: Store) -> None:
        index(store, file("a.md", "a"), dim=0, embedder="none")
        with store.read("default") as reader:
            assert reader.dense(D0, [1, 0, 0], ANY, 5) == ()

    def test_vectors_that_do_not_fit_the_records_are_refused(self, store: Store) -> None:
        with begin(store) as writer:
            put(writer, file("a.md", "kept"))
            for given in ([], [vector(1, 0)] * 2, [b"abc"], [b""]):
                made = file("a.md", "lost", content_hash="new")
                with pytest.raises(StoreError):
                    writer.put(made, state_of(made), given)
            writer.finish(info(), {}, ())
        with store.read("default") as reader:
            assert find(reader, "kept") == ["a.md"]

    def test_new_embedder_makes_every_file_stale_and_drops_old_vectors(self, store: Store) -> None:
        with begin(store) as writer:
            put(writer, file("a.md", "a"), vector(1, 0))
            put(writer, file("b.md", "a"), vector(1, 0))
            writer.finish(info(), {}, ())
        with begin(store, fingerprint="test:3") as writer:
            old = writer.files()
            assert {state.pipeline_version for state in old.values()} == {""}
            assert old["a.md"].content_hash == "hash of a.md"
            put(writer, file("a.md", "a"), vector(0, 1, 0))
            writer.finish(info(embedder="test:3", dim=3), {}, ())
        with store.read("default") as reader:
            assert paths(reader.dense(D0, [0, 1, 0], ANY, 9)) == ["a.md"]
            assert sorted(find(reader, "a")) == ["a.md", "b.md"]

    # Names

    def test_names_are_found_by_key_in_a_stable_order(self, store: Store) -> None:
        names = [
            KnownName("title", "health", "Health", "b.md"),
            KnownName("alias", "health", "health", "b.md"),
            KnownName("endpoint", "/health", "GET /health", "b.md"),
        ]
        index(
            store,
            file("b.md", "x", names=names),
            file("a.md", "x", names=[KnownName("title", "health", "HEALTH", "a.md")]),
        )
        with store.read("default") as reader:
            known = reader.knowledge
            assert known.names(["health", "health", "none", "he%", "' OR 1=1 --"]) == (
                names[1],
                KnownName("title", "health", "HEALTH", "a.md"),
                names[0],
            )
            assert known.names([]) == ()
            assert known.endpoints() == (names[2],)

    def test_endpoints_are_ordered_by_path_and_value(self, store: Store) -> None:
        post = KnownName("endpoint", "/a", "POST /a", "b.md")
        get = KnownName("endpoint", "/a", "GET /a", "b.md")
        first = KnownName("endpoint", "/z", "/z", "a.md")
        index(store, file("b.md", "x", names=[post, get]), file("a.md", "x", names=[first]))
        with store.read("default") as reader:
            assert reader.knowledge.endpoints() == (first, get, post)

    def test_document_frequency_counts_cards_that_hold_the_stem(self, store: Store) -> None:
        index(
            store,
            document("a.md", "очереди и сессии", title="Очередь"),
            document("b.md", "сессия"),
            file("c.md", "очередь"),
        )
        stem, other = stems("очередь сессия")
        with store.read("default") as reader:
            known = reader.knowledge
            assert known.document_frequency([stem, other, "нет"]) == {stem: 1, other: 2}
            assert known.document_count() == 2

    def test_knowledge_of_an_empty_session(self, store: Store) -> None:
        index(store)
        with store.read("default") as reader:
            assert reader.knowledge.document_frequency(["a"]) == {}
            assert reader.knowledge.document_count() == 0
            assert reader.knowledge.endpoints() == ()

    # The run's own view

    def test_files_show_the_state_before_the_run(self, store: Store) -> None:
        made = file("a.md", "x")
        index(store, made)
        with begin(store, pipeline_version="2") as writer:
            put(writer, file("b.md", "x"))
            writer.delete("a.md")
            assert writer.files() == {"a.md": state_of(made)}
            writer.finish(info(), {}, ())

    def test_relations_and_names_show_what_the_run_has_done(self, store: Store) -> None:
        name = KnownName("document_id", "b", "b", "b.md")
        index(
            store,
            file("gone.md", record("x", layer=D5, metadata={"n": 0})),
            file("a.md", record("x", layer=D5, metadata={"n": 1})),
        )
        with begin(store) as writer:
            writer.delete("gone.md")
            put(writer, file("b.md", record("y", layer=D5, metadata={"n": 2}), names=[name]))
            found = writer.relations()
            assert [(path, metadata) for _, path, metadata in found] == [
                ("a.md", {"n": 1}),
                ("b.md", {"n": 2}),
            ]
            assert writer.known_names("document_id") == (name,)
            assert writer.known_names("alias") == ()
            assert writer.shared_names("document_id") == ()
            writer.set_resolved({found[0][0]: True, found[1][0]: False, 10**9: True})
            writer.finish(info(), {}, ())
        with begin(store) as writer:
            again = writer.relations()
            assert [metadata for _, _, metadata in again] == [
                {"n": 1, "resolved": True},
                {"n": 2, "resolved": False},
            ]
            writer.set_resolved({again[1][0]: True})
            writer.finish(info(), {}, ())
        with store.read("default") as reader:
            assert all(row.metadata["resolved"] is True for row in reader.rows_of(ANY))

    def test_relations_are_found_by_the_document_they_lead_to(self, store: Store) -> None:
        edge = record("x", layer=D5, metadata={"n": 1})
        other = record("y", layer=D5, line=9, metadata={"n": 2})
        index(store, file("b.md", other, edge), file("it's 100%.md", record("z", layer=D5)))
        index(store, file("b.md", edge), session="other")
        with begin(store) as writer:
            ids = {path: row_id for row_id, path, _ in writer.relations()}
            rows = {m.get("n"): row_id for row_id, _, m in writer.relations()}
            writer.set_target_documents(
                {rows[1]: "a.md", rows[2]: "a.md", ids["it's 100%.md"]: "b.md", 10**9: "a.md"}
            )
            writer.finish(info(), {}, ())
        with store.read("default") as reader:
            found = reader.relations_to(["a.md", "a.md"])
            assert [(r.path, r.metadata) for r in found] == [
                ("b.md", {"n": 1, "target_document": "a.md"}),
                ("b.md", {"n": 2, "target_document": "a.md"}),
            ]
            assert [r.path for r in reader.relations_to(["b.md"])] == ["it's 100%.md"]
            assert reader.relations_to(["%", "", "A.md", "nothing.md"]) == ()
            assert reader.relations_to([]) == ()
            assert len(reader.relations_to([f"{i}.md" for i in range(2000)] + ["a.md"])) == 2
        with begin(store) as writer:
            writer.set_target_documents({rows[1]: "", rows[2]: "c.md"})
            writer.finish(info(), {}, ())
        with store.read("default") as reader:
            assert reader.relations_to(["a.md"]) == ()
            assert [r.metadata["n"] for r in reader.relations_to(["c.md"])] == [2]
        with store.read("other") as reader:
            assert reader.relations_to(["a.md", "c.md"]) == ()

    def test_names_and_warnings_can_be_read(self, store: Store) -> None:
        name = KnownName("document_id", "b", "b", "b.md")
        odd = IndexWarning("b.md", 2, "odd", "Odd.")
        index(store, file("b.md", record("x"), names=[name], warnings=[odd]), file("a.md", "x"))
        with store.read("default") as reader:
            assert reader.known_names("document_id") == (name,)
            assert reader.known_names("alias") == ()
            assert reader.warnings_of("b.md") == (odd,)
            assert reader.warnings_of("a.md") == ()
            assert reader.warnings_of("%") == ()

    # Reuse

    def rich(self, body: str = "очередь alpha", content_hash: str = "h1") -> FileRecords:
        return file(
            "docs/a.md",
            record(body, title="Имя", section="S", path="docs/a.md", metadata={"domain": "Х"}),
            record("fact", layer=D2, line=4),
            record("card", layer=D1),
            names=[KnownName("alias", "name", "Name", "docs/a.md")],
            warnings=[IndexWarning("docs/a.md", 2, "odd", "Odd.")],
            content_hash=content_hash,
        )

    def check_rich(self, store: Store, session: str, body: str = "очередь alpha") -> None:
        with store.read(session) as reader:
            assert [(r.layer, r.content) for r in reader.rows_of(ANY)] == [
                (D0, body),
                (D1, "card"),
                (D2, "fact"),
            ]
            assert find(reader, body.split()[0], RowFilter(domain="х")) == ["docs/a.md"]
            assert find(reader, "fact", layer=D2) == ["docs/a.md"]
            for column in ("title", "section", "path"):
                zero = {"title": 0.0, "section": 0.0, "path": 0.0, "body": 0.0}
                weights = LexicalWeights(**(zero | {column: 1.0}))
                term = stems({"title": "Имя", "section": "S", "path": "docs"}[column])
                (hit,) = reader.lexical(D0, term, ANY, weights, 5)
                assert hit.value > 0
            (near,) = reader.dense(D0, [1, 0], ANY, 5)
            assert near.value == pytest.approx(0, abs=0.005)
            assert reader.dense(D1, [1, 0], ANY, 5) == ()
            assert [name.value for name in reader.knowledge.names(["name"])] == ["Name"]

    def test_rows_are_reused_from_another_session(self, store: Store) -> None:
        made = self.rich()
        with begin(store, "main") as writer:
            put(writer, made, vector(1, 0), vector(0, 1), None)
            writer.finish(info("main"), {}, ())
        state = FileState("docs/a.md", "h1", "1", 7, 8)
        with begin(store, "branch") as writer:
            assert writer.reuse("docs/a.md", "h1", state) == made.warnings
            assert writer.warnings() == {"docs/a.md": made.warnings}
            writer.finish(info("branch"), {}, ())
        self.check_rich(store, "branch")
        store.drop("main")
        self.check_rich(store, "branch")
        with store.read("branch") as reader:
            assert reader.files() == (state,)

    def test_replaced_rows_come_back_from_the_cache(self, store: Store) -> None:
        made = self.rich()
        with begin(store) as writer:
            put(writer, made, vector(1, 0), vector(0, 1), None)
            writer.finish(info(), {}, ())
        with begin(store) as writer:
            put(writer, self.rich("beta", "h2"), vector(1, 0), None, None)
            writer.finish(info(), {}, ())
        for content_hash, body in (
            ("h1", "очередь alpha"),
            ("h2", "beta"),
            ("h1", "очередь alpha"),
        ):
            with begin(store) as writer:
                state = FileState("docs/a.md", content_hash, "1", 7, 8)
                assert writer.reuse("docs/a.md", content_hash, state) == made.warnings
                writer.finish(info(), {}, ())
            self.check_rich(store, "default", body)

    def test_deleted_file_comes_back_from_the_cache(self, store: Store) -> None:
        made = self.rich()
        with begin(store) as writer:
            put(writer, made, vector(1, 0), vector(0, 1), None)
            writer.delete("docs/a.md")
            assert writer.reuse("docs/a.md", "h1", state_of(made)) == made.warnings
            writer.finish(info(), {}, ())
        self.check_rich(store, "default")

    def test_same_blob_in_the_same_session_only_gets_its_new_state(self, store: Store) -> None:
        made = self.rich()
        with begin(store) as writer:
            put(writer, made, vector(1, 0), vector(0, 1), None)
            writer.finish(info(), {}, ())
        touched = FileState("docs/a.md", "h1", "1", 7, 999)
        with begin(store) as writer:
            assert writer.reuse("docs/a.md", "h1", touched) == made.warnings
            writer.finish(info(), {}, ())
        self.check_rich(store, "default")
        with store.read("default") as reader:
            assert reader.files() == (touched,)

    @pytest.mark.parametrize(
        ("path", "content_hash", "changes"),
        [
            ("docs/b.md", "h1", {}),
            ("docs/a.md", "h9", {}),
            ("docs/a.md", "h1", {"repo_id": "other"}),
            ("docs/a.md", "h1", {"pipeline_version": "2"}),
            ("docs/a.md", "h1", {"fingerprint": "test:3"}),
        ],
    )
    def test_other_blobs_are_not_reused(
        self, store: Store, path: str, content_hash: str, changes: dict[str, str]
    ) -> None:
        index(store, self.rich(), session="main")
        with begin(store, "branch", **changes) as writer:
            state = FileState(path, content_hash, "1", 7, 8)
            assert writer.reuse(path, content_hash, state) is None
            writer.finish(info("branch"), {}, ())
        with store.read("branch") as reader:
            assert reader.files() == ()

    # Vector cache

    def test_cached_vectors_come_back_byte_for_byte(self, store: Store) -> None:
        given = {"k1": vector(0.1, 0.2), "k2": b"\x00\xff\x80"}
        with begin(store) as writer:
            writer.cache_vectors(FINGERPRINT, given)
            assert writer.cached_vectors(FINGERPRINT, ["k2"]) == {"k2": given["k2"]}
            writer.finish(info(), {}, ())
        store.cache_vectors("reader", {"k3": b"3"})
        with store.read("default") as reader:
            assert reader.cached_vectors(FINGERPRINT, ["k1", "k2", "k3"]) == given
            assert reader.cached_vectors("reader", ["k1", "k3"]) == {"k3": b"3"}
            keys = [f"n{i}" for i in range(3000)]
            assert reader.cached_vectors(FINGERPRINT, [*keys, "k1"]) == {"k1": given["k1"]}

    def test_vectors_of_an_interrupted_run_are_kept(self, store: Store) -> None:
        with pytest.raises(KeyboardInterrupt), breaking(store, KeyboardInterrupt) as writer:
            writer.cache_vectors(FINGERPRINT, {"k": b"v"})
        with begin(store) as writer:
            assert writer.cached_vectors(FINGERPRINT, ["k"]) == {"k": b"v"}
            writer.finish(info(), {}, ())

    def test_caching_while_a_run_writes_keeps_nothing_and_says_nothing(self, store: Store) -> None:
        index(store)
        with begin(store) as writer:
            store.cache_vectors(FINGERPRINT, {"k": b"v"})
            assert writer.cached_vectors(FINGERPRINT, ["k"]) == {}
            writer.finish(info(), {}, ())

    # Concurrency inside one process; the backend's own tests use real processes

    def test_reader_keeps_its_snapshot_while_a_run_commits(self, store: Store) -> None:
        index(store, file("a.md", "alpha"))
        with store.read("default") as reader:
            before = reader.rows_of(ANY)
            with begin(store) as writer:
                put(writer, file("a.md", "beta", content_hash="2"), vector(1, 0))
                put(writer, file("b.md", "alpha", record("x", layer=D2)))
                writer.finish(info(), {}, ())
            assert reader.rows_of(ANY) == before
            assert find(reader, "alpha") == ["a.md"]
            assert reader.vocabulary(D0) == {"alpha": 1}
            assert find(reader, "x", layer=D2) == []
        with store.read("default") as reader:
            assert find(reader, "alpha") == ["b.md"]
            assert find(reader, "x", layer=D2) == ["b.md"]

    def test_run_is_invisible_until_it_ends(self, store: Store) -> None:
        index(store, file("a.md", "alpha"))
        with begin(store) as writer:
            put(writer, file("a.md", "beta", content_hash="2"))
            writer.finish(info(), {}, ())
            with store.read("default") as reader:
                assert find(reader, "alpha") == ["a.md"]
        with store.read("default") as reader:
            assert find(reader, "beta") == ["a.md"]

    def test_second_writer_is_told_who_holds_the_index(self, store: Store, place: Path) -> None:
        with begin(store) as writer:
            other = self.open(place, create=True)
            with pytest.raises(IndexBusyError, match="process"), begin(other, timeout=0.1):
                pass
            writer.finish(info(), {}, ())
        index(store, file("a.md", "x"))


def _cosine_distance(a: Sequence[float], b: Sequence[float]) -> float:
    dot = sum(x * y for x, y in zip(a, b, strict=True))
    return 1 - dot / (math.hypot(*a) * math.hypot(*b))
