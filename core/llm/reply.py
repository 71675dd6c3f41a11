"""Finding JSON in what a language model said."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator
from typing import Any, Final, NoReturn

MAX_CHARS: Final = 200_000
"""So much of a reply is looked at."""
MAX_DEPTH: Final = 32
"""Levels of objects and lists; deeper ones are no answer to anything that is asked here."""
MAX_TRIES: Final = 1000
"""So many places where an object could begin are tried."""
_BEGIN: Final = re.compile(r'\{\s*["}]')
_THINK: Final = "<think>"
_THOUGHT: Final = "</think>"


def json_object(text: str, expected: Collection[str] = ()) -> dict[str, Any] | None:
    """The JSON object in a reply, whatever stands around it; None when there is none.

    The first object with all `expected` keys wins, else the first one. What a model wrote while
    thinking (`<think>…</think>`) does not count, nor do objects inside of one that is broken.
    Nothing is repaired. Never raises.
    """
    text = text[:MAX_CHARS]
    first: dict[str, Any] | None = None
    for candidate in _spoken(text):
        for found in _objects(candidate):
            if all(key in found for key in expected):
                return found
            first = found if first is None else first
        if first is not None:
            return first
    return None


def _spoken(text: str) -> Iterator[str]:
    """The text without thoughts; as it stands, too, when it only quotes the end of one."""
    _, ended, after = text.rpartition(_THOUGHT)
    spoken = after if ended else text
    yield spoken.partition(_THINK)[0]
    if ended and _THINK not in text:
        yield text


def _objects(text: str) -> Iterator[dict[str, Any]]:
    """Every object of the text that parses and lies in no other one."""
    decoder = json.JSONDecoder(parse_constant=_no_number)
    end = 0
    for _ in range(MAX_TRIES):
        begin = _BEGIN.search(text, end)
        if begin is None:
            return
        at = begin.start()
        try:
            found, end = decoder.raw_decode(text, at)
            yield _sane(found, MAX_DEPTH)
        except json.JSONDecodeError as error:
            # From where it breaks: what lies before are parts of the broken object.
            end = max(error.pos, at + 1)
        except ValueError:
            end = at + 1
        except RecursionError:
            return


def _sane(value: Any, depth: int) -> Any:
    """The value without halves of character pairs, which nothing can be written with."""
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode("utf-8")
    if not isinstance(value, (dict, list)):
        return value
    if depth == 0:
        raise RecursionError
    if isinstance(value, list):
        return [_sane(item, depth - 1) for item in value]
    return {_sane(key, 0): _sane(item, depth - 1) for key, item in value.items()}


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON")
