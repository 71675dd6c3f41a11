"""`show` and `related` as real processes over a small project; cases in cases/relations.yml."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from command_line import docs_agent, write
from hypothesis import example, given, settings
from hypothesis import strategies as st
from mermaid_grammar import faults
from test_cli_imports import loaded

from docs_agent.cli.render.mermaid import label, mermaid_lines
from docs_agent.cli.render.references import clip
from docs_agent.retrieval.relations.around import Surroundings
from docs_agent.retrieval.relations.sections import section_tree
from docs_agent.retrieval.relations.values import Edge, Neighbour, Node

CASES: dict[str, Any] = yaml.safe_load(
    (Path(__file__).parent / "cases" / "relations.yml").read_text(encoding="utf-8")
)
HEAVY = ("markdown_it", "httpx", "numpy")


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = write(tmp_path_factory.mktemp("shop"), CASES["files"])
    result = docs_agent("index", "--embedder", "none", cwd=root)
    assert result.status == 0, result.err
    return root


@pytest.mark.parametrize("case", CASES["runs"], ids=lambda case: case["name"])
def test_what_a_command_prints(case: dict[str, Any], shop: Path) -> None:
    result = docs_agent(*case["args"], cwd=shop)
    assert result.status == case["status"], result.err
    if "out" in case:
        shown = re.sub(r"\d{4}-\d\d-\d\dT[\d:+]+", "INDEXED", result.out)
        assert [line.rstrip() for line in shown.splitlines()] == case["out"].rstrip().split("\n")
        assert all(len(line) <= 80 for line in shown.splitlines())
    if "json" in case:
        assert case["json"].items() <= result.json.items()
    if "mermaid" in case:
        assert faults(result.out) == []
        assert len(re.findall(r"(?m)^    d\w+\[", result.out)) == case["mermaid"]
    assert case.get("err", "") in result.err
    assert "\x1b" not in result.out + result.err


def test_json_of_a_card_has_every_item_with_lines(shop: Path) -> None:
    card = docs_agent("show", "api.orders", "--json", cwd=shop).json
    text = (shop / card["path"]).read_text(encoding="utf-8").splitlines()
    assert [field["key"] for field in card["metadata"]][:3] == ["id", "title", "doc_type"]
    assert card["state"] == "unchanged"
    for entity in card["entities"]:
        assert entity["name"] in text[entity["start_line"] - 1]
    for edge in card["relations_out"]:
        assert edge["written"] in text[edge["start_line"] - 1]
    for edge in card["relations_in"]:
        assert edge["target"] == card["path"]
        assert (shop / edge["source"]).is_file()
    for group in ("sections", "facts", "workflows", "integrations"):
        assert card[group]
        assert all(1 <= item["start_line"] <= item["end_line"] <= len(text) for item in card[group])
    assert {fact["anchor"] for fact in card["facts"]} >= {"frontmatter.title", "summary"}


def test_json_of_related_names_what_is_missing(shop: Path) -> None:
    found = docs_agent("related", "api.orders", "--json", cwd=shop).json
    assert [(n["path"], n["role"]) for n in found["neighbours"]] == [
        ("docs/README.md", "parent"),
        ("docs/logic/payment.md", "related"),
    ]
    lost = [e["written"] for e in found["edges"] if not e["resolved"]]
    assert lost == ["logic.lost", "db.orders"]


def test_a_card_tells_that_its_file_has_changed_or_is_gone(tmp_path: Path) -> None:
    root = write(tmp_path, {"docs/a.md": "# A\n\nText.\n"})
    assert docs_agent("index", "--embedder", "none", cwd=root).status == 0
    write(root, {"docs/a.md": "# A\n\nOther text.\n"})
    assert docs_agent("show", "A", "--json", cwd=root).json["state"] == "changed"
    (root / "docs/a.md").unlink()
    gone = docs_agent("show", "A", cwd=root)
    assert gone.status == 0
    assert "the file is gone; run docs-agent index" in gone.out


def test_a_card_shows_the_warnings_of_its_file(tmp_path: Path) -> None:
    root = write(tmp_path, {"docs/a.md": "---\nid: a\nid: b\n---\n# A\n\nText.\n"})
    assert docs_agent("index", "--embedder", "none", cwd=root).status == 0
    shown = docs_agent("show", "docs/a.md", cwd=root)
    assert "[frontmatter-duplicate-key]" in shown.out
    assert docs_agent("show", "docs/a.md", "--json", cwd=root).json["warnings"][0]["line"] == 3


def test_a_path_is_taken_from_the_current_folder(shop: Path) -> None:
    for ref in ("payment.md", "./payment.md", "../logic/payment.md", "docs/logic/payment.md"):
        result = docs_agent("show", ref, "--json", cwd=shop / "docs" / "logic")
        assert result.json["path"] == "docs/logic/payment.md"


def test_long_lists_are_bounded_and_all_shows_them(tmp_path: Path) -> None:
    items = "\n".join(f"- FR-{n}: Требование номер {n}. {'Слова ' * 20}" for n in range(30))
    write(tmp_path, {"docs/a.md": f"# A\n\n## Функциональные требования\n\n{items}\n"})
    assert docs_agent("index", "--embedder", "none", cwd=tmp_path).status == 0
    short = docs_agent("show", "A", cwd=tmp_path).out
    assert "FR-9:" in short
    assert "FR-10:" not in short
    assert "and 20 more (--all shows them)" in short
    assert all(len(line) <= 80 for line in short.splitlines())
    whole = docs_agent("show", "A", "--all", cwd=tmp_path).out
    assert "FR-29:" in whole
    assert "…" not in whole


@pytest.mark.parametrize("command", ["show", "related"])
def test_without_an_index_the_command_to_build_it_is_shown(command: str, tmp_path: Path) -> None:
    result = docs_agent(command, "anything", cwd=tmp_path)
    assert result.status == 2
    assert "docs-agent index" in result.err
    assert result.out == ""


@pytest.mark.parametrize("arguments", [("show", "api.orders"), ("related", "/orders")])
def test_a_card_loads_nothing_heavy(arguments: tuple[str, ...], shop: Path) -> None:
    assert loaded(shop, *arguments, heavy=HEAVY) == []


HOSTILE = (
    'say "hi"',
    "a|b]c[d}e{f(g)h>i<j",
    "end",
    "x # y; z #35; &quot;",
    "`**bold**` _x_ `",
    "1. first",
    "- item",
    "line\nbreak\r\ttab",
    "style a fill:#f9f;",
    "%% comment",
    "Заголовок «с кавычками»",
    "日本語 🙂",
    "\x1b[31m\u202e",
    "",
    "<script>alert(1)</script><br>",
)


def drawing(*titles: str) -> str:
    """A start that links to documents of these titles, and to something of each name."""
    start = Node("end", titles[0] if titles else "", "", "")
    others = [Node(f"{n}/{title}", title, "", "") for n, title in enumerate(titles)]
    edges = [
        Edge("end", node.title, node.path, node.path, "document", "", True, 1, 1, "", "")
        for node in others
    ]
    ends = [
        Edge("end", title, "", title, kind, "", resolved, 1, 1, "", "")
        for title in titles
        for kind, resolved in (
            ("code", True),
            ("document", False),
            ("document", True),
            ("external_object", False),
        )
    ]
    near = tuple(Neighbour(n, 1, (e,)) for n, e in zip(others, edges, strict=True))
    return "\n".join(mermaid_lines(Surroundings(start, 1, near, (*edges, *ends))))


@settings(max_examples=200, deadline=None, derandomize=True)
@given(st.lists(st.text(st.characters(codec=None), max_size=40), max_size=4))
@example(list(HOSTILE))
def test_a_flowchart_is_valid_whatever_the_titles(titles: list[str]) -> None:
    assert faults(drawing(*titles)) == []


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Health endpoint", "Health endpoint"),
        ("docs/api/send-message.md", "docs/api/send-message.md"),
        ('a "b"', "a #34;b#34;"),
        ("C# | x;", "C#35; #124; x#59;"),
        ("1. Шаг", "1#46; Шаг"),
        ("- x", "#45; x"),
        ("a\nb", "a b"),
        ("", "#8203;"),
    ],
)
def test_labels_hold_character_codes_for_what_mermaid_reads(text: str, shown: str) -> None:
    assert label(text) == shown


def test_ids_do_not_depend_on_what_else_is_drawn() -> None:
    assert drawing("A").split("\n")[1] in drawing("A", "B").split("\n")


def test_a_clipped_text_is_one_safe_line() -> None:
    assert clip("a\n b\x1b", 80) == "a b\\x1b"
    assert clip("абвгде", 4) == "абв…"


def test_no_sections_are_no_tree() -> None:
    assert section_tree(()) == ()
