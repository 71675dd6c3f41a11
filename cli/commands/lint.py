"""`docs-agent lint`: check documents, mend what follows from the files, report for people or CI."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from docs_agent.cli.options import Root


class Format(StrEnum):
    """How findings are written; `docs_agent.lint.report` has the renderers."""

    TEXT = "text"
    JSON = "json"
    SARIF = "sarif"
    GITHUB = "github"
    GITLAB = "gitlab"
    JUNIT = "junit"
    RDJSON = "rdjson"


class FailOn(StrEnum):
    """The least severe finding that makes the exit status 1."""

    ERROR = "error"
    WARNING = "warning"
    NEVER = "never"


_CODES = "codes or beginnings of codes, separated by commas"


def lint(
    paths: Annotated[
        list[Path] | None,
        typer.Argument(help="Folders or files to report on; the docs roots when not given."),
    ] = None,
    root: Root = None,
    select: Annotated[
        list[str] | None, typer.Option("--select", metavar="CODES", help=f"Only these: {_CODES}.")
    ] = None,
    extend_select: Annotated[
        list[str] | None,
        typer.Option("--extend-select", metavar="CODES", help="These rules as well."),
    ] = None,
    ignore: Annotated[
        list[str] | None, typer.Option("--ignore", metavar="CODES", help="Not these rules.")
    ] = None,
    fix: Annotated[bool, typer.Option("--fix", help="Make the safe fixes.")] = False,
    unsafe_fixes: Annotated[
        bool, typer.Option("--unsafe-fixes", help="With --fix or --diff: the unsafe ones too.")
    ] = False,
    diff: Annotated[
        bool, typer.Option("--diff", help="Show what --fix would change, and change nothing.")
    ] = False,
    changed_since: Annotated[
        str | None,
        typer.Option(
            "--changed-since", metavar="REV", help="Report only on files that git says changed."
        ),
    ] = None,
    staged: Annotated[
        bool, typer.Option("--staged", help="Report only on files staged for the next commit.")
    ] = False,
    baseline: Annotated[
        Path | None,
        typer.Option("--baseline", metavar="FILE", help="Leave out findings this file holds."),
    ] = None,
    write_baseline: Annotated[
        Path | None,
        typer.Option("--write-baseline", metavar="FILE", help="Write the findings to this file."),
    ] = None,
    form: Annotated[
        Format, typer.Option("--format", help="How findings are written.")
    ] = Format.TEXT,
    as_json: Annotated[bool, typer.Option("--json", help="The same as --format json.")] = False,
    output: Annotated[
        Path | None, typer.Option("--output", metavar="FILE", help="Write the report to this file.")
    ] = None,
    fail_on: Annotated[
        FailOn, typer.Option("--fail-on", help="Least severity of a finding that exits with 1.")
    ] = FailOn.WARNING,
    cache: Annotated[
        bool, typer.Option("--cache/--no-cache", help="Keep results in `.docs-agent/`.")
    ] = True,
    explain: Annotated[
        str | None, typer.Option("--explain", metavar="CODE", help="Tell about a rule and end.")
    ] = None,
    rules: Annotated[bool, typer.Option("--rules", help="List the rules and end.")] = False,
    schema: Annotated[
        str | None,
        typer.Option(
            "--schema", metavar="TYPE", help="Print the JSON Schema of a type's metadata and end."
        ),
    ] = None,
) -> None:
    """Check documents: metadata, structure, links, relations, contracts, freshness."""
    from docs_agent.cli import lint_about, lint_run
    from docs_agent.cli.lint_options import LintOptions, split_codes

    if explain is not None:
        lint_about.explain(explain)
    elif rules:
        lint_about.list_rules(as_json=as_json or form is Format.JSON)
    elif schema is not None:
        lint_about.print_schema(schema, root)
    else:
        options = LintOptions(
            paths=tuple(paths or ()),
            root=root,
            select=split_codes(select),
            extend_select=split_codes(extend_select),
            ignore=split_codes(ignore),
            fix=fix,
            unsafe=unsafe_fixes,
            diff=diff,
            changed_since=changed_since,
            staged=staged,
            baseline=baseline,
            write_baseline=write_baseline,
            form="json" if as_json else form.value,
            output=output,
            cache=cache,
        )
        report = lint_run.run(options)
        if fail_on is not FailOn.NEVER and lint_run.fails(report, fail_on.value):
            raise typer.Exit(1)
