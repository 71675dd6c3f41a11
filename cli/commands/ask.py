"""`docs-agent ask`: answer a question with citations."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from docs_agent.cli.options import (
    DEFAULT_SESSION,
    AsJson,
    Db,
    Explain,
    Limit,
    OptionalQuestion,
    PathPrefix,
    Root,
    Session,
    UseLlm,
    folders,
    question_of,
)


def ask(
    question: OptionalQuestion = None,
    batch: Annotated[
        Path | None,
        typer.Option(
            "--batch",
            metavar="FILE",
            help='Answer every {"id", "query"} line of a JSON-lines file (`-`: standard input).',
        ),
    ] = None,
    root: Root = None,
    db: Db = None,
    session: Session = DEFAULT_SESSION,
    limit: Limit = None,
    path_prefix: PathPrefix = None,
    llm: UseLlm = None,
    explain: Explain = False,
    as_json: AsJson = False,
) -> None:
    """Answer a question from the documentation, with citations."""
    from docs_agent.cli.asking import ask_many, ask_one
    from docs_agent.cli.language_model import language_model
    from docs_agent.cli.project import open_project
    from docs_agent.core.errors import UsageError
    from docs_agent.retrieval.ask import Scope

    if bool(question) == (batch is not None):
        raise UsageError(
            "give either a question or --batch FILE", remedy='docs-agent ask "how does it work"'
        )
    asked = question_of(question) if question else ""
    project = open_project(root, db, session, reading=True)
    model = language_model(project, llm)
    scope = Scope(limit, folders(path_prefix))
    if batch is not None:
        status = ask_many(batch, project, scope, model)
    else:
        status = ask_one(asked, project, scope, model, explain=explain, as_json=as_json)
    raise typer.Exit(status)
