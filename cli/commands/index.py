"""`docs-agent index`: build or refresh the index."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from docs_agent.cli.options import DEFAULT_SESSION, AsJson, Db, Root, Session


def index(
    paths: Annotated[
        list[Path] | None,
        typer.Argument(help="Folders or files; the configured docs roots when not given."),
    ] = None,
    root: Root = None,
    db: Db = None,
    session: Session = DEFAULT_SESSION,
    embedder: Annotated[
        str | None,
        typer.Option(
            "--embedder",
            help="`static` (offline, default), `none`, `http`, `model2vec` or `fastembed`.",
        ),
    ] = None,
    changed_since: Annotated[
        str | None,
        typer.Option("--changed-since", metavar="REV", help="Only files that git says changed."),
    ] = None,
    full: Annotated[
        bool, typer.Option("--full", help="Read and index every file again, changed or not.")
    ] = False,
    timeout: Annotated[
        float,
        typer.Option("--timeout", min=0, help="Seconds to wait for another index run to end."),
    ] = 30.0,
    strict: Annotated[
        bool, typer.Option("--strict", help="Exit with 1 when there is any warning.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Build or refresh the index of a documentation folder."""
    from docs_agent.cli.console import note, print_json, print_lines
    from docs_agent.cli.progress import Bar
    from docs_agent.cli.project import open_project
    from docs_agent.cli.render.index import report_lines
    from docs_agent.core.embed.registry import chosen_name, make_embedder, make_encoder
    from docs_agent.core.project import keep_out_of_git
    from docs_agent.core.store.sqlite import open_store
    from docs_agent.indexers.run import run_index
    from docs_agent.indexers.run_report import IndexRequest

    project = open_project(root, db, session)
    request = IndexRequest(
        root=project.root,
        config=project.config,
        db=project.db,
        session=session,
        paths=tuple(_from_here(path, project.root) for path in paths or ()),
        changed_since=changed_since or "",
        full=full,
        timeout=timeout,
    )
    config = project.config
    name = embedder or chosen_name(config.embedder, os.environ, config.index.embedder)
    make_embedder(name, config.embedder, os.environ)  # nothing is written when it is unknown
    keep_out_of_git(project.db)
    store = open_store(project.db, create=True)
    try:
        before = next((s.embedder for s in store.sessions() if s.name == session), "")
        vectors = make_embedder(name, config.embedder, os.environ, before)
        with Bar(quiet=as_json) as bar:
            report = run_index(request, store, vectors, bar)
    finally:
        store.close()
    if vectors.dim and report.files.indexed and (encoder := make_encoder()):
        encoder.prepare()
    if as_json:
        print_json(report.as_json())
    else:
        print_lines(report_lines(report, project.root))
        for hint in report.hints:
            note(f"note: {hint}")
    if strict and report.warnings:
        raise typer.Exit(1)


def _from_here(path: Path, root: Path) -> str:
    """The path a person means: from the current folder, else from the project root."""
    here = os.path.abspath(path)
    return here if os.path.lexists(here) else os.path.join(root, path)
