"""What a project adds to the document model: `[model.types.NAME]` and `[model.keys.NAME]`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

TYPE_TEXTS: Final = ("extends", "folder", "prefix", "file")
TYPE_LISTS: Final = (
    "required", "optional", "recommended", "keys", "sections", "details", "after", "tables",
)  # fmt: skip
"""What a type may say: texts and lists. `optional` takes keys back that all types require."""
KEY_KINDS: Final = (
    "text", "id", "texts", "flag", "number", "date", "version", "endpoint", "mapping", "any",
)  # fmt: skip
KEY_REFERENCES: Final = ("documents", "code", "entities")


@dataclass(frozen=True, slots=True)
class ModelConfig:
    """Types and keys of a project, by name, as written."""

    types: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    keys: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
