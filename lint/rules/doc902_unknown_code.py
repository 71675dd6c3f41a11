"""A suppression of a rule that does not exist

What it does: reports a code in a comment `docs-lint: ignore` that no rule begins with.

Why: the comment looks as if it did something.

Example: `<!-- docs-lint: ignore DOC999 -->`.

Fix: correct the code; `docs-agent lint --rules` lists them.
"""

from __future__ import annotations

from docs_agent.lint.rule import Rule

# Reported by the engine, which reads the comments.
RULE = Rule("DOC902", "unknown-code", "A suppression names an unknown rule")
