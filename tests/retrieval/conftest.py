"""A small bilingual project, indexed once by the real pipeline, and the way of a question."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from shutil import copytree

import pytest

from docs_agent.core.config import Config
from docs_agent.core.embed.none import NoEmbedder
from docs_agent.core.embed.protocol import Embedder, Encoder
from docs_agent.core.embed.registry import make_embedder
from docs_agent.core.embed.use import UseEncoder
from docs_agent.core.evidence import EvidenceSet, GateDecision
from docs_agent.core.plans import FilterValue, RetrievalPlan
from docs_agent.core.router_config import RouterConfig
from docs_agent.core.routes import RouteResult
from docs_agent.core.store.protocol import Reader, Store
from docs_agent.core.store.sqlite import open_store
from docs_agent.core.text import language_of
from docs_agent.indexers.run import run_index
from docs_agent.indexers.run_report import IndexRequest
from docs_agent.retrieval.evidence import assemble
from docs_agent.retrieval.execute import Execution, execute
from docs_agent.retrieval.gate import check
from docs_agent.retrieval.policy import resolve
from docs_agent.router.route import route

NOTIFY = Path(__file__).parent / "cases" / "notify"


class Silent:
    def start(self, total: int) -> None: ...

    def advance(self, path: str, records: int) -> None: ...

    def finish(self) -> None: ...


@dataclass(frozen=True)
class Found:
    """Everything one question leads to."""

    route: RouteResult
    plan: RetrievalPlan
    execution: Execution
    evidence: EvidenceSet
    gate: GateDecision


@dataclass(frozen=True)
class Project:
    """An indexed folder, open for reading."""

    store: Store
    reader: Reader
    embedder: Embedder
    encoder: Encoder | None

    def ask(self, question: str, **filters: FilterValue) -> Found:
        """The whole way of a question; filters replace those of the plan."""
        taken = route(question, self.reader.knowledge, RouterConfig())
        plan = resolve(taken)
        plan = replace(plan, filters={**plan.filters, **filters})
        return self.carry_out(taken, plan)

    def carry_out(self, taken: RouteResult, plan: RetrievalPlan) -> Found:
        done = execute(plan, taken, self.reader, self.embedder, self.encoder)
        evidence = assemble(done, taken, plan)
        language = language_of(taken.user_query) or "en"
        return Found(taken, plan, done, evidence, check(evidence, taken, plan, language))


def index(root: Path, db: Path, embedder: Embedder, *folders: str) -> Store:
    store = open_store(db, create=True)
    request = IndexRequest(root=root, db=db, config=Config(), paths=folders)
    run_index(request, store, embedder, Silent())
    return store


@pytest.fixture(scope="session")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> Encoder:
    return UseEncoder(tmp_path_factory.mktemp("models"))


@pytest.fixture(scope="session")
def notify_root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return copytree(NOTIFY, tmp_path_factory.mktemp("project") / "notify")


@pytest.fixture(scope="session")
def notify(
    notify_root: Path, encoder: Encoder, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Project]:
    """The small project with all signals."""
    embedder = make_embedder()
    store = index(notify_root, tmp_path_factory.mktemp("db") / "index.db", embedder)
    with store.read("default") as reader:
        yield Project(store, reader, embedder, encoder)


@pytest.fixture(scope="session")
def by_words(notify_root: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Project]:
    """The same project without vectors."""
    embedder = NoEmbedder()
    store = index(notify_root, tmp_path_factory.mktemp("words") / "index.db", embedder)
    with store.read("default") as reader:
        yield Project(store, reader, embedder, None)


@pytest.fixture
def build(tmp_path: Path) -> Iterator[Callable[..., Project]]:
    """Makes a project without vectors of {path: text} and its docs roots."""
    with ExitStack() as stack:

        def made(files: dict[str, str], *folders: str) -> Project:
            for path, text in files.items():
                place = tmp_path / "project" / path
                place.parent.mkdir(parents=True, exist_ok=True)
                place.write_text(text, encoding="utf-8")
            store = index(tmp_path / "project", tmp_path / "index.db", NoEmbedder(), *folders)
            return Project(store, stack.enter_context(store.read("default")), NoEmbedder(), None)

        yield made
