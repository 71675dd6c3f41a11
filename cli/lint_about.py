"""What `docs-agent lint` tells about itself: rules and schemas."""

from __future__ import annotations

from pathlib import Path

from docs_agent.cli.console import print_json, print_lines
from docs_agent.cli.lines import columns, plain


def explain(code: str) -> None:
    """Print what a rule does, why, an example and the fix. Raises UsageError for no rule."""
    from docs_agent.core.errors import UsageError
    from docs_agent.lint.registry import RULES, explanation, rule_of
    from docs_agent.lint.selection import check_codes

    rule = rule_of(code)
    if rule is None:
        check_codes((code.upper(),), RULES, UsageError)
        raise UsageError(
            f"`{code}` is the beginning of several rules",
            remedy="give a whole code; docs-agent lint --rules lists them",
        )
    state = "on by default" if rule.default else "off by default"
    fixes = f"; {rule.fixable} fix" if rule.fixable else ""
    head = f"{rule.code} {rule.name}: {rule.severity}, {state}{fixes}"
    print_lines(plain(line) for line in (head, "", *explanation(rule).split("\n")))


def list_rules(*, as_json: bool) -> None:
    """Print every rule with its severity, its fix and its line."""
    from docs_agent.lint.registry import RULES

    if as_json:
        keys = ("code", "name", "severity", "default", "fixable", "summary")
        print_json({"rules": [{key: getattr(rule, key) for key in keys} for rule in RULES]})
        return
    rows = [
        (
            rule.code,
            rule.name,
            rule.severity if rule.default else "off",
            f"{rule.fixable} fix" if rule.fixable else "",
            rule.summary,
        )
        for rule in RULES
    ]
    print_lines(map(plain, columns(rows)))


def print_schema(name: str, root: Path | None) -> None:
    """Print the JSON Schema of the metadata of a type. Raises UsageError for no type."""
    from docs_agent.cli.options import DEFAULT_SESSION
    from docs_agent.cli.project import open_project
    from docs_agent.core.errors import UsageError
    from docs_agent.templates.json_schema import schema_of
    from docs_agent.templates.model import load_model

    model = load_model(open_project(root, None, DEFAULT_SESSION).config.model)
    spec = model.type_of(name)
    if spec is None:
        known = ", ".join(spec.name for spec in model.types)
        raise UsageError(f"there is no document type `{name}`", remedy=f"use one of: {known}")
    print_json(schema_of(model, spec))
