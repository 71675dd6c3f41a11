"""A finding of `doctor`."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that must hold for the tool to work here."""

    name: str
    """What was looked at: stable, kebab-case."""
    ok: bool
    detail: str
    """What was found: a version, a path, the fault."""
    remedy: str = ""
    """What to do when it is not ok."""
