"""Reading the reply of `/embeddings`; nothing in it is taken on trust."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple, NoReturn

from docs_agent.core.errors import ServiceError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Rows = NDArray[np.float64]

MAX_DIMENSIONS: Final = 16_384
MAX_TOKENS: Final = 10**12
_SHORT: Final = "check that embedder.base_url leads to a service of embeddings"


class Vectors(NamedTuple):
    """What a reply holds."""

    rows: Rows
    """In the order of the texts, of any length but zero."""
    tokens: int
    """As the service counted them; 0 when it did not say."""


def read_vectors(body: bytes, count: int, dimensions: int, name: str) -> Vectors:
    """The vectors of `count` texts. dimensions: what they must have; 0 = any number, all the same.
    name: the service, for errors.

    Raises ServiceError for anything else.
    """
    try:
        value: Any = json.loads(body, parse_constant=_no_number)
    except (ValueError, RecursionError):
        _refuse(name, "the reply is not JSON", _SHORT)
    data = value.get("data") if isinstance(value, dict) else None
    if not isinstance(data, list) or not all(isinstance(item, dict) for item in data):
        _refuse(name, "the reply holds no list of vectors", _SHORT)
    if len(data) != count:
        remedy = "lower embedder.batch; the service may take fewer texts at a time"
        _refuse(name, f"{len(data)} vectors came for {count} texts", remedy)
    rows = [item.get("embedding") for item in _in_order(data, name)]
    return Vectors(_matrix(rows, dimensions, name), _tokens(value.get("usage")))


def _in_order(data: Sequence[dict[str, Any]], name: str) -> Sequence[dict[str, Any]]:
    """By their numbers; as they came when none has one."""
    numbers = [item.get("index") for item in data]
    if all(number is None for number in numbers):
        return data
    known = {number: item for number, item in zip(numbers, data, strict=True) if _is_whole(number)}
    if known.keys() != set(range(len(data))):
        _refuse(name, "the vectors are not numbered one for each text", _SHORT)
    return [known[number] for number in range(len(data))]


def _matrix(rows: Sequence[Any], dimensions: int, name: str) -> Rows:
    import numpy as np

    lengths = {len(row) if isinstance(row, list) else 0 for row in rows}
    if 0 in lengths:
        _refuse(name, "a vector is missing, or is not a list of numbers", _SHORT)
    if len(lengths) > 1:
        _refuse(name, f"vectors of {min(lengths)} and of {max(lengths)} numbers came", _SHORT)
    found = lengths.pop()
    if found > MAX_DIMENSIONS:
        _refuse(name, f"a vector has more than {MAX_DIMENSIONS} numbers", _SHORT)
    if dimensions and found != dimensions:
        _refuse(
            name,
            f"the vectors have {found} dimensions, not {dimensions}",
            f"write dimensions = {found} below [embedder] if that is the model you mean, and run: "
            "docs-agent index",
        )
    if any(type(number) not in (int, float) for row in rows for number in row):
        _refuse(name, "a vector holds something that is not a number", _SHORT)
    try:
        matrix: Rows = np.array(rows, dtype=np.float64)
    except OverflowError:
        _refuse(name, "a vector holds a number without end", _SHORT)
    if not np.isfinite(matrix).all():
        _refuse(name, "a vector holds a number without end", _SHORT)
    return matrix


def _tokens(usage: Any) -> int:
    if not isinstance(usage, dict):
        return 0
    for key in ("prompt_tokens", "total_tokens"):
        tokens: Any = usage.get(key)
        if _is_whole(tokens) and 0 < tokens < MAX_TOKENS:
            return int(tokens)
    return 0


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON")


def _refuse(name: str, what: str, remedy: str) -> NoReturn:
    raise ServiceError(f"{name}: {what}", remedy=remedy)
