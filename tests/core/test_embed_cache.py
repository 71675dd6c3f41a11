"""Unpacked models on disk: whole, or as good as absent."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from docs_agent.core.embed import cache


@pytest.fixture
def entry(tmp_path: Path) -> Path:
    """A small entry."""
    entry = tmp_path / "model-1"
    arrays = {"a": np.arange(12, dtype=np.float32).reshape(3, 4), "b.0": np.ones(5, np.uint8)}
    assert cache.save(entry, arrays, {"n": 3, "eps": 0.5})
    return entry


def test_what_is_saved_comes_back(entry: Path) -> None:
    arrays, scalars = cache.load(entry) or ({}, {})
    assert arrays["a"].tolist() == [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]
    assert arrays["b.0"].tolist() == [1, 1, 1, 1, 1]
    assert scalars == {"n": 3, "eps": 0.5}
    assert cache.verify(entry)


def test_an_entry_is_untouched_until_its_numbers_are_written_to(entry: Path) -> None:
    assert cache.untouched(entry)
    numbers = entry / "numbers.bin"
    made = (entry / "manifest.json").stat().st_mtime_ns
    os.utime(numbers, ns=(made, made + 1_000_000_000))
    assert not cache.untouched(entry)
    os.utime(numbers, ns=(made, made))
    assert cache.untouched(entry)
    with numbers.open("ab") as file:
        file.write(b"x")
    os.utime(numbers, ns=(made, made))
    assert not cache.untouched(entry)
    cache.discard(entry)
    assert not cache.untouched(entry)


def test_what_comes_back_cannot_be_written_to(entry: Path) -> None:
    arrays, _ = cache.load(entry) or ({}, {})
    with pytest.raises(ValueError, match="read-only"):
        arrays["a"][0, 0] = 1


def spoil_manifest(entry: Path) -> None:
    (entry / "manifest.json").write_text("[" * 100_000, encoding="utf-8")


def lose_manifest(entry: Path) -> None:
    (entry / "manifest.json").unlink()


def manifest_body(entry: Path) -> str:
    return (entry / "manifest.json").read_text(encoding="utf-8").partition("\n")[2]


def edit_manifest(entry: Path, old: str, new: str) -> None:
    path = entry / "manifest.json"
    body = manifest_body(entry)
    assert old in body
    body = body.replace(old, new)
    path.write_text(f"{cache._seal(body)}\n{body}", encoding="utf-8")


def hold_objects(entry: Path) -> None:
    edit_manifest(entry, '"<f4"', '"|O"')


def reach_beyond_the_end(entry: Path) -> None:
    edit_manifest(entry, "[3, 4]", "[3, 4000000]")


def hold_words_for_numbers(entry: Path) -> None:
    edit_manifest(entry, "0.5", '"half"')


def hold_a_list_for_an_object(entry: Path) -> None:
    edit_manifest(entry, body := manifest_body(entry), f"[{body}]")


def change_the_manifest(entry: Path) -> None:
    with (entry / "manifest.json").open("a", encoding="utf-8") as file:
        file.write(" ")


def cut_short(entry: Path) -> None:
    os.truncate(entry / "numbers.bin", 20)


def empty_numbers(entry: Path) -> None:
    os.truncate(entry / "numbers.bin", 0)


def nest_deeply(entry: Path) -> None:
    edit_manifest(entry, manifest_body(entry), "[" * 100_000)


@pytest.mark.parametrize(
    "damage",
    [
        spoil_manifest,
        lose_manifest,
        hold_objects,
        hold_words_for_numbers,
        hold_a_list_for_an_object,
        reach_beyond_the_end,
        change_the_manifest,
        nest_deeply,
        cut_short,
        empty_numbers,
    ],
    ids=lambda damage: damage.__name__,
)
def test_a_damaged_entry_is_as_good_as_absent(entry: Path, damage: Callable[[Path], None]) -> None:
    damage(entry)
    assert cache.load(entry) is None


def test_a_whole_entry_is_left_alone(entry: Path) -> None:
    before = (entry / "numbers.bin").stat().st_ino
    assert cache.save(entry, {"a": np.ones(2, np.float32)}, {})
    assert (entry / "numbers.bin").stat().st_ino == before


def test_what_a_killed_process_left_is_removed(tmp_path: Path) -> None:
    entry = tmp_path / "model-1"
    old, fresh = tmp_path / ".model-1-old", tmp_path / ".model-1-new"
    for folder in (old, fresh):
        folder.mkdir()
        (folder / "numbers.bin").write_bytes(b"half")
    os.utime(old, (1, 1))
    assert cache.save(entry, {"a": np.ones((2, 3), dtype=np.float32)}, {"b": 2})
    assert not old.exists()
    assert fresh.exists()
    arrays, scalars = cache.load(entry) or ({}, {})
    assert arrays["a"].tolist() == [[1, 1, 1], [1, 1, 1]]
    assert scalars == {"b": 2}


def test_the_cache_is_where_the_user_keeps_caches(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache.models_dir() == tmp_path / "docs-agent" / "models"
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path / "local"))
    assert cache.models_dir() == tmp_path / "local" / "docs-agent" / "models"
    monkeypatch.setattr(sys, "platform", "darwin")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert cache.models_dir() == tmp_path / "Library" / "Caches" / "docs-agent" / "models"


@pytest.mark.parametrize("base", ["/" + "x" * 5000, "/" + "x" * 300, "FILE"])
def test_folder_that_cannot_be_is_reported_and_does_without(
    tmp_path: Path, base: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from docs_agent.core.embed.check import cache_fact

    (tmp_path / "file").touch()
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("XDG_CACHE_HOME", base.replace("FILE", str(tmp_path / "file")))
    entry = cache.models_dir() / "model"
    assert not cache.save(entry, {"a": np.ones(3)}, {})
    assert cache.load(entry) is None
    assert not cache.verify(entry)
    cache.discard(entry)
    fact = cache_fact()
    assert not fact.ok
    assert "XDG_CACHE_HOME" in fact.remedy
    assert len(fact.detail.encode("utf-8")) < 2000
