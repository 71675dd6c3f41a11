"""Documents, relations and references that mean none, as JSON and as lines."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from docs_agent.cli.lines import Line, columns, plain
from docs_agent.core.visible import readable

if TYPE_CHECKING:
    from docs_agent.retrieval.relations.values import Edge, Node, Unresolved

WIDTH: Final = 80
"""Columns of a terminal; paths are never cut to fit."""
_SHOWN_REF: Final = 60
_SHOWN_CANDIDATES: Final = 20


def node_json(node: Node) -> dict[str, Any]:
    """The four fields of Node."""
    return {
        "path": node.path,
        "title": node.title,
        "document_id": node.document_id,
        "doc_type": node.doc_type,
    }


def edge_json(edge: Edge) -> dict[str, Any]:
    """The fields of Edge; `target` is null when it leads to no document."""
    return {
        "source": edge.source,
        "kind": edge.kind,
        "target": edge.target or None,
        "written": edge.written,
        "target_kind": edge.target_kind,
        "target_path": edge.target_path,
        "resolved": edge.resolved,
        "start_line": edge.start_line,
        "end_line": edge.end_line,
        "anchor": edge.anchor,
        "fragment": edge.fragment,
    }


def unresolved_json(ref: str, found: Unresolved) -> dict[str, Any]:
    """Why a reference means no document, and those it may mean."""
    return {
        "ref": ref,
        "found": False,
        "reason": found.reason,
        "candidates": [{**node_json(c.node), "name": c.name} for c in found.candidates],
    }


def unresolved_lines(ref: str, found: Unresolved) -> list[Line]:
    """One sentence, then the documents with the name each was found by."""
    shown = clip(ref, _SHOWN_REF)
    count = len(found.candidates)
    if found.reason == "ambiguous":
        said = f"{count} documents go by «{shown}». Name one of them by its path:"
    elif count:
        said = f"No document goes by «{shown}». Nearest:"
    else:
        said = f"No document goes by «{shown}», nor by anything like it."
    rows = [
        (c.node.path, c.name if c.name != c.node.path else c.node.title)
        for c in found.candidates[:_SHOWN_CANDIDATES]
    ]
    lines = [plain(said), *map(plain, columns(rows, indent="  "))]
    if count > _SHOWN_CANDIDATES:
        lines.append(more(count - _SHOWN_CANDIDATES, "--json lists them all"))
    return lines


def place(start: int, end: int, path: str = "") -> str:
    """`path:3-5`, `path:3` for one line, `path` alone when there is no line."""
    if start < 1:
        return path
    return f"{path}:{start}" + (f"-{end}" if end > start else "")


def clip(text: str, width: int) -> str:
    """The text on one line, safe for a terminal, cut to so many characters."""
    line = " ".join(readable(text).split())
    return line if len(line) <= width else line[: max(width - 1, 1)].rstrip() + "…"


def more(count: int, how: str, indent: str = "  ") -> Line:
    """The line that says how many items were left out."""
    return ((f"{indent}… and {count} more ({how})", "dim"),)


def heading(text: str) -> list[Line]:
    """An empty line and the name of a group."""
    return [plain(""), ((text, "bold"),)]
