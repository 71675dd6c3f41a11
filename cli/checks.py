"""All that `doctor` looks at, in the order it is shown."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from docs_agent.cli.project import Project, open_project, reading
from docs_agent.core.checks import Check
from docs_agent.core.errors import DocsAgentError, NoIndexError

if TYPE_CHECKING:
    from docs_agent.core.store.protocol import Reader

_PYTHON = (3, 11)


def all_checks(root: Path | None, db: Path | None, session: str) -> tuple[Check, ...]:
    """Every check; nothing is changed and nothing is raised."""
    return tuple(_checks(root, db, session))


def _checks(root: Path | None, db: Path | None, session: str) -> Iterator[Check]:
    from docs_agent.core.embed.check import embedding_facts
    from docs_agent.core.embed.check_kinds import embedder_facts
    from docs_agent.core.llm.check import language_model_fact
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
    yield from embedder_facts(
        project.config.embedder, os.environ, project.config.index.embedder, _built(project)
    )
    yield language_model_fact(project.config.llm, os.environ)
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
    from docs_agent.indexers.discover import discover

    try:
        with reading(project) as (_, reader):
            reading_embedder(reader.session.embedder, project.config.embedder, os.environ)
            documents = reader.stats().documents
            detail = f"{documents} documents, updated {reader.session.updated_at}"
            found = discover(
                project.root, (), project.config, reader.session.docs_roots, _paths(reader)
            )
            lost = _lost_aliases(project, reader)
    except NoIndexError as error:
        # Having no index yet is no fault of the environment.
        return Check("index", True, f"none yet; {error.remedy}")
    except DocsAgentError as error:
        return _failed("index", error)
    if not documents and found.files:
        detail = f"holds no documents, although there are {len(found.files)}, such as "
        return Check("index", False, detail + found.files[0].path, "run docs-agent index")
    if lost:
        detail = "; ".join(f"the alias `{alias}` leads to {target}" for alias, target in lost)
        remedy = f"correct router.aliases in {project.config.path}, or index the document"
        return Check("index", False, f"{detail}, no indexed document", remedy)
    return Check("index", True, detail)


def _built(project: Project) -> str:
    """Fingerprint of the index as it is; empty without one."""
    try:
        with reading(project) as (_, reader):
            return reader.session.embedder
    except DocsAgentError:
        # The check of the index tells it.
        return ""


def _paths(reader: Reader) -> frozenset[str]:
    return frozenset(file.path for file in reader.files())


def _lost_aliases(project: Project, reader: Reader) -> tuple[tuple[str, str], ...]:
    from docs_agent.core.text import name_key
    from docs_agent.indexers.run_relations import lost_aliases

    aliases = project.config.router.aliases
    if not aliases:
        return ()
    names = reader.knowledge.names({name_key(target) for target in aliases.values()})
    ids = {name.value for name in names if name.kind == "document_id"}
    return lost_aliases(aliases, _paths(reader), ids)


def _failed(name: str, error: DocsAgentError) -> Check:
    place = f" ({error.path}{f':{error.line}' if error.line else ''})" if error.path else ""
    return Check(name, False, error.message + place, error.remedy)
