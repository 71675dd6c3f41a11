"""Cutting text into the encoder's word pieces, exactly as its SentencePiece model does.

The model never lets a piece reach over a space, so each word is cut on its own and remembered.
Nothing is loaded in advance: the vocabulary is read bucket by bucket as words ask for it, which
makes one question cost milliseconds instead of the 0.4 s the SentencePiece library takes to load.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence, Sized
from functools import lru_cache
from itertools import chain, pairwise
from pathlib import Path
from typing import Any, Final, TypeVar

from docs_agent.core.embed.package import encoder_resources
from docs_agent.core.embed.table import TABLE_PATH, Section, Table, open_table

_S = TypeVar("_S", bound=Sized)

SPACE: Final = "▁"
"""Stands for the space before a word."""
UNKNOWN: Final = 0
BEGIN: Final = 1
END: Final = 2
CONTROL: Final = (UNKNOWN, BEGIN, END)
"""Ids that no text may produce by being spelt out, such as `<s>`."""
_IMPOSSIBLE = float("-inf")
_UNKNOWN_PENALTY = 10.0
_WORDS_KEPT = 400_000
_LONG_WORD = 128
_SLICE_CHARS = 2_000_000
"""Characters that are held as words at once; a longer text is a slice of its own."""
_WORTH_THE_LIBRARY = 5_000
"""New words."""
_CUT_FURTHER = frozenset(("15,", "Nos", "ner", "sees", "sinds", "tono", "为", "使用", "石"))
"""Words that are pieces of the model and that the model cuts nevertheless; any other word that is a
piece is cut into itself."""
_PLAIN = re.compile("[ -~\nА-яЁё«»—–“”]*").fullmatch
"""Text in which only line feeds are replaced: nearly all text there is."""
_SPECIAL = re.compile("[^ -~А-яЁё«»—–“”]")
"""A character that may be replaced."""


def bucket_of(piece: str, buckets: int) -> int:
    """Bucket of a piece: by its first two letters, word-initial and inner pieces apart."""
    half = buckets // 2
    if piece[0] == SPACE and len(piece) > 1:
        return half + _spread(piece[1:3]) % half
    return _spread(piece[:2]) % half


def _spread(head: str) -> int:
    return ord(head[0]) * 2_654_435_761 + (ord(head[1]) if len(head) > 1 else 0) * 40_503 >> 7


class Normalizer:
    """The model's character rules: NFKC with all kinds of spaces made one."""

    def __init__(self, table: Table) -> None:
        self._units = table.section(Section.CHARS_TRIE).cast("I")
        self._text = bytes(table.section(Section.CHARS_TEXT))
        joiners = bytes(table.section(Section.JOINERS)).rstrip(b"\0").decode("utf-8")
        self._joiner = re.compile(f"[{re.escape(joiners)}]")
        self._cluster = re.compile(f"(.?[{re.escape(joiners)}]+)", re.DOTALL)
        self._chars: dict[str, str] = {"\n": " "}

    def words(self, text: str) -> list[str]:
        """Words between spaces; empty strings where spaces repeat."""
        if _PLAIN(text):
            return text.replace("\n", " ").split(" ")
        # A rule longer than one character always ends in a joiner; all else goes letter by letter.
        parts = self._cluster.split(text) if self._joiner.search(text) else [text]
        for i, part in enumerate(parts):
            parts[i] = self.longest(part) if i % 2 else _SPECIAL.sub(self._replacement, part)
        return "".join(parts).split(" ")

    def _replacement(self, char: re.Match[str]) -> str:
        """Replacement of a single character, found when first met."""
        found = self._chars.get(char[0])
        if found is None:
            found = self._chars[char[0]] = self.longest(char[0])
        return found

    def longest(self, text: str) -> str:
        """Replace the longest known prefix, again and again."""
        raw = text.encode("utf-8", "surrogatepass")
        out, at = bytearray(), 0
        while at < len(raw):
            size, value = self._match(raw, at)
            if size:
                out += self._text[value : self._text.index(b"\0", value)]
                at += size
            else:
                end = at + 1
                while end < len(raw) and raw[end] & 0xC0 == 0x80:
                    end += 1
                out += raw[at:end]
                at = end
        return out.decode("utf-8", "surrogatepass")

    def _match(self, raw: bytes, at: int) -> tuple[int, int]:
        """Length of the longest rule at `at` and where its replacement starts; (0, 0) for none."""
        units = self._units
        node, best = _child(units[0]), (0, 0)
        for i in range(at, len(raw)):
            node ^= raw[i]
            unit = units[node]
            if unit & 0x800000FF != raw[i]:
                break
            node ^= _child(unit)
            if unit & 0x100:
                best = (i + 1 - at, units[node] & 0x7FFFFFFF)
        return best


def _child(unit: int) -> int:
    return (unit >> 10) << ((unit & 0x200) >> 6)


class PieceTokenizer:
    """Text to piece ids."""

    def __init__(self, table: Table) -> None:
        self._normalizer = Normalizer(table)
        self._words = _Words(table)
        self._library_loaded = False

    def preload(self) -> None:
        """Load the SentencePiece library, if there is one, for all words to come."""
        self._library_loaded = _library() is not None

    def all_ids(self, texts: Iterable[str]) -> Iterator[list[int]]:
        """`ids` of each text. The words of many texts are made known at once, when there are enough
        new ones to pay for loading the SentencePiece library (it takes 0.3 s, and then a thirtieth
        of the time), or when it is loaded already.
        """
        for some in gathered(texts, _SLICE_CHARS):
            split = [self._normalizer.words(text) for text in some]
            self._learn(set().union(*split) - self._words.keys())
            yield from map(self._ids, split)

    def _learn(self, new: set[str]) -> None:
        known = self._words
        new = {word for word in new if len(word) <= _LONG_WORD}
        worth = self._library_loaded or len(new) >= _WORTH_THE_LIBRARY
        if not worth or len(known) + len(new) > _WORDS_KEPT:
            return
        library = _library()
        if library is None:
            return
        self._library_loaded = True
        for word, ids in zip(new, library.encode(list(new)), strict=True):
            # The library joins neighbouring unknown letters; the encoder's own tokenizer does not.
            if UNKNOWN not in ids:
                known[word] = tuple(ids)

    def ids(self, text: str) -> list[int]:
        """Ids of the pieces in order; empty for a text without words."""
        return self._ids(self._normalizer.words(text))

    def _ids(self, split: Sequence[str]) -> list[int]:
        # Bounds memory on endless streams of new words; one text never sees it.
        if len(self._words) > _WORDS_KEPT:
            self._words.clear()
        words = self._words
        return list(chain.from_iterable([words[word] for word in split]))

    def encode(
        self,
        text: str,
        out_type: type = int,  # the encoder package passes it; ids are all there is
        add_bos: bool = False,
        add_eos: bool = False,
    ) -> list[int]:
        """Ids as the encoder asks for them: a text without words is one unknown piece."""
        ids = self.ids(text) or [UNKNOWN]
        return [BEGIN] * add_bos + ids + [END] * add_eos


def gathered(items: Iterable[_S], most: int) -> Iterator[list[_S]]:
    """The items in order, in lists of `most` letters or pieces together; a longer item is a list of
    its own."""
    some: list[_S] = []
    size = 0
    for item in items:
        if some and size + len(item) > most:
            yield some
            some, size = [], 0
        some.append(item)
        size += len(item)
    if some:
        yield some


class _Words(dict[str, tuple[int, ...]]):
    """Piece ids of each word, worked out when first met."""

    def __init__(self, table: Table) -> None:
        super().__init__({"": ()})
        self._text = table.section(Section.PIECES)
        self._text_starts = table.section(Section.TEXT_STARTS).cast("I")
        self._piece_starts = table.section(Section.PIECE_STARTS).cast("I")
        self._ids = table.section(Section.IDS).cast("I")
        self._scores = table.section(Section.SCORES).cast("f")
        self._buckets = table.buckets
        self._pieces: dict[str, int] = {}
        self._longest: dict[str, int] = {}
        self._need(SPACE)
        self._unknown = table.lowest - _UNKNOWN_PENALTY

    def clear(self) -> None:
        super().clear()
        self[""] = ()

    def __missing__(self, word: str) -> tuple[int, ...]:
        ids = self._whole(word) or self._cut(SPACE + word)
        if len(word) <= _LONG_WORD:
            self[word] = ids
        return ids

    def _whole(self, word: str) -> tuple[int, ...]:
        """The word's own piece, which most words of a text have; empty when it has none."""
        head = SPACE + word[:2]
        if head not in self._longest:
            self._need(head)
        place = self._pieces.get(SPACE + word, -1)
        return () if place < 0 or word in _CUT_FURTHER else (self._ids[place],)

    def _need(self, head: str) -> None:
        """Read the pieces that start like `head`: one or two letters, after a space or not."""
        bucket = bucket_of(head, self._buckets)
        start, end = self._text_starts[bucket], self._text_starts[bucket + 1]
        pieces = bytes(self._text[start:end]).decode("utf-8").split("\n")[:-1]
        first = self._piece_starts[bucket]
        self._pieces.update(zip(pieces, range(first, first + len(pieces)), strict=True))
        fitting = [len(piece) for piece in pieces if piece.startswith(head)]
        self._longest[head] = max(fitting, default=len(head) - 1)

    def _cut(self, word: str) -> tuple[int, ...]:
        """The most probable way to cut a word (Viterbi); of equals, the first found."""
        size, scores, find = len(word), self._scores, self._pieces.get
        best = [0.0] + [_IMPOSSIBLE] * size
        start, piece = [0] * (size + 1), [-1] * (size + 1)
        for i, reach in enumerate(self._reaches(word)):
            base = best[i]
            found = find(word[i], -1)
            score = base + (scores[found] if found >= 0 else self._unknown)
            if score > best[i + 1]:
                best[i + 1], start[i + 1], piece[i + 1] = score, i, found
            for j in range(i + 2, min(i + reach, size) + 1):
                found = find(word[i:j], -1)
                if found >= 0:
                    score = base + scores[found]
                    if score > best[j]:
                        best[j], start[j], piece[j] = score, i, found
        ids: list[int] = []
        at = size
        while at > 0:
            ids.append(self._ids[piece[at]] if piece[at] >= 0 else UNKNOWN)
            at = start[at]
        return tuple(reversed(ids))

    def _reaches(self, word: str) -> list[int]:
        """How long a piece may be at each place of the word; reads the pieces it needs."""
        heads = [word[:3], *map("".join, pairwise(word[1:])), word[-1]]
        longest = self._longest
        for head in (word[:2], *word[1:], *heads):
            if head not in longest:
                self._need(head)
        return [longest[head] for head in heads[: len(word)]]


@lru_cache(maxsize=1)
def _library() -> Any:
    """The SentencePiece library with the encoder's model; None when either is not to be had."""
    try:
        from sentencepiece import SentencePieceProcessor

        return SentencePieceProcessor(model_file=str(encoder_resources() / "sp.model"))
    except (ImportError, OSError, RuntimeError):
        return None


@lru_cache(maxsize=2)
def tokenizer(path: Path = TABLE_PATH) -> PieceTokenizer:
    """The tokenizer over the shipped vocabulary, shared by all who use it.

    Raises InputError when the data file cannot be used.
    """
    return PieceTokenizer(open_table(path))
