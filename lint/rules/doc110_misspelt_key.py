"""A metadata key that looks misspelt

What it does: reports keys that the document model does not know and that differ little from one it
knows. Other keys of a project's own are left alone.

Why: what stands under a misspelt key is read by nobody.

Example: `relatd_docs`.

Fix: correct the key. A key that is meant so belongs into `[model.keys]` of the configuration.
"""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches

from docs_agent.lint.finding import WARNING
from docs_agent.lint.page import Page
from docs_agent.lint.rule import Hit, Rule
from docs_agent.lint.scope import Scope

_CUTOFF = 0.84
_MOST = 200
"""Keys of a block that are looked at: more are data."""


def check(page: Page, scope: Scope) -> Iterator[Hit]:
    """Report unknown keys that are near a known one which is not there."""
    if not scope.is_modelled:
        return
    known = [spec.name for spec in scope.model.keys if "." not in spec.name]
    there = {key.name for key in page.front.keys}
    missing = [name for name in known if name not in there]
    for key in page.front.keys[:_MOST]:
        if key.name in known:
            continue
        form = key.name.casefold().replace("-", "_")[:80]
        near = get_close_matches(form, missing, n=1, cutoff=_CUTOFF)
        if near:
            yield Hit(key.span, f"the key `{key.name[:80]}` is unknown; `{near[0]}` is meant?")


RULE = Rule("DOC110", "misspelt-key", "A metadata key looks misspelt", WARNING, check)
