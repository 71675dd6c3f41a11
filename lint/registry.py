"""The rules in the order of their codes. A new one is a module in `lint/rules/` and a line here."""

from __future__ import annotations

from typing import Final

from docs_agent.lint.rule import Rule
from docs_agent.lint.rules import (
    doc001_unreadable,
    doc002_not_utf8,
    doc003_byte_order_mark,
    doc301_dead_link,
    doc901_unused_suppression,
    doc902_unknown_code,
)

UNREADABLE: Final = doc001_unreadable.RULE
NOT_UTF8: Final = doc002_not_utf8.RULE
UNUSED: Final = doc901_unused_suppression.RULE
UNKNOWN_CODE: Final = doc902_unknown_code.RULE

RULES: Final[tuple[Rule, ...]] = (
    UNREADABLE,
    NOT_UTF8,
    doc003_byte_order_mark.RULE,
    doc301_dead_link.RULE,
    UNUSED,
    UNKNOWN_CODE,
)


_BY_CODE: Final = {rule.code: rule for rule in RULES}


def rule_of(code: str) -> Rule | None:
    """The rule with a code, in any letter case."""
    return _BY_CODE.get(code.upper())


def explanation(rule: Rule) -> str:
    """The docstring of the rule's module: sections What it does, Why, Example, Fix."""
    import sys

    from docs_agent.lint import rules

    prefix = f"{rules.__name__}.{rule.code.lower()}_"
    module = next(module for name, module in sys.modules.items() if name.startswith(prefix))
    return (module.__doc__ or "").strip()
