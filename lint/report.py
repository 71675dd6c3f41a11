"""The forms a report takes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from docs_agent.core.errors import UsageError
from docs_agent.lint.formats.github import github
from docs_agent.lint.formats.gitlab import gitlab
from docs_agent.lint.formats.json import json
from docs_agent.lint.formats.junit import junit
from docs_agent.lint.formats.rdjson import rdjson
from docs_agent.lint.formats.sarif import sarif
from docs_agent.lint.formats.text import text
from docs_agent.lint.outcome import Report

Renderer = Callable[[Report], str]
"""A report as text that can be printed as it is: nothing in it commands a terminal."""

FORMATS: Final[Mapping[str, Renderer]] = MappingProxyType(
    {
        "text": text,
        "json": json,
        "sarif": sarif,
        "github": github,
        "gitlab": gitlab,
        "junit": junit,
        "rdjson": rdjson,
    }
)
"""By the name that `--format` takes, in the order of its help."""


def render(format: str, report: Report) -> str:
    """The report in a format, with a line feed at its end unless empty. Raises UsageError for an
    unknown format."""
    renderer = FORMATS.get(format)
    if renderer is None:
        known = ", ".join(FORMATS)
        raise UsageError(f"there is no format `{format}`", remedy=f"use one of: {known}")
    return renderer(report)
