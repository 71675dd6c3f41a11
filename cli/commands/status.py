"""`docs-agent status`: what is indexed and how fresh it is."""

from __future__ import annotations

from docs_agent.cli.options import DEFAULT_SESSION, AsJson, Db, Root, Session


def status(
    root: Root = None,
    db: Db = None,
    session: Session = DEFAULT_SESSION,
    as_json: AsJson = False,
) -> None:
    """Show what is indexed and which files have changed since."""
    from docs_agent.cli.console import print_json, print_lines
    from docs_agent.cli.project import open_project, reading
    from docs_agent.cli.render.status import state_of, status_json, status_lines
    from docs_agent.indexers.freshness import compare

    project = open_project(root, db, session, reading=True)
    with reading(project) as (_, reader):
        state = state_of(project, reader)
        drift = compare(
            project.root, project.config, reader.session, reader.files(), state.last_job
        )
    if as_json:
        print_json(status_json(state, drift))
    else:
        print_lines(status_lines(state, drift))
