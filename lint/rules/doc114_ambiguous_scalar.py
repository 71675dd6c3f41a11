"""An unquoted value that other YAML readers change

What it does: reports unquoted values in keys for texts which YAML 1.1 takes for something else:
`no` for false, `1.10` for 1.1, `012` for 10, `12:30` for 750, `2026-01-31` for a date.

Why: this tool reads what is written; site generators and scripts read another value.

Example: `version: 1.10`, `owner: no`.

Fix: quote the value; `--fix` does.
"""

from __future__ import annotations

from collections.abc import Iterator

from docs_agent.lint.finding import WARNING, Edit, Fix
from docs_agent.lint.front import Value
from docs_agent.lint.model_keys import known_keys
from docs_agent.lint.page import Page
from docs_agent.lint.rule import Hit, Rule
from docs_agent.lint.scope import Scope
from docs_agent.lint.yaml_text import quoted, read_as

_KINDS = ("id", "text", "texts", "version")
_HARMLESS = {
    "texts": ("a whole number",),
    "version": ("a whole number",),
}
"""What changes nothing that matters: the number 2 is written as it was."""


def check(page: Page, scope: Scope) -> Iterator[Hit]:
    """Report each value that is read otherwise elsewhere."""
    if not scope.is_modelled or page.front.language != "yaml":
        return
    for spec, key in known_keys(scope):
        if spec.kind in _KINDS:
            for value in key.value.texts:
                becomes = "" if value.style else _becomes(spec.kind, value)
                if becomes:
                    text = value.text or ""
                    message = f"other readers take `{text[:80]}` of `{spec.name}` for {becomes}"
                    fix = Fix("quote the value", (Edit(value.span, quoted(text)),))
                    yield Hit(value.span, message, fix)


def _becomes(kind: str, value: Value) -> str:
    text = value.text or ""
    becomes = read_as(text)
    if becomes in _HARMLESS.get(kind, ()):
        return ""
    if kind == "version" and becomes == "a number" and repr(float(text.replace("_", ""))) == text:
        return ""
    return becomes


RULE = Rule(
    "DOC114",
    "ambiguous-scalar",
    "Other YAML readers change an unquoted value",
    WARNING,
    check,
    fixable="safe",
)
