"""What becomes of each file in a run: unchanged, known from elsewhere, or parsed and embedded."""

from __future__ import annotations

import errno
import os
import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, Final

from docs_agent.core.embed.protocol import Embedder, Metered, Preloading, text_key
from docs_agent.core.errors import InputError
from docs_agent.core.records import FileRecords, IndexWarning
from docs_agent.core.store.protocol import FileState, Writer
from docs_agent.indexers.discover_walk import FoundFile
from docs_agent.indexers.file_records import records_of
from docs_agent.indexers.files import read_file
from docs_agent.indexers.pipeline_version import PIPELINE_VERSION

if TYPE_CHECKING:
    from docs_agent.indexers.workers import Pending, Workers

BATCH_TEXTS: Final = 512
"""Texts per call of the embedder; what waits for its vectors is held in memory."""
SMALL_BATCH_TEXTS: Final = 128
"""The same where calls cost little and other cores parse: less is left to do when they end."""
MAX_ELSEWHERE: Final = 512
"""Files that are taken apart ahead of what is written; as many are held in memory."""
MAX_ELSEWHERE_BYTES: Final = 1_000_000
"""Bytes of these files, enough to keep the others busy while this process loads its model."""
PRELOAD_BYTES: Final = 300_000
"""Of files being taken apart elsewhere: so many give the embedder enough texts to load for."""
RACY_NS: Final = 2_000_000_000
"""A file changed less than this before it was read may change again within one tick of its file
system's clock; its time is not kept, so that the next run compares the content."""
LOCAL_EMBEDDERS: Final = ("static:", "none")
"""Fingerprints whose vectors are made faster than a cache would find them."""

Done = Callable[[str, int], None]
"""Told of every file that is finished: path, number of records."""


@dataclass(slots=True)
class _Waiting:
    """A file that waits for its vectors."""

    file: FileRecords
    state: FileState


class FileRun:
    """Takes files one by one and writes what they give. Call `flush` after the last one."""

    def __init__(
        self,
        root: str,
        writer: Writer,
        embedder: Embedder,
        done: Done,
        *,
        roots: Mapping[str, str],
        max_bytes: int,
        trust_index: bool,
        use_cache: bool,
        workers: Workers | None = None,
    ) -> None:
        """roots: the docs root each known file had at the last run; links that begin with `/`
        depend on it, so records of another docs root are made anew. trust_index: a file the index
        holds unchanged is left alone. use_cache: records of the same content may be taken from
        elsewhere. workers: take files apart on other cores; None = here."""
        self.indexed = 0
        self.unchanged = 0
        self.cache_hits = 0
        self.failed: list[IndexWarning] = []
        self._root = root
        self._writer = writer
        self._embedder = embedder
        self._done = done
        self._roots = roots
        self._max_bytes = max_bytes
        self._known: Mapping[str, FileState] = writer.files() if trust_index else {}
        self._use_cache = use_cache
        self._cached = not embedder.fingerprint.startswith(LOCAL_EMBEDDERS)
        self._workers = workers
        self._batch = BATCH_TEXTS if workers is None or self._cached else SMALL_BATCH_TEXTS
        self._preloading = embedder if isinstance(embedder, Preloading) else None
        self._elsewhere: deque[tuple[Pending, FileState]] = deque()
        self._elsewhere_bytes = 0
        self._waiting: list[_Waiting] = []
        self._texts = 0

    def take(self, found: FoundFile) -> None:
        """Brings the index up to date with one file. What is wrong with the file is a warning."""
        known = self._known.get(found.path)
        same_root = self._roots.get(found.path, found.docs_root) == found.docs_root
        if known is not None and not (same_root and known.pipeline_version == PIPELINE_VERSION):
            known = None
        if known is not None and (known.size, known.mtime_ns) == (found.size, found.mtime_ns):
            self._leave(found.path)
            return
        try:
            data = read_file(os.path.join(self._root, found.path), self._max_bytes)
        except OSError as exc:
            if exc.errno in (errno.EMFILE, errno.ENFILE):
                # No fault of the file: all that follow would fail alike.
                raise InputError(
                    "too many files are open",
                    remedy="allow more of them (ulimit -n) and run the command again",
                ) from None
            self._fail(
                IndexWarning(
                    found.path, 0, "unreadable",
                    f"The file cannot be read ({exc.strerror}); what the index holds of it is "
                    "kept. Make it readable, or remove it.",
                )
            )  # fmt: skip
            return
        state = _state(found, data)
        if known is not None and known.content_hash == state.content_hash:
            # The same rows under a new time: the store keeps them and notes the time.
            self._writer.reuse(state.path, state.content_hash, state)
            self._leave(found.path)
        elif not (same_root and self._reused(state)):
            self._parse(found, data, state)

    def flush(self) -> None:
        """Embeds and writes all that is left."""
        while self._elsewhere:
            self._collect()
        self._write()

    def _write(self) -> None:
        """Embeds and writes what is waiting for its vectors."""
        waiting, self._waiting, self._texts = self._waiting, [], 0
        texts = [record.embed_text for item in waiting for record in item.file.records]
        vectors = self._vectors(texts)
        for item in waiting:
            records = item.file.records
            self._writer.put(
                item.file, item.state, [vectors.get(record.embed_text) for record in records]
            )
            self.indexed += 1
            self._done(item.file.path, len(records))

    def _leave(self, path: str) -> None:
        self.unchanged += 1
        self._done(path, 0)

    def _fail(self, warning: IndexWarning) -> None:
        self.failed.append(warning)
        self._done(warning.path, 0)

    def _reused(self, state: FileState) -> bool:
        if not self._use_cache:
            return False
        if self._writer.reuse(state.path, state.content_hash, state) is None:
            return False
        self.indexed += 1
        self.cache_hits += 1
        self._done(state.path, 0)
        return True

    def _parse(self, found: FoundFile, data: bytes, state: FileState) -> None:
        if self._workers is None:
            self._parsed(records_of(found, data, self._max_bytes), state)
            return
        self._elsewhere.append((self._workers.submit(found, data, self._max_bytes), state))
        self._elsewhere_bytes += state.size
        while self._elsewhere and (
            len(self._elsewhere) >= MAX_ELSEWHERE or self._elsewhere_bytes >= MAX_ELSEWHERE_BYTES
        ):
            self._collect()

    def _collect(self) -> None:
        """The oldest first, so that the index does not depend on who was faster."""
        if self._preloading is not None and self._elsewhere_bytes >= PRELOAD_BYTES:
            self._preloading.preload()
        self._preloading = None
        pending, state = self._elsewhere.popleft()
        self._elsewhere_bytes -= state.size
        self._parsed(pending.result(), state)

    def _parsed(self, file: FileRecords | IndexWarning, state: FileState) -> None:
        if isinstance(file, IndexWarning):
            self._fail(file)
            return
        self._waiting.append(_Waiting(file, state))
        self._texts += sum(1 for record in file.records if record.embed_text)
        if self._texts >= self._batch:
            self._write()

    def _vectors(self, texts: Sequence[str]) -> dict[str, bytes]:
        """Vector of each text that has one; texts that occur twice are embedded once."""
        wanted = [text for text in dict.fromkeys(texts) if text]
        if not wanted or not self._embedder.dim:
            return {}
        if not self._cached:
            return _embed(self._embedder, wanted)
        fingerprint = self._embedder.fingerprint
        keys = {text: text_key(text) for text in wanted}
        stored = self._writer.cached_vectors(fingerprint, list(keys.values()))
        new: dict[str, bytes] = {}
        for some in self._requests([text for text in wanted if keys[text] not in stored]):
            found = _embed(self._embedder, some)
            # At once: what a service has given is kept when it fails at the next request.
            self._writer.cache_vectors(fingerprint, {keys[text]: found[text] for text in found})
            new |= found
        return {text: stored[key] for text, key in keys.items() if key in stored} | new

    def _requests(self, texts: Sequence[str]) -> Iterable[Sequence[str]]:
        return self._embedder.requests(texts) if isinstance(self._embedder, Metered) else (texts,)


def _state(found: FoundFile, data: bytes) -> FileState:
    settled = time.time_ns() - found.mtime_ns >= RACY_NS
    return FileState(
        path=found.path,
        content_hash=sha256(data).hexdigest(),
        pipeline_version=PIPELINE_VERSION,
        size=found.size,
        mtime_ns=found.mtime_ns if settled else 0,
    )


def _embed(embedder: Embedder, texts: Sequence[str]) -> dict[str, bytes]:
    """Vectors by text; a text without words has none, for a zero vector is near to nothing."""
    if not texts:
        return {}
    matrix = embedder.documents(texts).astype("<f4", copy=False)
    return {text: row.tobytes() for text, row in zip(texts, matrix, strict=True) if row.any()}
