"""The relation graph, walked from either end, and references to its documents."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from docs_agent.core.config import Config
from docs_agent.core.embed.none import NoEmbedder
from docs_agent.core.store.protocol import Reader
from docs_agent.core.store.sqlite import open_store
from docs_agent.indexers.run import run_index
from docs_agent.indexers.run_report import IndexRequest, NoProgress
from docs_agent.retrieval.relations import (
    Edge,
    Graph,
    Node,
    Resolved,
    Unresolved,
    graph_of,
    resolve_reference,
)
from docs_agent.retrieval.relations.around import surroundings
from docs_agent.retrieval.relations.reference import MAX_NEAREST

CASES = Path(__file__).parent / "cases" / "relations"
GRAPH: dict[str, Any] = yaml.safe_load((CASES / "graph.yml").read_text(encoding="utf-8"))
REFERENCES: dict[str, Any] = yaml.safe_load((CASES / "references.yml").read_text(encoding="utf-8"))
CONFIGURED = {"the loop": "logic.delivery_loop"}


def write(root: Path, files: Mapping[str, str]) -> None:
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")


def opened(root: Path) -> Iterator[Reader]:
    store = open_store(root / "index.db", create=True)
    run_index(
        IndexRequest(root=root, db=root / "index.db", config=Config()),
        store,
        NoEmbedder(),
        NoProgress(),
    )
    with store.read("default") as reader:
        yield reader
    store.close()


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Reader]:
    root = tmp_path_factory.mktemp("graph")
    write(root, GRAPH["files"])
    yield from opened(root)


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Reader]:
    root = tmp_path_factory.mktemp("references")
    write(root, REFERENCES["files"])
    yield from opened(root)


@pytest.mark.parametrize("path", GRAPH["documents"])
def test_relations_of_a_document(path: str, pages: Reader) -> None:
    expected, graph = GRAPH["documents"][path], graph_of(pages)
    assert [n.path for n in graph.parents(path)] == expected["parents"]
    assert [n.path for n in graph.children(path)] == expected["children"]
    if "out" in expected:
        stated = [[e.kind, e.target, e.resolved, e.start_line] for e in graph.outgoing(path)]
        assert stated == expected["out"]
    near = {n.node.path: n for n in graph.neighbours(path, 2)}
    for other, (distance, direction, kinds) in expected.get("near", {}).items():
        found = near[other]
        assert [found.distance, found.direction, sorted(found.kinds)] == [
            distance,
            direction,
            sorted(kinds),
        ]
    if "near" in expected and not expected["near"]:
        assert near == {}


def test_every_edge_is_seen_from_both_ends(pages: Reader) -> None:
    graph = graph_of(pages)
    paths = [file.path for file in pages.files()]
    out = {edge for path in paths for edge in graph.outgoing(path) if edge.target}
    back = {edge for path in paths for edge in graph.incoming(path)}
    assert out == back


def test_an_unknown_document_has_no_relations(pages: Reader) -> None:
    graph = graph_of(pages)
    assert graph.node("docs/none.md") is None
    assert graph.neighbours("docs/none.md", 3) == ()
    assert graph.parents("%") == graph.children("%") == ()


def test_what_lies_around_is_every_edge_of_the_inner_documents_once(pages: Reader) -> None:
    graph = graph_of(pages)
    start = graph.node("docs/a.md")
    assert start is not None
    around = surroundings(graph, start, 1)
    assert set(around.edges) == {*graph.outgoing("docs/a.md"), *graph.incoming("docs/a.md")}
    assert len(set(around.edges)) == len(around.edges)


@pytest.mark.parametrize("removed", ["docs/b.md"])
def test_a_document_that_goes_leaves_its_relations_unresolved(removed: str, tmp_path: Path) -> None:
    write(tmp_path, GRAPH["files"])
    for _ in opened(tmp_path):
        pass
    (tmp_path / removed).unlink()
    for reader in opened(tmp_path):
        graph = graph_of(reader)
        assert removed not in {n.node.path for n in graph.neighbours("docs/a.md", 3)}
        lost = [e for e in graph.outgoing("docs/a.md") if e.written == "b"]
        assert [(e.target, e.resolved) for e in lost] == [("", False)]


class MemoryEdges:
    """A graph given by its edges."""

    def __init__(self, size: int, pairs: Collection[tuple[int, int]]) -> None:
        self.paths = [f"{n}.md" for n in range(size)]
        self.edges = [edge(f"{a}.md", f"{b}.md", i) for i, (a, b) in enumerate(pairs)]
        self.asked: list[str] = []

    def nodes(self, paths: Collection[str]) -> Mapping[str, Node]:
        return {p: Node(p, p, "", "") for p in paths if p in self.paths}

    def stated(self, paths: Collection[str]) -> Iterable[Edge]:
        self.asked.extend(paths)
        return [e for e in self.edges if e.source in paths]

    def leading(self, paths: Collection[str]) -> Iterable[Edge]:
        return [e for e in self.edges if e.target in paths]


def edge(source: str, target: str, line: int) -> Edge:
    return Edge(source, "k", target, target, "document", target, True, line + 1, line + 1, "", "")


def distances(edges: list[Edge], start: str) -> dict[str, int]:
    """Breadth first over the undirected graph, the plain way."""
    found, queue = {start: 0}, deque([start])
    while queue:
        at = queue.popleft()
        for e in edges:
            for one, other in ((e.source, e.target), (e.target, e.source)):
                if one == at and other not in found:
                    found[other] = found[at] + 1
                    queue.append(other)
    return found


@settings(max_examples=200, deadline=None, derandomize=True)
@given(
    st.integers(1, 9).flatmap(
        lambda size: st.tuples(
            st.just(size),
            st.lists(st.tuples(st.integers(0, size - 1), st.integers(0, size - 1)), max_size=25),
        )
    ),
    st.integers(-1, 12),
)
def test_neighbours_are_complete_without_repeats_and_end(
    made: tuple[int, list[tuple[int, int]]], depth: int
) -> None:
    source = MemoryEdges(*made)
    graph = Graph(source)
    found = graph.neighbours("0.md", depth)
    expected = {p: d for p, d in distances(source.edges, "0.md").items() if 0 < d <= depth}
    assert {n.node.path: n.distance for n in found} == expected
    assert len(found) == len(expected)
    assert [n.distance for n in found] == sorted(n.distance for n in found)
    near = {"0.md": 0, **{n.node.path: n.distance for n in found}}
    for n in found:
        ends = [{e.source, e.target} - {n.node.path} for e in n.edges]
        assert n.edges
        assert all(near[other] == n.distance - 1 for (other,) in ends)
        wanted = [
            e
            for e in source.edges
            if n.node.path in (e.source, e.target)
            and near.get(({e.source, e.target} - {n.node.path} or {""}).pop()) == n.distance - 1
        ]
        assert set(n.edges) == set(wanted)
    assert len(source.asked) == len(set(source.asked))


@pytest.mark.parametrize("case", REFERENCES["cases"], ids=lambda case: repr(case["ref"]))
def test_what_a_reference_means(case: dict[str, Any], shop: Reader) -> None:
    ref = case["ref"].replace("{root}", shop.session.root)
    found = resolve_reference(ref, shop, here=case.get("here", ""), aliases=CONFIGURED)
    if "is" in case:
        assert isinstance(found, Resolved), found
        assert [found.matched, found.node.path] == case["is"]
        return
    assert isinstance(found, Unresolved), found
    paths = [candidate.node.path for candidate in found.candidates]
    if "ambiguous" in case:
        assert found.reason == "ambiguous"
        assert sorted(paths) == case["ambiguous"]
    else:
        assert found.reason == "unknown"
        assert (paths or [""])[0] == case["nearest"]


def test_a_path_outside_the_root_is_never_looked_at(shop: Reader) -> None:
    for ref in ("/etc/passwd", "C:/windows/system.ini", "\\\\host\\share\\a.md", "a\0b", "\udcff"):
        assert isinstance(resolve_reference(ref, shop), Unresolved)


@settings(max_examples=150, deadline=None, derandomize=True)
@given(
    text=st.text(st.characters(codec=None), max_size=60)
    | st.text("/.%_*'\"#:-\\ {}ab", max_size=30)
)
def test_any_text_gets_an_answer(text: str, shop: Reader) -> None:
    found = resolve_reference(text, shop)
    known = {file.path for file in shop.files()}
    if isinstance(found, Resolved):
        assert found.node.path in known
    else:
        paths = [candidate.node.path for candidate in found.candidates]
        assert set(paths) <= known
        assert len(paths) == len(set(paths))
        assert found.reason == "ambiguous" or len(paths) <= MAX_NEAREST


def test_a_huge_reference_is_answered_at_once(shop: Reader) -> None:
    assert isinstance(resolve_reference("a/" * 500_000, shop), Unresolved)


def test_links_to_a_title_that_several_have_lead_to_the_first_by_path(
    build: Callable[..., Any],
) -> None:
    project = build(
        {
            "docs/z.md": "# Same\n",
            "docs/b.md": "# Same\n",
            "docs/a.md": "---\nrelated_docs: [Same]\n---\n# A\n",
        }
    )
    (stated,) = graph_of(project.reader).outgoing("docs/a.md")
    assert (stated.target, stated.resolved) == ("docs/b.md", True)
