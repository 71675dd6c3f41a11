"""The surroundings of a document as a Mermaid flowchart.

Labels are hostile input: a title may hold quotes, brackets or a word of Mermaid's language. So a
label is always quoted, and all but letters, digits and some harmless marks stand in it as character
codes (`#35;`). Ids are hashes: a document keeps its id in every drawing, and none is a keyword.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from hashlib import sha256
from typing import Final

from docs_agent.retrieval.relations.around import Surroundings, end_of
from docs_agent.retrieval.relations.values import Edge

_MAX_LABEL: Final = 80
"""Characters of a title, path or target."""
_PLAIN: Final = frozenset(" ,/")
_NO_MARKUP: Final = re.compile(r"(?<=[^\W_])[._-](?=[^\W_])")
"""Marks that are only text inside a word; at its edges they are Markdown for a list or emphasis."""
_LIST_NUMBER: Final = re.compile(r"\d+[.]")
_SHAPES: Final = {"code": '[["{}"]]', "file": '[/"{}"/]', "external": '(["{}"])'}


def mermaid_lines(around: Surroundings) -> Iterator[str]:
    """The flowchart, line by line: documents, other ends, edges, styles."""
    yield "flowchart LR"
    documents = (around.start, *(n.node for n in around.neighbours))
    for node in documents:
        yield f'    {_id("d", node.path)}["{label(node.title)}<br>{label(node.path)}"]'
    drawn = {node.path for node in documents}
    kinds: dict[tuple[str, str, str], list[str]] = {}
    ends: dict[str, str] = {}
    missing: list[str] = []
    for edge in around.edges:
        end = end_of(edge)
        inside = edge.target != edge.source and {edge.source, edge.target} <= drawn
        if edge.source not in drawn or (end is None and not inside):
            continue
        target = (
            _id("d", edge.target) if end is None else _id(end[0], edge.target_path or edge.written)
        )
        if end is not None and target not in ends:
            ends[target] = _SHAPES.get(end, '["{}"]').format(label(edge.written))
            missing += [target] * (end == "unresolved")
        kinds.setdefault((_id("d", edge.source), _arrow(edge), target), []).append(edge.kind)
    yield from (f"    {target}{shape}" for target, shape in ends.items())
    for (source, arrow, target), names in kinds.items():
        yield f'    {source} {arrow}|"{label(", ".join(dict.fromkeys(names)))}"| {target}'
    yield f"    style {_id('d', around.start.path)} stroke-width:3px"
    yield from (f"    style {target} stroke-dasharray:4" for target in missing)


def label(text: str) -> str:
    """The text as the inside of a quoted label; never empty."""
    line = " ".join(text.split())
    if len(line) > _MAX_LABEL:
        line = line[: _MAX_LABEL - 1].rstrip() + "…"
    within = {match.start() for match in _NO_MARKUP.finditer(line)}
    if number := _LIST_NUMBER.match(line):
        within.discard(number.end() - 1)
    shown = (
        char if char.isalnum() or char in _PLAIN or at in within else f"#{ord(char)};"
        for at, char in enumerate(line)
        if char.isprintable()
    )
    return "".join(shown).strip() or "#8203;"


def _arrow(edge: Edge) -> str:
    return "-.->" if end_of(edge) == "unresolved" else "-->"


def _id(prefix: str, name: str) -> str:
    digest = sha256(name.encode("utf-8", "surrogatepass")).hexdigest()
    return f"{prefix}{digest[:12]}"
