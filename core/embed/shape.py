"""What embedders of any model share: what is read of a text, and the name of the result."""

from __future__ import annotations

import re
from hashlib import blake2b
from typing import TYPE_CHECKING, Final

from docs_agent.core.embedder_config import EmbedderConfig

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from docs_agent.core.embed.protocol import Matrix

_USUAL: Final = EmbedderConfig()
_TINY: Final = 1e-12
_DIMENSIONS: Final = re.compile("[1-9][0-9]{0,5}")


def document(text: str, config: EmbedderConfig) -> str:
    """What the model reads of a record's text; empty when there are no words in it."""
    return _read(text, config.document_prefix, config.text_chars)


def question(text: str, config: EmbedderConfig) -> str:
    """What the model reads of a question; empty when there are no words in it."""
    return _read(text, config.query_prefix, config.text_chars)


def _read(text: str, prefix: str, most: int) -> str:
    text = text[:most]
    if not any(map(str.isalnum, text)):
        return ""
    # Halves of character pairs cannot be sent, and no tokenizer takes them.
    return f"{prefix}{text}".encode("utf-8", "replace").decode("utf-8")


def stem_of(kind: str, model: str, config: EmbedderConfig) -> str:
    """A fingerprint without the dimensions: the model, and a digest of what else decides about the
    vectors where that is not as usual."""
    reads = (config.document_prefix, config.query_prefix, str(config.text_chars))
    usual = (_USUAL.document_prefix, _USUAL.query_prefix, str(_USUAL.text_chars))
    name = "".join(char for char in model if char.isprintable())
    if reads == usual:
        return f"{kind}:{name}"
    digest = blake2b("\0".join(reads).encode(), digest_size=4).hexdigest()
    return f"{kind}:{name}+{digest}"


def dimensions_in(fingerprint: str, stem: str) -> int:
    """Length of the vectors that `fingerprint` names; 0 when it is of another stem."""
    found, _, dimensions = fingerprint.rpartition("@")
    return int(dimensions) if found == stem and _DIMENSIONS.fullmatch(dimensions) else 0


def unit(matrix: NDArray[np.float64]) -> Matrix:
    """The rows at unit length, in float32; rows of zeros stay."""
    import numpy as np

    rows = np.asarray(matrix, dtype=np.float64)
    # First by the largest part: the squares of huge parts have no end, those of tiny ones are zero.
    largest = np.abs(rows).max(axis=1, initial=0.0)[:, None]
    rows = rows / np.where(largest > 0, largest, 1.0)
    lengths = np.sqrt(np.einsum("ij,ij->i", rows, rows))[:, None]
    out: Matrix = (rows / np.maximum(lengths, _TINY)).astype(np.float32)
    return out
