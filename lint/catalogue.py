"""Errors catalogues: which errors exist, and what they answer with."""

from __future__ import annotations

from typing import NamedTuple

from docs_agent.lint.finding import Span


class CatalogueEntry(NamedTuple):
    """An error of a catalogue."""

    error_id: str
    http_code: str
    """Empty when the catalogue does not say it."""
    span: Span
    """Of the id."""


class Catalogue(NamedTuple):
    """A catalogue that was read, or why it was not."""

    path: str
    entries: tuple[CatalogueEntry, ...] = ()
    faults: tuple[tuple[Span, str], ...] = ()
    """(where, what is wrong)."""


def catalogues_of(root: object, files: object, config: object) -> tuple[Catalogue, ...]:
    """Catalogues of the collection."""
    return ()
