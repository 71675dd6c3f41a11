"""Server-sent events out of a stream of bytes, however they are cut into chunks."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable, Iterator

_LINE_END = re.compile(r"\r\n|\n|\r")


def event_data(chunks: Iterable[bytes]) -> Iterator[str]:
    """The data of each event, lines joined by `\\n`. Comments, names and ids are passed over; bytes
    that are no UTF-8 become U+FFFD; an event that the end cuts off still counts."""
    data: list[str] = []
    for line in _lines(chunks):
        if not line:
            if data:
                yield "\n".join(data)
                data = []
            continue
        field, _, value = line.partition(":")
        if field == "data":
            data.append(value.removeprefix(" "))
    if data:
        yield "\n".join(data)


def _lines(chunks: Iterable[bytes]) -> Iterator[str]:
    decoder = codecs.getincrementaldecoder("utf-8-sig")("replace")
    rest: list[str] = []
    after_return = False
    for chunk in chunks:
        text = decoder.decode(chunk)
        # The second half of a line end that a chunk was cut in.
        if after_return and text:
            text = text.removeprefix("\n")
            after_return = False
        if not text:
            continue
        after_return = text.endswith("\r")
        first, *others = _LINE_END.split(text)
        rest.append(first)
        for line in others:
            yield "".join(rest)
            rest = [line]
    last = "".join(rest) + decoder.decode(b"", final=True)
    if last:
        yield last
