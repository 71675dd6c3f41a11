"""All that `doctor` looks at, in the order it is shown."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from docs_agent.cli.project import Project, open_project, reading
from docs_agent.core.checks import Check
from docs_agent.core.errors import DocsAgentError, NoIndexError

_PYTHON = (3, 11)


def all_checks(root: Path | None, db: Path | None, session: str) -> tuple[Check, ...]:
    """Every check; nothing is changed and nothing is raised."""
    return tuple(_checks(root, db, session))


def _checks(root: Path | None, db: Path | None, session: str) -> Iterator[Check]:
    from docs_agent.core.embed.check import embedding_facts
    from docs_agent.core.store.check import check_environment

    yield _python()
    try:
        project = open_project(root, db, session, reading=True)
    except DocsAgentError as error:
        yield _failed("configuration", error)
        return
    yield Check("configuration", True, _configuration(project))
    yield from check_environment(project.db)
    yield from embedding_facts()
    yield _index(project)


def _python() -> Check:
    found = ".".join(map(str, sys.version_info[:3]))
    ok = sys.version_info >= _PYTHON
    return Check("python", ok, f"Python {found}", "" if ok else "use Python 3.11 or newer")


def _configuration(project: Project) -> str:
    source = project.config.path or "defaults, no docs-agent.toml"
    return f"{source}; project root {project.root}"


def _index(project: Project) -> Check:
    from docs_agent.core.embed.registry import reading_embedder

    try:
        with reading(project) as (_, reader):
            reading_embedder(reader.session.embedder)
            detail = f"{reader.stats().documents} documents, updated {reader.session.updated_at}"
    except NoIndexError as error:
        # Having no index yet is no fault of the environment.
        return Check("index", True, f"none yet; {error.remedy}")
    except DocsAgentError as error:
        return _failed("index", error)
    return Check("index", True, detail)


def _failed(name: str, error: DocsAgentError) -> Check:
    place = f" ({error.path}{f':{error.line}' if error.line else ''})" if error.path else ""
    return Check(name, False, error.message + place, error.remedy)
