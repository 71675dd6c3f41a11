"""`docs-agent doctor`: whether this environment can do the work."""

from __future__ import annotations

import typer

from docs_agent.cli.options import DEFAULT_SESSION, AsJson, Db, Root, Session


def doctor(
    root: Root = None,
    db: Db = None,
    session: Session = DEFAULT_SESSION,
    as_json: AsJson = False,
) -> None:
    """Check that this machine and project can do the work."""
    from docs_agent.cli.checks import all_checks
    from docs_agent.cli.console import print_json, print_lines
    from docs_agent.cli.render.checks import check_lines, checks_json

    checks = all_checks(root, db, session)
    if as_json:
        print_json(checks_json(checks))
    else:
        print_lines(check_lines(checks))
    if not all(check.ok for check in checks):
        raise typer.Exit(1)
