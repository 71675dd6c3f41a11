"""Embedders of optional packages, with the packages themselves and models made here."""

from __future__ import annotations

import json
import socket
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from embed_conformance import OfflineConformance

from docs_agent.core.embed.local import PACKAGES, LocalEmbedder, Package, local_embedder
from docs_agent.core.embed.registry import make_embedder, other_than_built, reading_embedder
from docs_agent.core.embedder_config import EmbedderConfig
from docs_agent.core.errors import ConfigError, EmbedderMismatchError, InputError

MODEL2VEC, FASTEMBED = PACKAGES
_TEXT = """
[UNK] [PAD] how does it work как это работает one other text очередь сообщений retry timeout
другой текст вопрос offline без сети
"""
WORDS = _TEXT.split()
needs_model2vec = pytest.mark.skipif(
    find_spec("model2vec") is None, reason="pip install 'docs-agent[model2vec]'"
)
needs_fastembed = pytest.mark.skipif(
    find_spec("fastembed") is None or find_spec("onnx") is None,
    reason="pip install 'docs-agent[fastembed]' onnx",
)


def tokenizer() -> Any:
    """One that knows WORDS."""
    from tokenizers import Tokenizer
    from tokenizers.models import WordLevel
    from tokenizers.normalizers import Lowercase
    from tokenizers.pre_tokenizers import Whitespace

    made = Tokenizer(WordLevel({word: i for i, word in enumerate(WORDS)}, unk_token="[UNK]"))
    made.normalizer = Lowercase()
    made.pre_tokenizer = Whitespace()
    return made


def numbers(seed: int, dim: int = 16) -> Any:
    return np.random.default_rng(seed).normal(size=(len(WORDS), dim)).astype(np.float32)


def static_model(folder: Path, seed: int = 1, dim: int = 16) -> Path:
    """A model of model2vec."""
    from model2vec import StaticModel

    StaticModel(numbers(seed, dim), tokenizer()).save_pretrained(folder)
    return folder


def local(package: Package, built: str = "", **fields: Any) -> LocalEmbedder:
    return local_embedder(package, EmbedderConfig(kind=package.name, **fields), {}, built)


@needs_model2vec
class TestModel2Vec(OfflineConformance):
    @pytest.fixture(autouse=True)
    def _made(self, tmp_path: Path) -> None:
        self.embedder = local(MODEL2VEC, path=str(static_model(tmp_path / "potion")))

    def test_the_dimension_is_that_of_the_model(self) -> None:
        assert self.embedder.dim == 16
        assert self.embedder.fingerprint.startswith("model2vec:potion#")
        assert self.embedder.fingerprint.endswith("@16")


@needs_model2vec
def test_another_model_in_the_same_folder_has_another_fingerprint(tmp_path: Path) -> None:
    folder = str(static_model(tmp_path / "m", seed=1))
    first = local(MODEL2VEC, path=folder).fingerprint
    assert local(MODEL2VEC, path=folder).fingerprint == first
    static_model(tmp_path / "m", seed=2)
    assert local(MODEL2VEC, path=folder).fingerprint != first
    config = EmbedderConfig(kind="model2vec", path=folder)
    assert other_than_built("model2vec", config, {}, first)
    with pytest.raises(EmbedderMismatchError) as caught:
        reading_embedder(first, config, {})
    assert "docs-agent index" in caught.value.remedy


@needs_model2vec
def test_the_index_tells_the_dimensions_so_no_model_is_read(tmp_path: Path) -> None:
    folder = static_model(tmp_path / "m")
    config = EmbedderConfig(kind="model2vec", path=str(folder))
    made = make_embedder("model2vec", config, {}).fingerprint
    found = reading_embedder(made, config, {})
    assert found.fingerprint == made
    assert "_encode" not in vars(found)
    assert other_than_built("model2vec", config, {}, made) == ""


@needs_model2vec
def test_dimensions_that_the_model_does_not_have_are_refused(tmp_path: Path) -> None:
    wrong = local(MODEL2VEC, path=str(static_model(tmp_path / "m")), dimensions=5)
    with pytest.raises(InputError, match="of 5 dimensions") as caught:
        wrong.documents(["text"])
    assert "embedder.dimensions" in caught.value.remedy


@needs_model2vec
@pytest.mark.parametrize("name", ["model.safetensors", "tokenizer.json", "config.json"])
def test_a_damaged_model_is_refused_with_a_remedy(tmp_path: Path, name: str) -> None:
    folder = static_model(tmp_path / "m")
    (folder / name).write_bytes(b"\0oops")
    with pytest.raises(InputError, match="model2vec cannot use the model") as caught:
        local(MODEL2VEC, path=str(folder)).query("text")
    assert "embedder.path" in caught.value.remedy


@needs_model2vec
def test_an_empty_folder_is_no_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError("the network was used")

    monkeypatch.setattr(socket, "socket", refuse)
    with pytest.raises(InputError, match="model2vec cannot use the model"):
        local(MODEL2VEC, path=str(tmp_path)).query("text")


def test_a_package_that_is_missing_is_told_with_the_command() -> None:
    missing = Package("docs_agent_no_such_package", MODEL2VEC.load, needs_model=False)
    with pytest.raises(ConfigError, match="is not installed") as caught:
        local_embedder(missing, EmbedderConfig(model="m"), {}, "")
    assert caught.value.remedy.startswith("pip install 'docs-agent[")


@needs_model2vec
def test_a_model_must_be_named() -> None:
    with pytest.raises(ConfigError, match="has no model"):
        local(MODEL2VEC)
    with pytest.raises(ConfigError, match="no folder"):
        local(MODEL2VEC, path="/nowhere/at/all")


@needs_model2vec
def test_the_variables_name_a_model_too(tmp_path: Path) -> None:
    folder = static_model(tmp_path / "m")
    environ = {"DOCS_AGENT_EMBEDDER_PATH": str(folder)}
    assert make_embedder("model2vec", EmbedderConfig(), environ).dim == 16


def onnx_model(folder: Path) -> Path:
    """A model of fastembed: the mean of the vectors of the words."""
    import onnx
    from onnx import TensorProto, helper, numpy_helper

    folder.mkdir(parents=True)
    sides = ["batch", "length"]
    graph = helper.make_graph(
        [helper.make_node("Gather", ["table", "input_ids"], ["last_hidden_state"], axis=0)],
        "words",
        [
            helper.make_tensor_value_info(name, TensorProto.INT64, sides)
            for name in ("input_ids", "attention_mask")
        ],
        [helper.make_tensor_value_info("last_hidden_state", TensorProto.FLOAT, [*sides, 16])],
        [numpy_helper.from_array(numbers(1), "table")],
    )
    opset = helper.make_opsetid("", 17)
    made = helper.make_model(graph, opset_imports=[opset], ir_version=8)
    onnx.save(made, folder / "model.onnx")
    tokenizer().save(str(folder / "tokenizer.json"))
    settings = {"model_max_length": 64, "pad_token": "[PAD]"}
    (folder / "tokenizer_config.json").write_text(json.dumps(settings), encoding="utf-8")
    (folder / "config.json").write_text('{"pad_token_id": 1}', encoding="utf-8")
    (folder / "special_tokens_map.json").write_text(
        '{"pad_token": "[PAD]", "unk_token": "[UNK]"}', encoding="utf-8"
    )
    return folder


MEAN_OF_WORDS = "sentence-transformers/all-MiniLM-L6-v2"
"""Tells fastembed that the parts of a text are averaged."""


@needs_fastembed
class TestFastEmbed(OfflineConformance):
    @pytest.fixture(autouse=True)
    def _made(self, tmp_path: Path) -> None:
        path = str(onnx_model(tmp_path / "minilm"))
        self.embedder = local(FASTEMBED, path=path, model=MEAN_OF_WORDS)

    def test_the_dimension_is_that_of_the_model(self) -> None:
        assert self.embedder.dim == 16
        assert self.embedder.fingerprint.startswith(f"fastembed:{MEAN_OF_WORDS}#")


@needs_fastembed
def test_a_model_that_fastembed_does_not_know_is_refused(tmp_path: Path) -> None:
    path = str(onnx_model(tmp_path / "m"))
    with pytest.raises(InputError, match="fastembed cannot use the model"):
        local(FASTEMBED, path=path, model="nobody/nothing").query("text")
    with pytest.raises(ConfigError, match="has no model"):
        local(FASTEMBED, path=path)
