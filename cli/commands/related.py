"""`docs-agent related`: the neighbours of a document in the relation graph."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from docs_agent.cli.options import DEFAULT_SESSION, AsJson, Db, Root, Session
from docs_agent.cli.references import Ref


class Format(StrEnum):
    """How the graph is written."""

    TEXT = "text"
    JSON = "json"
    MERMAID = "mermaid"


def related(
    ref: Ref,
    root: Root = None,
    db: Db = None,
    session: Session = DEFAULT_SESSION,
    depth: Annotated[
        int, typer.Option("--depth", min=1, max=10, help="Steps to go from the document.")
    ] = 1,
    form: Annotated[
        Format | None, typer.Option("--format", help="`text` (default), `json` or `mermaid`.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """List the documents, code and other things a document is connected with."""
    from docs_agent.cli.console import print_json, print_lines
    from docs_agent.cli.lines import plain
    from docs_agent.cli.project import open_project
    from docs_agent.cli.references import named
    from docs_agent.cli.render.mermaid import mermaid_lines
    from docs_agent.cli.render.related import related_json, related_lines
    from docs_agent.core.errors import UsageError
    from docs_agent.retrieval.relations.around import surroundings
    from docs_agent.retrieval.relations.graph import graph_of

    if as_json and form not in (None, Format.JSON):
        raise UsageError(
            f"--json and --format {form} exclude each other", remedy="give one of them"
        )
    as_json = as_json or form is Format.JSON
    project = open_project(root, db, session, reading=True)
    with named(ref, project, as_json=as_json) as found:
        around = surroundings(graph_of(found.reader), found.node, depth)
    if as_json:
        print_json(related_json(found.ref, around))
    elif form is Format.MERMAID:
        print_lines(map(plain, mermaid_lines(around)))
    else:
        print_lines(related_lines(around))
