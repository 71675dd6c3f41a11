"""Taking files apart on several cores: processes of our own, each with a pipe.

The processes are started like any program and not forked: nothing that is open here (the database,
threads of NumPy) gets into them. A process ends when its pipe closes, so that none is left when
this program is killed. `multiprocessing` would leave its workers waiting then.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import threading
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from typing import Final

from docs_agent.core.records import FileRecords, IndexWarning
from docs_agent.indexers.discover_walk import FoundFile
from docs_agent.indexers.file_records import is_our_fault, records_of
from docs_agent.indexers.worker import receive, send

MAX_WORKERS: Final = 4
"""More would wait: embedding and the index are written by this process alone."""

_ENOUGH_FILES: Final = 64
_BUNDLE_BYTES: Final = 48_000
"""A bundle takes about a twentieth of a second: long beside a message, short beside a run."""
_BUNDLE_FILES: Final = 64


def worker_count() -> int:
    """Processes that are worth having on this machine; 0 where there is one core, or where so few
    files may be open that their pipes would take them from the documents."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    if (cores or 1) < 2 or _open_files() < _ENOUGH_FILES:
        return 0
    return min(cores or 1, MAX_WORKERS)


def _open_files() -> int:
    """How many files this process may have open."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return _ENOUGH_FILES
    limit = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return _ENOUGH_FILES if limit == resource.RLIM_INFINITY else limit


def interpreter_flags() -> list[str]:
    """What this interpreter was told about where modules may come from, told to another one."""
    flags = sys.flags
    told = (("-I", flags.isolated), ("-E", flags.ignore_environment), ("-s", flags.no_user_site))
    # -P: no module of the folder we are called in may take the place of a library's.
    return ["-P", *(flag for flag, is_set in told if is_set)]


Request = tuple[FoundFile, bytes, int]
"""What `records_of` takes."""
Result = FileRecords | IndexWarning
"""What `records_of` gives."""


class _Bundle:
    """Files that travel together: a message for each would cost more waiting than work, because
    this process is busy too."""

    def __init__(self) -> None:
        self.requests: list[Request] = []
        self._size = 0
        self._reply: Future[bytes] | None = None
        self._results: list[object] | None = None

    def add(self, request: Request) -> None:
        self.requests.append(request)
        self._size += len(request[1])

    @property
    def is_full(self) -> bool:
        return self._size >= _BUNDLE_BYTES or len(self.requests) >= _BUNDLE_FILES

    @property
    def is_open(self) -> bool:
        """Whether it waits for more files."""
        return self._reply is None and self._results is None

    def sent(self, reply: Future[bytes]) -> None:
        self._reply = reply

    def result(self, place: int) -> object:
        """What came back for the request at that place; None when the process broke down."""
        if self._reply is not None:
            self._results = []
            with suppress(EOFError, OSError, RuntimeError, pickle.UnpicklingError):
                self._results = pickle.loads(self._reply.result())
            self._reply = None
        return self._results[place] if self._results else None


class Pending:
    """A file that is being taken apart elsewhere."""

    def __init__(self, workers: Workers, bundle: _Bundle) -> None:
        self._workers = workers
        self._bundle = bundle
        self._place = len(bundle.requests) - 1

    def result(self) -> Result:
        """What `records_of` gives. A process that broke down or was never there is made up for."""
        if self._bundle.is_open:
            self._workers.send()
        value = self._bundle.result(self._place)
        if isinstance(value, FileRecords | IndexWarning) and not is_our_fault(value):
            return value
        # The fault may be that of the process: too little memory, a module it could not load.
        return records_of(*self._bundle.requests[self._place])


class Workers:
    """Processes that take files apart. A context: they are gone when it ends."""

    def __init__(self, count: int) -> None:
        self._own = threading.local()
        self._bundle = _Bundle()
        self._processes: list[subprocess.Popen[bytes]] = []
        self._lock = threading.Lock()
        self._threads = ThreadPoolExecutor(count, thread_name_prefix="records")

    def __enter__(self) -> Workers:
        return self

    def __exit__(self, *_: object) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)
        with self._lock:
            for process in self._processes:
                process.kill()
        self._threads.shutdown(wait=True)
        for process in self._processes:
            process.communicate()

    def process_ids(self) -> tuple[int, ...]:
        """Of the processes that were started so far."""
        with self._lock:
            return tuple(process.pid for process in self._processes)

    def submit(self, found: FoundFile, data: bytes, max_bytes: int) -> Pending:
        """Starts taking a file apart; at most a few should wait at a time, for memory's sake. It
        may travel only when more have come, or when its result is asked for."""
        self._bundle.add((found, data, max_bytes))
        pending = Pending(self, self._bundle)
        if self._bundle.is_full:
            self.send()
        return pending

    def send(self) -> None:
        """Sends what has been submitted on its way."""
        bundle, self._bundle = self._bundle, _Bundle()
        try:
            reply = self._threads.submit(self._ask, bundle.requests)
        except RuntimeError as error:
            # No thread can be started: the limit of the user or of the container.
            reply = Future()
            reply.set_exception(error)
        bundle.sent(reply)

    def _ask(self, requests: list[Request]) -> bytes:
        """One message to the process of this thread; unpacking the reply is left to the caller."""
        process = self._process()
        assert process.stdin is not None
        assert process.stdout is not None
        send(process.stdin, pickle.dumps(requests))
        return receive(process.stdout)

    def _process(self) -> subprocess.Popen[bytes]:
        process: subprocess.Popen[bytes] | None = getattr(self._own, "process", None)
        if process is None:
            command = [sys.executable, *interpreter_flags(), "-m", "docs_agent.indexers.worker"]
            pipe = subprocess.PIPE
            with self._lock:
                process = subprocess.Popen(
                    command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL
                )
                self._processes.append(process)
            self._own.process = process
        return process
