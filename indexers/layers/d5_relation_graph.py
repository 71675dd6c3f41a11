"""D5: edges to documents, code and things outside.

Sources, in this order: relation keys of the frontmatter (related_docs, related_code, parent,
calls_api, reads_db, …), `links` as a list (`type` and `target`) or as a map (`called_by: […]`),
and Markdown links between documents. Whether a target exists is only known when all files have been
read: `resolved` stays False here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from docs_agent.core.layers import D5
from docs_agent.core.records import LexicalText, Record
from docs_agent.indexers.layers.building import LayerRecords, place
from docs_agent.indexers.layers.context import DocumentContext
from docs_agent.indexers.layers.inline import reference_in
from docs_agent.indexers.layers.targets import is_external, kind_by_name, looks_like_path, resolve
from docs_agent.indexers.layers.values import text_of, texts_of
from docs_agent.templates.lookup import relation_target_kind

MAX_EDGES: Final = 500
LINKS_TO: Final = "links_to"
_DEFAULT_LINK: Final = "links"


@dataclass(frozen=True, slots=True)
class Edge:
    """One relation as the document states it."""

    relation: str
    target: str
    kind: str
    """`document`, `code` or `external_object`."""
    target_path: str
    """Project path when the target is written as one, else empty."""
    fragment: str
    anchor: str
    line: int
    text: str = ""
    """Words of the link."""


def extract_relations(context: DocumentContext) -> tuple[Record, ...]:
    """One record per distinct edge; a link repeated in the text counts once, where it is first."""
    records = LayerRecords(context, D5, "relation_id")
    seen: set[tuple[str, str]] = set()
    for edge in _edges(context):
        key = (edge.relation, edge.target_path + "#" + edge.fragment if edge.text else edge.target)
        if not edge.target or key in seen:
            continue
        if len(records) >= MAX_EDGES:
            context.warn(
                edge.line,
                "relations-capped",
                f"The document states more than {MAX_EDGES} relations; those from this line on "
                "were left out. Split the document to have all of them.",
            )
            break
        seen.add(key)
        _add(context, records, edge)
    return records.done()


def _add(context: DocumentContext, records: LayerRecords, edge: Edge) -> None:
    content = f"{context.document_id} — {edge.relation}: {edge.target}"
    metadata: dict[str, Any] = {
        "source_id": context.document_id,
        "relation_type": edge.relation,
        "target_id": edge.target,
        "target_kind": edge.kind,
        "anchor": edge.anchor,
        **place(context),
        "resolved": False,
    }
    if edge.target_path:
        metadata["target_path"] = edge.target_path
    if edge.fragment:
        metadata["fragment"] = edge.fragment
    section = context.section_at(edge.line)
    records.add(
        (edge.relation, edge.target),
        title=f"{edge.relation}: {edge.target}",
        content=content,
        span=(edge.line, edge.line),
        metadata=metadata,
        lexical=LexicalText(
            title=context.doc.title,
            section=context.section_path(section),
            path=context.doc.path,
            body=f"{content} {edge.text}".rstrip(),
        ),
    )


def _edges(context: DocumentContext) -> Iterator[Edge]:
    links_key = context.key("links")
    for key, value in context.doc.frontmatter.values.items():
        if key == links_key:
            yield from _link_block(context, key, value)
        elif isinstance(key, str) and relation_target_kind(key):
            yield from _listed(context, key, key, value)
    yield from _markdown_links(context)


def _listed(context: DocumentContext, key: str, relation: str, value: Any) -> Iterator[Edge]:
    line = 0
    for target in dict.fromkeys(texts_of(value)):
        line = context.value_line(key, target, line)
        yield _edge(context, key, relation, target, line)


def _link_block(context: DocumentContext, key: str, value: Any) -> Iterator[Edge]:
    if isinstance(value, Mapping) and not _is_typed(value):
        for relation, targets in value.items():
            yield from _listed(context, key, str(relation), targets)
        return
    items = value if isinstance(value, list | tuple) else (value,)
    line = 0
    for item in items:
        relation, target = _written_link(text_of(item))
        if isinstance(item, Mapping):
            if not _is_typed(item):
                for name, targets in item.items():
                    yield from _listed(context, key, str(name), targets)
                continue
            relation = text_of(item.get("type")) or _DEFAULT_LINK
            target = text_of(item.get("target"))
        if not target:
            if item:
                context.warn(
                    context.key_line(key),
                    "relation-without-target",
                    f"An item of `{key}` has no `target`; it was left out. Write `type` and "
                    "`target`, or a map of relation types to lists.",
                )
            continue
        line = context.value_line(key, target, line)
        yield _edge(context, key, relation, target, line)


def _written_link(text: str) -> tuple[str, str]:
    """`calls_api/api.get` names its relation, `logic.x` does not."""
    head, slash, tail = text.partition("/")
    if slash and tail and relation_target_kind(head):
        return head, tail
    return _DEFAULT_LINK, text


def _is_typed(item: Mapping[Any, Any]) -> bool:
    return "target" in item or "type" in item


def _edge(context: DocumentContext, key: str, relation: str, target: str, line: int) -> Edge:
    kind = relation_target_kind(relation) or "document"
    if "](" in target:
        target = reference_in(target) or target
    path = fragment = ""
    if is_external(target):
        kind = "external_object" if "://" in target else kind
    elif kind == "code" and ("/" in target or looks_like_path(target)):
        # Code is whatever the project holds: a script without extension, a build file.
        path, fragment = _written_path(context, key, target, kind), target.partition("#")[2]
    elif looks_like_path(target):
        kind = kind_by_name(target.partition("#")[0].partition("::")[0]) or kind
        path, fragment = _written_path(context, key, target, kind), target.partition("#")[2]
    return Edge(relation, target, kind, path, fragment, f"frontmatter.{key}", line)


def _written_path(context: DocumentContext, key: str, target: str, kind: str) -> str:
    """Project path of a frontmatter value: code starts at the project root; a document there, at
    the docs root, or (a bare file name) beside the one that names it. `./` and `../` start here."""
    doc = context.doc
    bare = target.partition("::")[0]
    beside = bare.startswith(("./", "../")) or (kind == "document" and "/" not in bare)
    rooted = kind != "document" or doc.docs_root == "." or bare.startswith(f"{doc.docs_root}/")
    if not beside and not rooted:
        bare = f"/{bare.lstrip('/')}"
    path = resolve(bare, doc.path if beside else "", doc.docs_root)
    if path is None:
        context.warn(
            context.key_line(key),
            "path-outside-project",
            f"`{target}` points outside the project; it is kept as a name only. Use a path inside.",
        )
    return path or ""


def _markdown_links(context: DocumentContext) -> Iterator[Edge]:
    doc = context.doc
    for link in doc.links:
        bare, _, fragment = link.target.strip().partition("#")
        if not bare or is_external(bare):
            continue
        kind = kind_by_name(bare.partition("?")[0])
        if not kind:
            continue
        path = resolve(bare, doc.path, doc.docs_root)
        if path is None:
            context.warn(
                link.line,
                "link-outside-project",
                f"The link to `{link.target[:200]}` leaves the project; it was left out of the "
                "relations. Link to a file inside the project or to a URL.",
            )
            continue
        yield Edge(
            LINKS_TO,
            link.target,
            kind,
            path,
            fragment,
            context.anchor_at(link.line),
            link.line,
            link.text or bare,
        )
