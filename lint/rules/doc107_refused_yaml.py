"""Metadata that are not read for safety

What it does: reports anchors and aliases (`&name`, `*name`), merge keys (`<<`), tags (`!name`),
metadata nested too deep and metadata that are too large.

Why: a few lines of aliases grow to gigabytes, tags run code in some readers; so this tool, as
others, leaves such a block out.

Example: `reviewers: *team`.

Fix: write the values out.
"""

from __future__ import annotations

from collections.abc import Iterator

from docs_agent.lint.finding import ERROR
from docs_agent.lint.page import Page
from docs_agent.lint.rule import Hit, Rule
from docs_agent.lint.scope import Scope

_CODES = ("frontmatter-alias-refused", "frontmatter-tag-refused", "frontmatter-too-large")


def check(page: Page, scope: Scope) -> Iterator[Hit]:
    """Report what made the block be left out."""
    for fault in page.front.faults:
        if fault.code in _CODES:
            yield Hit(fault.span, fault.message)


RULE = Rule("DOC107", "refused-yaml", "Metadata are not read for safety", ERROR, check)
