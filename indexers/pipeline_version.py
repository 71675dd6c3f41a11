"""The version of everything between a file's bytes and its records.

In a module of its own, because a run that finds nothing changed loads no parser and no extractor.
"""

from __future__ import annotations

from typing import Final

PIPELINE_VERSION: Final = "3"
"""Part of every cache key: change it whenever the same document would give other records."""
