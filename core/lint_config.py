"""What a project says about lint: `[lint]` and `[[lint.overrides]]`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

DOCUMENTS = ("auto", "model", "plain")
"""How documents are looked at: by their own metadata, always by the document model, or as plain
Markdown."""
SEVERITIES = ("error", "warning")
ANCHOR_STYLES = (
    "github",
    "gitlab",
    "mkdocs",
    "mkdocs-unicode",
    "mkdocs-pymdownx",
    "docusaurus",
    "vitepress",
    "hugo",
)
"""Renderers whose anchors are known; `docs_agent.lint.anchors` has their rules."""


@dataclass(frozen=True, slots=True)
class LintOverride:
    """Other settings for some files; what is not said stays as it is."""

    files: tuple[str, ...]
    """Patterns as in `.gitignore`, relative to the root."""
    documents: str = ""
    ignore: tuple[str, ...] = ()
    select: tuple[str, ...] = ()
    """Rules on for these files besides the others."""
    severity: Mapping[str, str] = field(default_factory=dict)
    anchors: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LintConfig:
    """Settings of lint."""

    select: tuple[str, ...] = ()
    """Codes or beginnings of codes; empty = the rules that are on by default."""
    extend_select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    severity: Mapping[str, str] = field(default_factory=dict)
    """`error` or `warning` by code or beginning of a code; the longest counts."""
    documents: str = "auto"
    anchors: tuple[str, ...] = ()
    """Renderers a fragment must work in; empty = one of them all is enough."""
    summary_lines: int = 60
    draft_days: int = 180
    errors: tuple[str, ...] = ()
    """Errors catalogues, relative to the root; empty = found by their names."""
    code_root: str = "."
    """Folder that paths of `related_code` are relative to."""
    overrides: tuple[LintOverride, ...] = ()
