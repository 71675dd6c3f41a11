"""Asking the vocabulary: what a heading, label, key or column means."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache

from docs_agent.core.text import normalize
from docs_agent.templates import vocabulary

_NUMBERING = re.compile(r"^(?:§\s*)?\d+(?:\.\d+)*[.):]?\s+")
_TAIL = re.compile(r"[\d:.—]")
_JOINERS = re.compile(r"[\s_\-‐‑–]+")
_MAX_NAME = 120
"""Characters; a longer heading is a sentence, not a name."""


def _inverted(*tables: vocabulary.Table) -> Mapping[str, str]:
    return {
        name_form(name): meaning for table in tables for meaning, names in table for name in names
    }


def name_form(name: str) -> str:
    """The form in which names are compared: no case, markup, numbering or outer punctuation."""
    if len(name) > _MAX_NAME:
        return ""
    bare = normalize(name).replace("\\", "").strip(" \t*_`#:.")
    return _JOINERS.sub(" ", _NUMBERING.sub("", bare)).strip(" *_`:.")


_KEYS = dict(vocabulary.FRONTMATTER_KEYS)


# Each table is turned round when first asked for: a question seldom needs them all.
@cache
def _sections() -> Mapping[str, str]:
    return _inverted(vocabulary.SECTION_NAMES)


@cache
def _labels() -> Mapping[str, str]:
    return _inverted(vocabulary.SECTION_NAMES, vocabulary.LABEL_NAMES)


@cache
def _integration() -> Mapping[str, str]:
    return _inverted(vocabulary.INTEGRATION_FIELDS)


@cache
def _contract() -> Mapping[str, str]:
    return _inverted(vocabulary.CONTRACT_FIELDS)


@cache
def _relations() -> Mapping[str, str]:
    return _inverted(vocabulary.RELATION_KEYS)


@lru_cache(maxsize=4096)
def section_role(title: str) -> str:
    """Meaning of a heading, `""` when it has none.

    "Scenario 2" and "Scenario: placing an order" are scenarios too.
    """
    form = name_form(title)
    found = _sections().get(form, "")
    if not found and form:
        head = _TAIL.split(form, maxsplit=1)[0].strip(" №#")
        if _sections().get(head) == "scenario":
            return "scenario"
    return found


def label_role(label: str) -> str:
    """Meaning of a label inside a scenario, `""` when it has none."""
    return _labels().get(name_form(label), "")


def integration_fields(names: Sequence[str], *, table: bool = False) -> tuple[str, ...]:
    """Fields of an integration that bullet keys or column headers stand for, `""` when for none.

    They are read together: «цель» is the target where «назначение» or «тип цели» stands beside it
    and no other target does, else the purpose; a service is the target unless another name is; a
    component is ours unless nothing else is named. The first column of a `table` that means nothing
    by itself names the integration.
    """
    found = [_integration().get(name_form(name), "") for name in names]
    beside = frozenset(found)
    goal = "purpose"
    if beside & {"purpose", "target_type"} and not beside & {"target", "service"}:
        goal = "target"
    found = [goal if meaning == "goal" else meaning for meaning in found]
    service = "name" if "target" in found else "target"
    found = [service if meaning == "service" else meaning for meaning in found]
    if table and found and not found[0] and "name" not in found and name_form(names[0]):
        found[0] = "name"
    if not {"name", "target"} & set(found):
        found = ["name" if meaning == "component" else meaning for meaning in found]
    return tuple(found)


def is_components_table(header: Sequence[str]) -> bool:
    """True for the header of a table that says of components what they are for, and not of what
    they exchange with whom."""
    fields = integration_fields(header)
    return (
        name_form(next(iter(header), "")) in vocabulary.COMPONENT_COLUMNS
        and any(map(is_responsibility, header[1:]))
        and not {"target", "direction"} & set(fields)
    )


def is_responsibility(name: str) -> bool:
    """True for the header of a column that says what a component is for."""
    return name_form(name) in vocabulary.RESPONSIBILITY_COLUMNS


def contract_field(name: str) -> str:
    """`endpoint`, `method` or `path`, `""` for any other bullet key."""
    return _contract().get(name_form(name), "")


def relation_target_kind(key: str) -> str:
    """`document`, `code` or `external_object`; `""` when the key is no relation."""
    return _relations().get(name_form(key), "")


def key_names(meaning: str) -> tuple[str, ...]:
    """Ways a frontmatter key is written, the preferred one first."""
    return _KEYS[meaning]


def frontmatter_keys() -> tuple[str, ...]:
    """Every way a frontmatter key with a meaning of its own is written."""
    return tuple(name for names in _KEYS.values() for name in names)


def is_how_to(title: str) -> bool:
    """True when a heading promises steps."""
    form = name_form(title) + " "
    return form.startswith(vocabulary.HOW_TO_STARTS) or section_role(title) == "steps"
