"""The other end of `indexers.workers`: takes files from standard input apart until it closes.

A message is its length in eight bytes, then a pickle. Both ends are this program, so a pickle is
safe here; the documents travel in it as bytes and text only.
"""

from __future__ import annotations

import gc
import os
import pickle
import signal
import struct
import sys
from typing import IO, Any

LENGTH = struct.Struct("<Q")


def send(stream: IO[bytes], data: bytes) -> None:
    """Writes one message. Raises OSError when the other end is gone."""
    stream.write(LENGTH.pack(len(data)))
    stream.write(data)
    stream.flush()


def receive(stream: IO[bytes]) -> bytes:
    """Reads one message. Raises EOFError when the other end is gone, in the middle too."""
    (size,) = LENGTH.unpack(_exactly(stream, LENGTH.size))
    return _exactly(stream, size)


def _exactly(stream: IO[bytes], size: int) -> bytes:
    data = stream.read(size)
    if len(data) < size:
        raise EOFError
    return data


def main() -> None:
    """Answers every message, a list of (FoundFile, bytes, limit), with a list of what `records_of`
    gives, stems worked out. Ends when the program that started it ends, however it ends: its pipe
    closes."""
    # Ctrl-C reaches the whole group; the program that started us settles it and closes the pipe.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # Nothing that is imported becomes garbage, and documents leave little.
    gc.set_threshold(50_000, 20, 20)
    replies = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    # Nothing that some module prints may come between the messages.
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    try:
        while True:
            requests = pickle.loads(receive(sys.stdin.buffer))
            send(replies, pickle.dumps([_answer(request) for request in requests]))
    except (EOFError, OSError):
        os._exit(0)


def _answer(request: Any) -> Any:
    from docs_agent.core.lexical import with_stems
    from docs_agent.core.records import FileRecords
    from docs_agent.indexers.file_records import records_of

    result = records_of(*request)
    return with_stems(result) if isinstance(result, FileRecords) else result


if __name__ == "__main__":
    main()
