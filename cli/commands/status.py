"""`docs-agent status`: what is indexed and how fresh it is."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from docs_agent.cli.options import DEFAULT_SESSION, AsJson, Db, Root, Session

if TYPE_CHECKING:
    from docs_agent.cli.project import Project


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
    next_embedder = _next_embedder(project, state.session.embedder)
    if as_json:
        print_json(status_json(state, drift, next_embedder))
    else:
        print_lines(status_lines(state, drift, next_embedder))


def _next_embedder(project: Project, built: str) -> str:
    """What the next index run will embed with, when it is not what the index has."""
    from docs_agent.core.embed.registry import chosen_name, other_than_built

    config = project.config
    name = chosen_name(config.embedder, os.environ, config.index.embedder)
    return other_than_built(name, config.embedder, os.environ, built)
