"""Values to columns and back: JSON, stems of a file, names and warnings, quantised vectors."""

from __future__ import annotations

import json
import math
import zlib
from array import array
from collections.abc import Mapping, Sequence
from typing import Any, Final

from docs_agent.core.records import IndexWarning, Metadata, StemRow

_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), default=str).encode
# Level 6 costs twice the time for a tenth less; level 1 saves little time.
_LEVEL: Final = 4
_MAX_INT8: Final = 127


def clean(text: str) -> str:
    """The text with lone surrogates, which UTF-8 cannot hold, replaced by U+FFFD."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def fold(name: str) -> str:
    """The form in which domains are compared: lower case of any script."""
    return clean(name).lower()


def to_json(value: object) -> str:
    """Compact JSON; what JSON has no form for becomes its text."""
    return clean(_encode(value))


def metadata_of(text: str) -> Metadata:
    """Metadata of a row."""
    found: dict[str, Any] = json.loads(text)
    return found


def counts_of(text: str) -> Mapping[str, int]:
    """Counts of a job."""
    found: dict[str, int] = json.loads(text)
    return found


def texts_of(text: str) -> tuple[str, ...]:
    """A stored tuple of strings."""
    return tuple(json.loads(text))


def warnings_to_json(warnings: Sequence[IndexWarning]) -> str:
    """Warnings as a JSON array of arrays."""
    return to_json([(w.path, w.line, w.code, w.message) for w in warnings])


def warnings_of(text: str) -> tuple[IndexWarning, ...]:
    """The inverse of warnings_to_json."""
    return tuple(IndexWarning(*fields) for fields in json.loads(text))


def domain_of(metadata: Metadata, *keys: str) -> str:
    """Folded value of the first of `keys` that holds text; empty when none does."""
    for key in keys:
        value = metadata.get(key)
        if isinstance(value, str) and value:
            return fold(value)
    return ""


def pack(text: str) -> bytes:
    """Compressed text."""
    return zlib.compress(text.encode(), _LEVEL)


def unpack(data: bytes) -> str:
    """The inverse of pack."""
    return zlib.decompress(data).decode()


def pack_stems(rows: Sequence[StemRow]) -> bytes:
    """Stems of all records of a file. A stem holds no control characters, so they can separate."""
    return pack("\n".join("\t".join(row) for row in rows))


def unpack_stems(data: bytes) -> list[StemRow]:
    """The inverse of pack_stems; one row per record, in order."""
    text = unpack(data)
    if not text:
        return []
    rows = []
    for line in text.split("\n"):
        title, section, path, body = line.split("\t")
        rows.append((title, section, path, body))
    return rows


def quantise_one(vector: Sequence[float]) -> bytes | None:
    """The same as `quantise` for one vector, without NumPy: a question has no other use for it."""
    peak = max(map(abs, vector), default=0.0)
    if not peak or not all(map(math.isfinite, vector)):
        return None
    return array("b", [round(x / peak * _MAX_INT8) for x in vector]).tobytes()


def quantise(vectors: Sequence[bytes]) -> list[bytes | None]:
    """float32 vectors of one length as int8, each scaled by its own greatest component.

    Cosine does not see the scale, so only rounding is lost: for 256 dimensions the distance moves
    by less than 0.005. None for a vector without direction (zero, or not finite).
    """
    import numpy as np

    matrix = np.frombuffer(b"".join(vectors), dtype="<f4").reshape(len(vectors), -1)
    peaks = np.abs(matrix).max(axis=1, initial=0.0, keepdims=True)
    usable = np.isfinite(peaks) & (peaks > 0)
    scaled = np.divide(matrix, peaks, out=np.zeros_like(matrix), where=usable)
    whole = np.rint(scaled * _MAX_INT8).astype("i1")
    return [row.tobytes() if good else None for row, good in zip(whole, usable[:, 0], strict=True)]
