"""The document model: types, metadata keys, sections, tables and the errors catalogue.

The data is in the `model_*.toml` files beside this module, from the seeds' document rules; a
project adds its own in `docs-agent.toml`. One model is used by lint, `new`, and the schemas.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from docs_agent.core.model_config import ModelConfig
from docs_agent.templates.lookup import name_form, section_role

LANGUAGES = ("en", "ru")


@dataclass(frozen=True, slots=True)
class KeySpec:
    """A key of the metadata block."""

    name: str
    """Dotted where it stands inside another one."""
    kind: str
    values: tuple[str, ...] = ()
    """The only ones allowed; empty = any."""
    references: str = ""
    """What values name: `documents`, `code`, `entities` or nothing."""
    summary: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SectionSpec:
    """A section by its meaning."""

    name: str
    titles: Mapping[str, str]
    """Heading in a new document, by language."""
    own: tuple[str, ...] = ()
    """Names besides those of the vocabulary."""


@dataclass(frozen=True, slots=True)
class TableSpec:
    """A table of a contract."""

    name: str
    section: str
    """Meaning of the section that holds it."""
    marks: tuple[str, ...]
    """Columns it is told by."""
    required: tuple[str, ...]
    new: tuple[str, ...]
    """Columns of a new document."""
    columns: Mapping[str, tuple[str, ...]]
    """Names of each column, as they are compared."""

    def positions(self, header: Sequence[str]) -> Mapping[str, int]:
        """Index of each column that a header has; of two that fit the first counts."""
        found: dict[str, int] = {}
        for index, cell in enumerate(header):
            form = name_form(cell)
            meaning = next((c for c, names in self.columns.items() if form and form in names), "")
            if meaning:
                found.setdefault(meaning, index)
        return found


@dataclass(frozen=True, slots=True)
class TypeSpec:
    """A document type."""

    name: str
    names: Mapping[str, str]
    """For people, by language."""
    folder: str
    prefix: str
    """Beginning of an id."""
    file: str = ""
    """Name of the file when it does not follow from the id."""
    required: tuple[str, ...] = ()
    """Keys, those of all types first."""
    recommended: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()
    """Further keys that belong to the type."""
    sections: tuple[str, ...] = ()
    """Required sections, by meaning."""
    details: tuple[str, ...] = ()
    """Sections a new document has inside Details."""
    after: tuple[str, ...] = ()
    """Sections a new document has after Details."""
    tables: tuple[str, ...] = ()
    labels: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Bullets of the Summary of a new document, by language."""


@dataclass(frozen=True, slots=True)
class IntegrationSpec:
    """An entry of the section Integrations."""

    fields: tuple[str, ...]
    required: tuple[str, ...]
    values: Mapping[str, tuple[str, ...]]
    """Allowed values by field."""


@dataclass(frozen=True, slots=True)
class CatalogueSpec:
    """The errors catalogue, a YAML file."""

    lists: tuple[str, ...]
    file_names: tuple[str, ...]
    id: tuple[str, ...]
    http_code: tuple[str, ...]
    required: tuple[str, ...]
    keys: tuple[str, ...]


@dataclass(frozen=True)
class Model:
    """All of it."""

    types: tuple[TypeSpec, ...]
    keys: tuple[KeySpec, ...]
    sections: tuple[SectionSpec, ...]
    tables: tuple[TableSpec, ...]
    integration: IntegrationSpec
    catalogue: CatalogueSpec

    @cached_property
    def _types(self) -> Mapping[str, TypeSpec]:
        return {spec.name: spec for spec in self.types}

    @cached_property
    def _keys(self) -> Mapping[str, KeySpec]:
        return {spec.name: spec for spec in self.keys}

    @cached_property
    def _sections(self) -> Mapping[str, SectionSpec]:
        return {spec.name: spec for spec in self.sections}

    @cached_property
    def _own_sections(self) -> Mapping[str, SectionSpec]:
        return {name_form(name): spec for spec in self.sections for name in spec.own}

    def type_of(self, name: str) -> TypeSpec | None:
        """The type with a name."""
        return self._types.get(name)

    def key(self, name: str) -> KeySpec | None:
        """The key with a dotted name. What may stand inside `links` may be asked as
        `links.NAME`."""
        return self._keys.get(name)

    def section(self, name: str) -> SectionSpec | None:
        """The section with a meaning."""
        return self._sections.get(name)

    def section_named(self, heading: str) -> SectionSpec | None:
        """The section a heading stands for, however it is numbered or written."""
        return self._sections.get(section_role(heading)) or self._own_sections.get(
            name_form(heading)
        )

    def table(self, name: str) -> TableSpec | None:
        """The table with a name."""
        return next((spec for spec in self.tables if spec.name == name), None)

    def table_for(self, header: Sequence[str], section: str = "") -> TableSpec | None:
        """The table a header stands for: its marks are there, and it stands in a section of its
        meaning. section: meaning of the section, or of one it lies in; empty = not known."""
        for spec in self.tables:
            if section and spec.section != section:
                continue
            if set(spec.marks) <= set(spec.positions(header)):
                return spec
        return None


def load_model(extra: ModelConfig | None = None) -> Model:
    """The model with what a project adds. Raises ConfigError for names that mean nothing."""
    from docs_agent.templates.model_data import model_of

    return model_of(extra or ModelConfig())
