"""The shipped data file of the static embedder: sections of one memory-mapped file.

Layout, little-endian: a header of 160 bytes (magic, layout version, dimensions, rows, buckets,
lowest score, BLAKE2b-128 of everything after the header, start of each section, end of the file),
then the sections, each on a multiple of 8 bytes. `build_static_table.py` writes it.
"""

from __future__ import annotations

import mmap
import struct
import sys
from enum import IntEnum
from errno import EMFILE, ENFILE
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple, NoReturn

from docs_agent.core.errors import InputError

MAGIC = b"DAEMBED\x01"
LAYOUT = 1
HEADER_SIZE = 160
TABLE_PATH = Path(__file__).with_name("static_table.bin")
REMEDY = "reinstall docs-agent: pip install --force-reinstall docs-agent"

_HEADER = struct.Struct("<8s4If16s14Q")


class Section(IntEnum):
    """What the parts of the file hold, in file order."""

    TEXT_STARTS = 0
    """u32, buckets + 1: where each bucket of pieces starts in PIECES."""
    PIECE_STARTS = 1
    """u32, buckets + 1: number of the first piece of each bucket."""
    PIECES = 2
    """UTF-8: the pieces of the vocabulary in bucket order, each followed by a line feed."""
    IDS = 3
    """u32 per piece: its id in the model."""
    SCORES = 4
    """f32 per piece: its unigram log-probability."""
    CHARS_TRIE = 5
    """u32: double-array trie of the normaliser's replacements."""
    CHARS_TEXT = 6
    """UTF-8, NUL-terminated strings the trie points to."""
    JOINERS = 7
    """UTF-8: characters that may change with the character before them."""
    ROWS = 8
    """i32 per model id: its row in CODES, -1 for none."""
    LEVELS = 9
    """f32, 16: what a 4-bit code stands for."""
    SCALES = 10
    """f32 per row: length and weight of the row."""
    CODES = 11
    """u8, rows × dim / 2: two 4-bit codes a byte, low half first."""


class Table(NamedTuple):
    """An open data file."""

    path: Path
    """Where it was read from."""
    dim: int
    """Length of a vector."""
    rows: int
    """Number of pieces that have a vector."""
    buckets: int
    """Number of buckets the vocabulary is spread over."""
    lowest: float
    """Smallest unigram log-probability of the vocabulary."""
    digest: bytes
    """BLAKE2b-128 that the content should have."""
    starts: tuple[int, ...]
    """Start of each section, then the end of the file; bytes."""
    data: memoryview
    """The whole file."""

    def section(self, which: Section) -> memoryview:
        """Bytes of one section."""
        return self.data[self.starts[which] : self.starts[which + 1]]

    def verify(self) -> None:
        """Compare the content with its checksum; about 15 ms.

        Raises InputError when they differ.
        """
        if blake2b(self.data[HEADER_SIZE:], digest_size=16).digest() != self.digest:
            _damaged(self.path, "its checksum does not match")


@lru_cache(maxsize=2)
def open_table(path: Path = TABLE_PATH) -> Table:
    """Map the file and check its header and size, not its content (`Table.verify` does).

    Raises InputError when the file is missing, cut short, or of another layout.
    """
    if sys.byteorder != "little":
        _damaged(path, "it needs a little-endian machine")
    try:
        with path.open("rb") as file:
            data = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
    except (OSError, ValueError) as error:
        if getattr(error, "errno", 0) in (EMFILE, ENFILE):
            raise InputError(
                "the embedding table cannot be opened: this process may open no more files",
                remedy="raise the limit on open files (ulimit -n) and run the command again",
                path=str(path),
            ) from error
        _damaged(path, f"it cannot be read ({error})")
    if len(data) < HEADER_SIZE:
        _damaged(path, "it is cut short")
    magic, layout, dim, rows, buckets, lowest, digest, *starts = _HEADER.unpack_from(data)
    starts = starts[: len(Section) + 1]
    if magic != MAGIC:
        _damaged(path, "it is not an embedding table")
    if layout != LAYOUT:
        _damaged(path, f"its layout is {layout}, this version reads {LAYOUT}")
    if starts != sorted(starts) or starts[0] != HEADER_SIZE or starts[-1] != len(data):
        _damaged(path, "it is cut short")
    table = Table(path, dim, rows, buckets, lowest, digest, tuple(starts), data)
    _check_sizes(table)
    return table


def pack(dim: int, rows: int, buckets: int, lowest: float, sections: tuple[bytes, ...]) -> bytes:
    """The file that `open_table` reads; sections in the order of `Section`."""
    starts, body = [HEADER_SIZE], bytearray()
    for content in sections:
        body += content
        body += b"\0" * (-len(body) % 8)
        starts.append(HEADER_SIZE + len(body))
    starts += [0] * (14 - len(starts))
    digest = blake2b(body, digest_size=16).digest()
    header = _HEADER.pack(MAGIC, LAYOUT, dim, rows, buckets, lowest, digest, *starts)
    return header.ljust(HEADER_SIZE, b"\0") + bytes(body)


def _check_sizes(table: Table) -> None:
    # Sections are padded to 8 bytes, so each must hold at least what the header promises.
    need = {
        Section.TEXT_STARTS: 4 * (table.buckets + 1),
        Section.PIECE_STARTS: 4 * (table.buckets + 1),
        Section.LEVELS: 64,
        Section.SCALES: 4 * table.rows,
        Section.CODES: table.rows * table.dim // 2,
    }
    if not (0 < table.dim <= 4096 and table.dim % 2 == 0 and table.buckets > 0) or any(
        len(table.section(which)) < size for which, size in need.items()
    ):
        _damaged(table.path, "its header is damaged")


def _damaged(path: Path, why: str) -> NoReturn:
    raise InputError(f"the embedding table cannot be used: {why}", remedy=REMEDY, path=str(path))
