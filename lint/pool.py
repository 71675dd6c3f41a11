"""Looking at files on several cores; see `docs_agent.indexers.workers` for why the processes are
our own."""

from __future__ import annotations

import pickle
import subprocess
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from itertools import chain
from threading import Lock, local
from typing import Any, Final

from docs_agent.indexers.worker import receive, send
from docs_agent.indexers.workers import interpreter_flags, worker_count
from docs_agent.lint.one import Look, Looked, Task

_BUNDLE_BYTES: Final = 200_000
"""Some tenths of a second of work: long beside a message, short beside a run."""
_WORTH_BYTES: Final = 600_000
"""Of documents: with fewer, starting a process takes longer than it saves."""


def look_at_all(tasks: Sequence[Task], arguments: tuple[Any, ...]) -> Iterator[Looked]:
    """What is learnt of each task, in their order. arguments: those of `Look`."""
    count = worker_count() if sum(len(task.data) for task in tasks) >= _WORTH_BYTES else 0
    if count < 2:
        look = Look(*arguments)
        yield from map(look.at, tasks)
        return
    with _Pool(count, arguments) as pool:
        yield from chain.from_iterable(pool.map(_bundles(tasks)))


def _bundles(tasks: Sequence[Task]) -> Iterator[list[Task]]:
    bundle: list[Task] = []
    size = 0
    for task in tasks:
        bundle.append(task)
        size += len(task.data)
        if size >= _BUNDLE_BYTES:
            yield bundle
            bundle, size = [], 0
    if bundle:
        yield bundle


class _Pool:
    def __init__(self, count: int, arguments: tuple[Any, ...]) -> None:
        self._arguments = arguments
        self._threads = ThreadPoolExecutor(count, thread_name_prefix="lint")
        self._own = local()
        self._processes: list[subprocess.Popen[bytes]] = []
        self._lock = Lock()

    def __enter__(self) -> _Pool:
        return self

    def __exit__(self, *_: object) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)
        with self._lock:
            for process in self._processes:
                process.kill()
        self._threads.shutdown(wait=True)
        for process in self._processes:
            process.communicate()

    def map(self, bundles: Iterator[list[Task]]) -> Iterator[list[Looked]]:
        """Results in order. A bundle whose process broke down is looked at here."""
        waiting = [(bundle, self._threads.submit(self._ask, bundle)) for bundle in bundles]
        waiting.reverse()
        while waiting:
            bundle, reply = waiting.pop()
            found: list[Looked] | None = None
            with suppress(EOFError, OSError, RuntimeError, pickle.UnpicklingError):
                found = pickle.loads(reply.result())
            yield found if found is not None else list(map(Look(*self._arguments).at, bundle))

    def _ask(self, bundle: list[Task]) -> bytes:
        process = self._process()
        assert process.stdin is not None
        assert process.stdout is not None
        send(process.stdin, pickle.dumps(bundle))
        return receive(process.stdout)

    def _process(self) -> subprocess.Popen[bytes]:
        process: subprocess.Popen[bytes] | None = getattr(self._own, "process", None)
        if process is None:
            command = [sys.executable, *interpreter_flags(), "-m", "docs_agent.lint.worker"]
            pipe = subprocess.PIPE
            with self._lock:
                process = subprocess.Popen(
                    command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL
                )
                self._processes.append(process)
            assert process.stdin is not None
            send(process.stdin, pickle.dumps(self._arguments))
            self._own.process = process
        return process
