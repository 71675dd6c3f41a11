"""What a question about integrations asks for: a direction, kinds of exchange."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from docs_agent.core.text import stems

_DIRECTIONS: Final = (
    ("in", "inbound incoming входящий получает принимает receive receives"),
    ("out", "outbound outgoing исходящий отправляет передает send sends"),
)
_KINDS: Final = "http https grpc rest kafka amqp rabbitmq sql file websocket queue database"


def asked_direction(text: str) -> str:
    """`in` or `out` when the question asks for one direction, else empty."""
    own = frozenset(stems(text))
    found = [side for side, words in _DIRECTIONS if not own.isdisjoint(_stems(words))]
    return found[0] if len(found) == 1 else ""


def asked_kinds(text: str) -> tuple[str, ...]:
    """Kinds of exchange that the question names, in lower case."""
    own = frozenset(stems(text))
    return tuple(kind for kind in _KINDS.split() if frozenset(stems(kind)) <= own)


@lru_cache(maxsize=8)
def _stems(words: str) -> frozenset[str]:
    return frozenset(stems(words))
