"""Reading the model from its data files, and putting what a project adds on top."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from docs_agent.core.errors import ConfigError
from docs_agent.core.model_config import ModelConfig
from docs_agent.templates.lookup import name_form
from docs_agent.templates.model import (
    CatalogueSpec,
    IntegrationSpec,
    KeySpec,
    Model,
    SectionSpec,
    TableSpec,
    TypeSpec,
)

_TYPE_LISTS = ("required", "recommended", "keys", "sections")
"""What the types of a project add to the type they extend; other lists take its place."""


def model_of(extra: ModelConfig) -> Model:
    """The model; see `docs_agent.templates.model.load_model`."""
    if not extra.types and not extra.keys:
        return _shipped()
    shipped = _shipped()
    types = _types(shipped, extra)
    keys = _keys(shipped.keys, extra, types)
    model = Model(
        types, keys, shipped.sections, shipped.tables, shipped.integration, shipped.catalogue
    )
    _check(model, extra)
    return model


@cache
def _shipped() -> Model:
    types = _read("model_types")
    base = types["base"]
    specs = tuple(_type(name, said, base) for name, said in types["types"].items())
    names = tuple(spec.name for spec in specs)
    integration = types["integration"]
    tables = _read("model_tables")
    catalogue = {name: tuple(values) for name, values in tables.pop("catalogue").items()}
    fields = ("target_type", "direction", "interaction")
    return Model(
        specs,
        tuple(_key(name, said, names) for name, said in _read("model_keys").items()),
        tuple(_section(name, said) for name, said in _read("model_sections").items()),
        tuple(_table(name, said) for name, said in tables.items()),
        IntegrationSpec(
            tuple(integration["fields"]),
            tuple(integration["required"]),
            {name: tuple(integration[name]) for name in fields},
        ),
        CatalogueSpec(**catalogue),
    )


def _read(name: str) -> dict[str, Any]:
    return tomllib.loads((files("docs_agent.templates") / f"{name}.toml").read_text("utf-8"))


def _type(name: str, said: Mapping[str, Any], base: Mapping[str, Any]) -> TypeSpec:
    lists = {key: _joined(base.get(key, ()), said.get(key, ())) for key in _TYPE_LISTS}
    return TypeSpec(
        name=name,
        names=said["name"],
        folder=said["folder"],
        prefix=said["prefix"],
        file=said.get("file", ""),
        details=tuple(said.get("details", ())),
        after=tuple(said.get("after", ())),
        tables=tuple(said.get("tables", ())),
        labels={lang: tuple(texts) for lang, texts in said.get("labels", {}).items()},
        **lists,
    )


def _key(name: str, said: Mapping[str, Any], types: tuple[str, ...]) -> KeySpec:
    values = said.get("values", ())
    return KeySpec(
        name,
        said["kind"],
        types if values == "types" else tuple(values),
        said.get("references", ""),
        said.get("summary", {}),
    )


def _section(name: str, said: Mapping[str, Any]) -> SectionSpec:
    return SectionSpec(name, {"en": said["en"], "ru": said["ru"]}, tuple(said.get("own", ())))


def _table(name: str, said: Mapping[str, Any]) -> TableSpec:
    columns = {
        column: tuple(dict.fromkeys(map(name_form, names)))
        for column, names in said["columns"].items()
    }
    marks, required, new = (tuple(said[key]) for key in ("marks", "required", "new"))
    return TableSpec(name, said["in"], marks, required, new, columns)


def _types(shipped: Model, extra: ModelConfig) -> tuple[TypeSpec, ...]:
    found = {spec.name: spec for spec in shipped.types}
    base = _read("model_types")["base"]
    blank = _type("", {"name": {}, "folder": ".", "prefix": ""}, base)
    for name, said in extra.types.items():
        extends = said.get("extends", "")
        if extends and extends not in found:
            raise _unknown(f"model.types.{name}.extends", extends, found)
        below = found.get(name) or found.get(extends) or blank
        found[name] = _changed(name, said, below)
    return tuple(found.values())


def _changed(name: str, said: Mapping[str, Any], below: TypeSpec) -> TypeSpec:
    taken_back = set(said.get("optional", ()))
    lists = {key: _joined(getattr(below, key), said.get(key, ())) for key in _TYPE_LISTS}
    lists["required"] = tuple(key for key in lists["required"] if key not in taken_back)
    if "sections" in said:
        lists["sections"] = tuple(said["sections"])
    return TypeSpec(
        name=name,
        names=below.names if below.name == name else {"en": name, "ru": name},
        folder=said.get("folder", below.folder),
        prefix=said.get("prefix", below.prefix),
        file=said.get("file", below.file),
        details=tuple(said.get("details", below.details)),
        after=tuple(said.get("after", below.after)),
        tables=tuple(said.get("tables", below.tables)),
        labels=below.labels,
        **lists,
    )


def _keys(
    shipped: tuple[KeySpec, ...], extra: ModelConfig, types: tuple[TypeSpec, ...]
) -> tuple[KeySpec, ...]:
    found = {spec.name: spec for spec in shipped}
    names = tuple(spec.name for spec in types)
    found["doc_type"] = _key("doc_type", {"kind": "text", "values": names}, names)
    for name, said in extra.keys.items():
        below = found.get(name, KeySpec(name, "any"))
        found[name] = KeySpec(
            name,
            said.get("kind", below.kind),
            tuple(said.get("values", below.values)),
            said.get("references", below.references),
            below.summary,
        )
    for spec in types:
        for key in (*spec.required, *spec.recommended, *spec.keys):
            found.setdefault(key, KeySpec(key, "any"))
    return tuple(found.values())


def _check(model: Model, extra: ModelConfig) -> None:
    sections = [spec.name for spec in model.sections]
    tables = [spec.name for spec in model.tables]
    lists = {"sections": sections, "details": sections, "after": sections, "tables": tables}
    for name, said in extra.types.items():
        for key, known in lists.items():
            for value in said.get(key, ()):
                if value not in known:
                    raise _unknown(f"model.types.{name}.{key}", value, known)


def _unknown(key: str, value: str, known: Iterable[str]) -> ConfigError:
    return ConfigError(
        f"`{key}` names `{value[:80]}`, which does not exist",
        remedy=f"use one of: {', '.join(known)}",
    )


def _joined(first: Iterable[str], second: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*first, *second)))
