"""Direction and kind of integrations, as questions ask for them and as documents state them.

The words are those of `markers.toml`, groups `direction_…` and `kind_…`, so that a question in one
language finds what a document says in the other.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Final, Literal

from docs_agent.router.markers import Marker, vocabulary
from docs_agent.router.question import read_question

AskedDirection = Literal["in", "out", ""]
Direction = Literal["in", "out", "both", ""]

_MAX_VALUE: Final = 500
"""Characters of a value that are looked at."""
_OUT: Final = "direction_out"
_IN: Final = "direction_in"
_BOTH: Final = "direction_both"
_WAYS: Final = (_OUT, _IN, _BOTH)
_KIND: Final = "kind_"
WAY: Final = "__"
"""Between a kind and one way of it: `http__REST`."""
_NAMED: Final = ("inbound", "incoming", "outbound", "outgoing", "входящ", "исходящ")
"""Beginnings of the words by which integrations themselves are called after their direction."""
_SIGNED: Final[Mapping[str, Direction]] = {
    "→": "out",
    "->": "out",
    "←": "in",
    "<-": "in",
    "↔": "both",
    "<->": "both",
}
# "In" and "out" alone say something in a document's bullet and nothing in a sentence.
_SIGNS: Final = ("in", "out")


def asked_direction(text: str) -> AskedDirection:
    """The direction a question about integrations asks for; empty when for none or for both.

    `in`: data or calls come to the subject («откуда получает», «кто вызывает», "inbound"). `out`:
    they leave it («куда отправляет», "where does it send").
    """
    stated = (m for m in _found(text) if m.group in _WAYS)
    markers = [m for m in stated if m.phrase.lower() not in _SIGNS]
    ways = [m.group for m in _outermost(markers)]
    if _BOTH in ways or len(set(ways)) != 1:
        return ""
    return "out" if ways[0] == _OUT else "in"


def names_direction(text: str) -> bool:
    """Whether the direction is asked for by the word that documents state it with ("outbound",
    «исходящие») and not by what somebody does («куда отправляет»)."""
    stated = (m for m in _found(text) if m.group in _WAYS)
    return any(m.phrase.lower().startswith(_NAMED) for m in stated)


def direction_of(value: str) -> Direction:
    """The direction a document states, `outbound` or «исходящая»; empty when not understood."""
    signed: Direction = _SIGNED.get(value.strip(), "")
    if signed:
        return signed
    ways = {m.group for m in _found(value[:_MAX_VALUE])}
    if _BOTH in ways or {_OUT, _IN} <= ways:
        return "both"
    if _OUT in ways:
        return "out"
    return "in" if _IN in ways else ""


def has_direction(value: str, asked: AskedDirection) -> bool:
    """Whether a stated direction is one that was asked for; both ways answer either question."""
    return not asked or direction_of(value) in (asked, "both")


def asked_kinds(text: str) -> tuple[str, ...]:
    """Kinds of integration a question asks for, in order: `http`, `rpc`, `queue`, `database`,
    `file`, `websocket`, `mail`, `sms`, `external_system`, `service`, `ui`; or one way of a kind,
    `http__REST`, in its stead."""
    kinds = _kinds(text)
    narrowed = {kind.partition(WAY)[0] for kind in kinds if WAY in kind}
    return tuple(kind for kind in kinds if kind not in narrowed)


def kinds_of(values: Iterable[str]) -> frozenset[str]:
    """Kinds that a document's values state: `target_type`, `interaction`, `via` and the like; with
    one way of a kind the kind too, `http__REST` and `http`."""
    kinds = frozenset(kind for value in values for kind in _kinds(value[:_MAX_VALUE]))
    return kinds | {kind.partition(WAY)[0] for kind in kinds}


def _kinds(text: str) -> tuple[str, ...]:
    """External services are no services of ours: a longer marker leaves no word to a shorter."""
    found = [m for m in _found(text) if m.group.startswith(_KIND)]
    whole = {m.positions for m in _outermost(found)}
    kinds = (m.group.removeprefix(_KIND) for m in found if m.positions in whole)
    return tuple(dict.fromkeys(kinds))


def integration_positions(markers: Iterable[Marker]) -> frozenset[int]:
    """Words of a question about integrations that say how and not what; none in other questions."""
    found = tuple(markers)
    if not any(m.group == "integration" for m in found):
        return frozenset()
    return frozenset(
        i for m in found if m.group in _WAYS or m.group.startswith(_KIND) for i in m.positions
    )


@lru_cache(maxsize=1000)
def _found(text: str) -> tuple[Marker, ...]:
    return vocabulary().find(read_question(text))


def _outermost(markers: list[Marker]) -> list[Marker]:
    """Markers that share no word with a longer one: "what sends data to it" is no sending."""
    kept: list[Marker] = []
    taken: set[int] = set()
    for marker in sorted(markers, key=lambda m: -len(m.positions)):
        if taken.isdisjoint(marker.positions):
            kept.append(marker)
            taken.update(marker.positions)
    return kept
