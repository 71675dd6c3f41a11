"""JSON Schemas (2020-12) of the metadata of a document type, for editors and other tools."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from docs_agent.templates.model import KeySpec, Model, TypeSpec

_DIALECT = "https://json-schema.org/draft/2020-12/schema"
_TEXTS = {
    "anyOf": [
        {"type": "array", "items": {"type": "string"}, "uniqueItems": True},
        {"type": "string"},
        {"type": "null"},
    ]
}
_KINDS: dict[str, dict[str, Any]] = {
    "id": {"type": "string", "pattern": r"^[A-Za-z0-9][A-Za-z0-9._-]*$"},
    "text": {"type": "string", "minLength": 1},
    "texts": _TEXTS,
    "flag": {"type": "boolean"},
    "number": {"type": "number", "minimum": 0},
    # YAML readers give a date where the file has one unquoted.
    "date": {"type": "string", "pattern": r"^\d{4}-\d{2}-\d{2}"},
    "version": {"type": ["string", "number"]},
    "endpoint": {"type": "string", "pattern": r"^[A-Z]+ /"},
    "mapping": {"type": "object"},
    "any": {},
}


def schema_of(model: Model, spec: TypeSpec) -> dict[str, Any]:
    """The schema of one type. Keys that the model does not know are allowed: projects have own
    ones."""
    top = [key for key in model.keys if "." not in key.name]
    properties = {key.name: _property(key) for key in top}
    properties["doc_type"] = {**properties["doc_type"], "enum": [spec.name]}
    properties["links"] = _links(key for key in model.keys if key.name.startswith("links."))
    return {
        "$schema": _DIALECT,
        "title": spec.names.get("en", spec.name),
        "type": "object",
        "required": list(spec.required),
        "properties": properties,
        "additionalProperties": True,
    }


def _property(key: KeySpec) -> dict[str, Any]:
    found = dict(_KINDS[key.kind])
    if key.summary:
        found["description"] = " / ".join(key.summary.values())
    if key.values:
        found["enum"] = list(key.values)
    return found


def _links(keys: Iterable[KeySpec]) -> dict[str, Any]:
    """Relations: a mapping of lists, or a list of a type and a target each."""
    named = {key.name.partition(".")[2]: _property(key) for key in keys}
    return {
        "anyOf": [
            {"type": "object", "properties": named},
            {
                "type": "array",
                "items": {
                    "type": "object",
                    "required": ["type", "target"],
                    "properties": {"type": {"type": "string"}, "target": {"type": "string"}},
                },
            },
            {"type": "null"},
        ]
    }
