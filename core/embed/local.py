"""Models that packages run in this process: `model2vec` and `fastembed`, both optional.

Nothing is downloaded unless the configuration names a model and no folder; the package then fetches
it once, as it does for everybody.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from hashlib import blake2b
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from docs_agent.core.embed.shape import dimensions_in, document, question, stem_of, unit
from docs_agent.core.embedder_config import EmbedderConfig
from docs_agent.core.errors import ConfigError, InputError
from docs_agent.core.llm.resolve import variable

if TYPE_CHECKING:
    from docs_agent.core.embed.protocol import Matrix, Vector

MODEL_VARIABLE: Final = "DOCS_AGENT_EMBEDDER_MODEL"
PATH_VARIABLE: Final = "DOCS_AGENT_EMBEDDER_PATH"
PROBE: Final = "dimensions"
_REASON_CHARS: Final = 200
_SAMPLE_BYTES: Final = 65_536
_SAMPLES: Final = 16

Encode = Callable[[list[str]], Any]
"""From texts to rows of numbers."""


class Package(NamedTuple):
    """A package that runs models."""

    name: str
    """Of the package, the extra of this one, and the embedder."""
    load: Callable[[EmbedderConfig], Encode]
    """Imports the package and reads the model."""
    needs_model: bool
    """Whether a folder alone is not enough: the package must know what kind of model is in it."""

    @property
    def installed(self) -> bool:
        """Whether it can be imported; it is not."""
        return find_spec(self.name) is not None

    @property
    def remedy(self) -> str:
        """How it is installed."""
        return f"pip install 'docs-agent[{self.name}]'"


def _model2vec(config: EmbedderConfig) -> Encode:
    from model2vec import StaticModel

    # Without the flag a model that is there already is fetched once more.
    model = StaticModel.from_pretrained(config.path or config.model, force_download=False)

    def encode(texts: list[str]) -> Any:
        return model.encode(texts, use_multiprocessing=False)

    return encode


def _fastembed(config: EmbedderConfig) -> Encode:
    from fastembed import TextEmbedding

    more: dict[str, Any] = {"specific_model_path": config.path} if config.path else {}
    model = TextEmbedding(config.model, **more)

    def encode(texts: list[str]) -> Any:
        return list(model.embed(texts, batch_size=config.batch))

    return encode


PACKAGES: Final = (
    Package("model2vec", _model2vec, needs_model=False),
    Package("fastembed", _fastembed, needs_model=True),
)


class LocalEmbedder:
    """Embedder of a model that a package runs. Constructing it imports and reads nothing but the
    sizes and parts of the model's files."""

    def __init__(self, package: Package, config: EmbedderConfig, built: str = "") -> None:
        """built: fingerprint of the index as it is, so that the model need not be read to know how
        long its vectors are."""
        self._package = package
        self._config = config
        self.stem = stem_of(package.name, _named(config), config)
        self._dim = config.dimensions or dimensions_in(built, self.stem)

    def __repr__(self) -> str:
        return f"LocalEmbedder({self.stem!r})"

    @property
    def fingerprint(self) -> str:
        """Reads the model when neither configuration nor index say how long its vectors are.
        Raises InputError then, when it cannot be read."""
        return f"{self.stem}@{self.dim}"

    @property
    def dim(self) -> int:
        """As `fingerprint`."""
        if not self._dim:
            self._dim = self._rows([PROBE]).shape[1]
        return self._dim

    def documents(self, texts: Sequence[str]) -> Matrix:
        """(len(texts), dim) float32 of unit length; zeros for a text without words.

        Raises InputError when the model cannot be read or gives no vectors of that length.
        """
        return self._embed([document(text, self._config) for text in texts])

    def query(self, text: str) -> Vector:
        """(dim,) float32 of unit length, or zeros. Raises InputError as `documents` does."""
        vector: Vector = self._embed([question(text, self._config)])[0]
        return vector

    def _embed(self, texts: Sequence[str]) -> Matrix:
        import numpy as np

        wanted = list(dict.fromkeys(text for text in texts if text))
        rows = dict(zip(wanted, self._rows(wanted), strict=True)) if wanted else {}
        out = np.zeros((len(texts), self.dim), dtype=np.float32)
        for number, text in enumerate(texts):
            if text:
                out[number] = rows[text]
        return out

    def _rows(self, texts: list[str]) -> Matrix:
        import numpy as np

        encode = self._encode
        try:
            found = np.asarray(encode(texts), dtype=np.float64)
        except Exception as error:
            # Whatever a package may raise for a model that is not what it seems.
            raise self._unusable(error) from error
        wanted = (len(texts), self._dim or found.shape[-1])
        if found.shape != wanted or not np.isfinite(found).all():
            shape = "×".join(map(str, found.shape))
            raise InputError(
                f"the model {_shown(self._config)} gave {shape} numbers for {len(texts)} texts"
                + (f" of {self._dim} dimensions" if self._dim else ""),
                remedy="correct embedder.dimensions or the model, and run: docs-agent index",
            )
        return unit(found)

    @cached_property
    def _encode(self) -> Encode:
        try:
            return self._package.load(self._config)
        except Exception as error:
            raise self._unusable(error) from error

    def _unusable(self, error: Exception) -> InputError:
        said = " ".join(str(error).split())
        reason = "".join(char for char in said if char.isprintable())[:_REASON_CHARS]
        return InputError(
            f"{self._package.name} cannot use the model {_shown(self._config)}: "
            f"{reason or type(error).__name__}",
            remedy="check embedder.model; without a network name the folder of the model in "
            f"embedder.path or {PATH_VARIABLE}",
        )


def local_embedder(
    package: Package, config: EmbedderConfig, environ: Mapping[str, str], built: str
) -> LocalEmbedder:
    """The embedder of that package; no model is read.

    Raises ConfigError when the package is not installed or no model is named.
    """
    if not package.installed:
        raise ConfigError(f"the package {package.name} is not installed", remedy=package.remedy)
    model = variable(environ, MODEL_VARIABLE) or config.model
    path = variable(environ, PATH_VARIABLE) or config.path
    if not model and (package.needs_model or not path):
        raise ConfigError(
            f"the embedder `{package.name}` has no model",
            remedy=f'write model = "…" or path = "…" below [embedder], or set {MODEL_VARIABLE} or '
            f"{PATH_VARIABLE}"
            if not package.needs_model
            else f'write model = "…" below [embedder], or set {MODEL_VARIABLE}',
            path=config.source,
        )
    if path and not Path(path).is_dir():
        shown = "".join(char for char in path if char.isprintable())[:_REASON_CHARS]
        raise ConfigError(
            f"`embedder.path`: there is no folder {shown}",
            remedy="name the folder that holds the files of the model",
            path=config.source,
        )
    return LocalEmbedder(package, config._replace(model=model, path=path), built)


def _named(config: EmbedderConfig) -> str:
    """The model, with a digest of its files when they lie in a folder: another model under the same
    name must not meet the vectors of this one."""
    if not config.path:
        return config.model
    folder = Path(config.path)
    digest = blake2b(digest_size=6)
    try:
        for path in sorted(p for p in folder.rglob("*") if p.is_file()):
            digest.update(f"{path.relative_to(folder).as_posix()}\0".encode("utf-8", "replace"))
            _sample(path, digest)
    except OSError as error:
        raise ConfigError(
            f"the model's folder cannot be read: {error.strerror or error}",
            remedy="check the folder that embedder.path names",
            path=config.source,
        ) from None
    return f"{config.model or folder.name}#{digest.hexdigest()}"


def _sample(path: Path, digest: blake2b) -> None:
    """Size and some parts all over the file: a file of weights is too long to be read whole for
    each question, and no training leaves these parts alone."""
    size = path.stat().st_size
    digest.update(f"{size}\0".encode())
    step = max((size - _SAMPLE_BYTES) // (_SAMPLES - 1), _SAMPLE_BYTES)
    with path.open("rb") as file:
        for start in range(0, size, step):
            file.seek(start)
            digest.update(file.read(_SAMPLE_BYTES))


def _shown(config: EmbedderConfig) -> str:
    return config.path or config.model
