"""`docs-agent find-files`: a ranked list of documents."""

from __future__ import annotations

import typer

from docs_agent.cli.options import (
    DEFAULT_SESSION,
    AsJson,
    Db,
    Explain,
    Limit,
    PathPrefix,
    Question,
    Root,
    Session,
    folders,
    question_of,
)


def find_files(
    question: Question,
    root: Root = None,
    db: Db = None,
    session: Session = DEFAULT_SESSION,
    limit: Limit = None,
    path_prefix: PathPrefix = None,
    explain: Explain = False,
    as_json: AsJson = False,
) -> None:
    """List the documents that a question is about, best first."""
    from docs_agent.cli.asking import find
    from docs_agent.cli.project import open_project
    from docs_agent.retrieval.ask import Scope

    asked = question_of(question)
    project = open_project(root, db, session, reading=True)
    scope = Scope(limit, folders(path_prefix))
    raise typer.Exit(find(asked, project, scope, explain=explain, as_json=as_json))
