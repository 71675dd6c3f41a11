"""What indexing and retrieval ask of an embedder."""

from __future__ import annotations

import sys
from array import array
from collections.abc import Iterator, Sequence
from hashlib import blake2b
from typing import TYPE_CHECKING, Protocol, runtime_checkable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Matrix = NDArray[np.float32]
    Vector = NDArray[np.float32]


class Embedder(Protocol):
    """Vectors of whole records, computed when indexing, and of the question."""

    @property
    def fingerprint(self) -> str:
        """Model and version, e.g. `static:use-ml3-r1`; `none` for no vectors. Vectors of two
        fingerprints never meet."""
        ...

    @property
    def dim(self) -> int:
        """Length of a vector; 0 for `none`."""
        ...

    def documents(self, texts: Sequence[str]) -> Matrix:
        """(len(texts), dim) float32, rows of unit length; a text without words gives a zero row.

        Raises ServiceError when a remote embedder fails.
        """
        ...

    def query(self, text: str) -> Vector:
        """(dim,) float32 of unit length, or zeros."""
        ...


@runtime_checkable
class Preloading(Protocol):
    """An embedder whose model can be loaded while the texts are still being prepared."""

    def preload(self) -> None:
        """Loads what is worth loading for many texts. Raises what `documents` would."""
        ...


class Spent:
    """What a service was given in one run, and what it took."""

    def __init__(self) -> None:
        self.texts = 0
        """Texts that got their vectors."""
        self.characters = 0
        """Of these texts, as they were sent."""
        self.requests = 0
        """Those that were tried again included."""
        self.tokens = 0
        """As the service counts them; 0 when it does not say."""
        self.seconds = 0.0
        """Spent waiting for it."""


@runtime_checkable
class Metered(Protocol):
    """An embedder whose vectors cost something: they come in requests, and what one has brought is
    worth keeping when the next one fails."""

    @property
    def spent(self) -> Spent: ...

    def requests(self, texts: Sequence[str]) -> Iterator[Sequence[str]]:
        """The texts in pieces that are one request each."""
        ...


class Encoder(Protocol):
    """A slower, better model that re-ranks a few dozen candidates at question time."""

    @property
    def fingerprint(self) -> str: ...

    @property
    def dim(self) -> int: ...

    def encode(self, texts: Sequence[str]) -> Matrix:
        """(len(texts), dim) float32, rows of unit length."""
        ...

    @property
    def words_fingerprint(self) -> str:
        """Of the vectors of single words."""
        ...

    def words(self, words: Sequence[str]) -> Matrix:
        """(len(words), any) float32, rows of unit length or zeros: single words without their
        sentence. Read from a table: thousands cost milliseconds."""
        ...

    def prepare(self) -> bool:
        """Does once what makes later starts quick; False when it could not, which is no error."""
        ...


def floats(raw: bytes) -> array[float]:
    """A vector as it is cached (float32, little-endian) for reading without NumPy, whose import
    takes longer than all that is computed with a few dozen vectors."""
    vector = array("f")
    vector.frombytes(raw)
    if sys.byteorder == "big":
        vector.byteswap()
    return vector


def text_key(text: str) -> str:
    """Key of a text in the vector cache: BLAKE2b-128 of its UTF-8 bytes, hex."""
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
