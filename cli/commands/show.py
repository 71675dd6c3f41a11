"""`docs-agent show`: the card of one document."""

from __future__ import annotations

from typing import Annotated

import typer

from docs_agent.cli.options import DEFAULT_SESSION, AsJson, Db, Root, Session
from docs_agent.cli.references import Ref


def show(
    ref: Ref,
    root: Root = None,
    db: Db = None,
    session: Session = DEFAULT_SESSION,
    full: Annotated[
        bool, typer.Option("--all", help="Show every item and every text in full.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Show what the index holds of one document."""
    from docs_agent.cli.console import print_json, print_lines
    from docs_agent.cli.project import open_project
    from docs_agent.cli.references import named
    from docs_agent.cli.render.card import card_json, card_lines
    from docs_agent.indexers.file_state import state_of_file
    from docs_agent.retrieval.relations.card import card_of
    from docs_agent.retrieval.relations.graph import graph_of

    project = open_project(root, db, session, reading=True)
    with named(ref, project, as_json=as_json) as found:
        reader = found.reader
        card = card_of(found.node, reader, graph_of(reader))
        file = next(f for f in reader.files() if f.path == found.node.path)
        state = state_of_file(found.root, file, project.config.index.max_file_bytes)
        info = reader.session
    if as_json:
        print_json(card_json(found.ref, card, info, state))
    else:
        print_lines(card_lines(card, info, state, full=full))
