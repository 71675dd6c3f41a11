"""A suppression that suppresses nothing

What it does: reports a comment `docs-lint: ignore` for which no finding was left out. Codes of
rules that are off are not spoken of.

Why: the fault is mended, or was never there; the comment would hide the next one.

Example: `<!-- docs-lint: ignore DOC301 -->` above a link that works again.

Fix: remove the comment, or the code that is not needed.
"""

from __future__ import annotations

from docs_agent.lint.rule import Rule

# Known once all other rules have spoken: the engine reports it.
RULE = Rule("DOC901", "unused-suppression", "A suppression suppresses nothing")
