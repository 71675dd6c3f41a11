"""A second, independent reading of the part of Mermaid's flowchart language that `related` writes.

Written from its grammar (flow.jison): what is not a line of one of these forms is a fault, and
so is a keyword as an id, an edge from or to something that is not drawn, and a character that the
language reads inside a label.
"""

from __future__ import annotations

import re

KEYWORDS = {"end", "graph", "flowchart", "subgraph", "style", "class", "click", "default", "o", "x"}
_ID = r"[A-Za-z][A-Za-z0-9]*"
_TEXT = r'"([^"]*)"'
_NODE = re.compile(
    rf"    ({_ID})(?:\[{_TEXT}\]|\[\[{_TEXT}\]\]|\(\[{_TEXT}\]\)|\[/{_TEXT}/\])", re.ASCII
)
_EDGE = re.compile(rf"    ({_ID}) (-->|-\.->)\|{_TEXT}\| ({_ID})", re.ASCII)
_STYLE = re.compile(rf"    style ({_ID}) (stroke-width:\d+px|stroke-dasharray:\d+)", re.ASCII)
_CODE = re.compile(r"#\d+;")
_READ = re.compile(r"[\"#;`|\[\]{}<>()%\\&:*~$@^=!?\x00-\x1f\x7f-\x9f]")
_LIST = re.compile(r"(?:\d+[.)]|[-+*]) ")


def faults(text: str) -> list[str]:
    """What is wrong with a flowchart; nothing for a valid one."""
    first, *lines = text.rstrip("\n").split("\n")
    found = [] if first == "flowchart LR" else [f"header: {first!r}"]
    drawn: set[str] = set()
    for line in lines:
        node, edge, style = _NODE.fullmatch(line), _EDGE.fullmatch(line), _STYLE.fullmatch(line)
        if node:
            found += [f"drawn twice: {line!r}"] if node[1] in drawn else []
            drawn.add(node[1])
            found += _in_label(next(t for t in node.groups()[1:] if t is not None))
        elif edge:
            found += [f"not drawn: {line!r}"] if not {edge[1], edge[4]} <= drawn else []
            found += _in_label(edge[3])
        elif style:
            found += [f"not drawn: {line!r}"] if style[1] not in drawn else []
        else:
            found.append(f"no statement: {line!r}")
    return found + [f"keyword: {name}" for name in drawn & KEYWORDS]


def _in_label(label: str) -> list[str]:
    parts = label.split("<br>")
    bare = [_CODE.sub("", part) for part in parts]
    return [
        f"label: {label!r}"
        for part, rest in zip(parts, bare, strict=True)
        if not part or _READ.search(rest) or _LIST.match(part) or len(parts) > 2
    ]
