"""What every embedder does; the tests of each inherit it."""

from __future__ import annotations

import socket

import numpy as np
import pytest

from docs_agent.core.embed.protocol import Embedder


class EmbedderConformance:
    """What every Embedder does; subclasses give `embedder`."""

    embedder: Embedder

    def test_shapes_follow_the_texts_and_the_dimension(self) -> None:
        vectors = self.embedder.documents(["one text", "другой текст", ""])
        assert vectors.shape == (3, self.embedder.dim)
        assert vectors.dtype == np.float32
        assert self.embedder.documents([]).shape == (0, self.embedder.dim)
        assert self.embedder.query("вопрос").shape == (self.embedder.dim,)

    def test_rows_have_unit_length_or_are_zero(self) -> None:
        texts = ["how does it work", "как это работает", "", " \n\t", "!!! --- ...", "☃"]
        lengths = np.linalg.norm(self.embedder.documents(texts), axis=1)
        if self.embedder.dim:
            assert lengths[:2] == pytest.approx([1, 1], abs=1e-5)
        assert lengths[2:] == pytest.approx([0, 0, 0, 0])

    def test_a_text_has_the_same_vector_alone_and_among_others(self) -> None:
        texts = ["retry timeout", "", "очередь сообщений", "retry timeout"]
        vectors = self.embedder.documents(texts)
        assert np.array_equal(vectors[0], vectors[3])
        for text, vector in zip(texts, vectors, strict=True):
            assert self.embedder.query(text) == pytest.approx(vector, abs=1e-6)

    def test_the_fingerprint_is_stable_and_named(self) -> None:
        assert self.embedder.fingerprint == self.embedder.fingerprint != ""


class OfflineConformance(EmbedderConformance):
    """What every Embedder does that works here."""

    def test_it_needs_no_network(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def refuse(*_: object, **__: object) -> None:
            raise AssertionError("the network was used")

        monkeypatch.setattr(socket, "socket", refuse)
        self.embedder.documents(["offline", "без сети"])
        self.embedder.query("offline")
