"""One API method in full: purpose, contract, scenario, errors, integrations, dependencies.

Each block is quoted from the document with its lines; a block the document does not have is left
out. A method that a heading, a row or an item of a page defines is told by what stands there, in
the order of the page, and by nothing that is said of other methods. Several documents of one
endpoint follow one another under their titles.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from docs_agent.core.evidence import GROUNDED_SUMMARY
from docs_agent.core.layers import D2, D4, D5, D6
from docs_agent.core.records import KnownName
from docs_agent.core.rows import Row
from docs_agent.core.store.protocol import LexicalWeights, Reader, RowFilter
from docs_agent.core.text import normalize, stems
from docs_agent.retrieval.answers.aspects import REQUEST, RESPONSE
from docs_agent.retrieval.answers.cards import card_at, purpose
from docs_agent.retrieval.answers.contract import SECTIONS
from docs_agent.retrieval.answers.definitions import (
    Definition,
    definition_of,
    definitions,
    others_of,
    within,
)
from docs_agent.retrieval.answers.draft import Part, Place
from docs_agent.retrieval.answers.errors import error_lines
from docs_agent.retrieval.answers.integrations import integrations
from docs_agent.retrieval.answers.passages import Passage, passages
from docs_agent.retrieval.answers.quote import Unit
from docs_agent.retrieval.answers.rendering import quoted
from docs_agent.retrieval.answers.scenario import best_workflow, is_use_case, steps
from docs_agent.retrieval.answers.terms import Terms
from docs_agent.retrieval.answers.wording import Wording
from docs_agent.retrieval.answers.wording import wording as quoting
from docs_agent.retrieval.structured.endpoints import (
    Endpoint,
    documents_of,
    endpoints_of,
    places_of,
)
from docs_agent.retrieval.structured.inquiry import Findings, Inquiry
from docs_agent.retrieval.structured.nearest import by_likeness
from docs_agent.retrieval.structured.records import (
    EVERYTHING,
    NEAREST,
    answered,
    cards_of,
    evidence,
    place_of,
    refused,
    said,
    text_of,
    title_of,
    value_of,
)
from docs_agent.templates.lookup import (
    frontmatter_keys,
    name_form,
    relation_target_kind,
    section_role,
)

MAX_DOCUMENTS: Final = 3
"""Documents of one endpoint that are told."""
MAX_STEPS: Final = 20
MAX_BRANCHES: Final = 10
MAX_ERRORS: Final = 20
MAX_DEPENDENCIES: Final = 12
MAX_SECTIONS: Final = 16
"""Sections below the heading of one method."""
MAX_LINES: Final = 60
"""Rows of a table, items of a list, lines of code."""
MAX_LEAD: Final = 400
"""Characters of the text above all methods of a page."""
MAX_RULES: Final = 20
MAX_STATED: Final = 12
_NAVIGATION: Final = frozenset(
    ("related docs", "related documents", "parent", "children", "see also", "links to")
)
"""Relations that lead a reader about and say nothing of what a method depends on."""
_HOUSEKEEPING: Final = """
status owner owners version author authors date created updated reviewed reviewers team lang
language layout nav_order weight slug draft source_of_truth last_updated last_reviewed created_at
updated_at permalink sidebar_label sidebar_position keywords order
"""
"""Keys of the frontmatter that are about the document."""
_RULES: Final = frozenset(
    ("functional_requirements", "non_functional_requirements", "requirements", "constraints")
)
_ERROR_ID = re.compile(r"[A-Za-z][\w.-]{2,80}")
_ACCESS: Final = ("endpoint", "endpoint summary", "эндпоинт")
_METHOD = re.compile(r"\b(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS|TRACE)\b")
_NOTHING_ASKED: Final = Terms(())
_ROWS: Final = 500


class _Method(NamedTuple):
    """One document of the endpoint, read."""

    reader: Reader
    card: Row
    title: str
    passages: tuple[Passage, ...]
    inquiry: Inquiry
    quoting: Wording


_Block = Callable[[_Method], Sequence[Part]]


def explain_api(inquiry: Inquiry) -> Findings:
    """All blocks of the documents that describe the endpoint of the question."""
    known = inquiry.reader.knowledge.endpoints()
    cards = cards_of(inquiry.reader, _candidates(inquiry, known))
    asked = _asked(inquiry, endpoints_of(known, cards))
    methods = _methods(known)
    candidates = documents_of(known, cards, {e.key for e in asked})
    paths = [path for path in candidates if _describes(path, asked, methods)]
    if not paths:
        return _unknown(inquiry, endpoints_of(known, cards_of(inquiry.reader)))
    shown = paths[:MAX_DOCUMENTS]
    head = places_of(inquiry.reader, [asked[0]._replace(document=shown[0])], cards)
    row, place = next(iter(head.values()))
    lead = Part(f"{' / '.join(said(e.written) for e in asked)}: {place.title}", place)
    parts: list[Part] = [lead]
    rows: list[Row] = [row]
    for path in shown:
        method = _method(inquiry, cards, path)
        if path != shown[0]:
            parts.append(Part(f"{method.title}:", place_of(cards[path], method.title), opens=True))
        parts.extend(_defined(method, asked) or _told(method))
        rows.extend(_rows(inquiry, path))
    if len(paths) > len(shown):
        rest = ", ".join(paths[MAX_DOCUMENTS:])
        parts.append(Part(inquiry.words.say("nearest", names=said(rest)), opens=True))
    return answered(evidence(inquiry, rows, cards), parts, "endpoint_found", GROUNDED_SUMMARY)


def _candidates(inquiry: Inquiry, known: Sequence[KnownName]) -> set[str]:
    """Documents that may describe what is asked for: only these are read."""
    anchors = inquiry.anchors
    wanted = {path.lower().rstrip("/") or "/" for path in anchors.endpoint_paths}
    hints = set(anchors.target_doc_hints)
    return {name.path for name in known if name.key in wanted or name.path in hints}


def _methods(known: Sequence[KnownName]) -> Mapping[tuple[str, str], set[str]]:
    """Methods by document and key; an empty one for a path without."""
    found: dict[tuple[str, str], set[str]] = {}
    for name in known:
        method, space, _ = name.value.partition(" ")
        found.setdefault((name.path, name.key), set()).add(method if space else "")
    return found


def _describes(
    path: str,
    asked: Sequence[Endpoint],
    methods: Mapping[tuple[str, str], set[str]],
) -> bool:
    """True for a document that describes one of the endpoints, or its path without a method."""
    for endpoint in asked:
        own = methods.get((path, endpoint.key), set())
        if endpoint.method in own or "" in own or endpoint.document == path:
            return True
    return False


def _asked(inquiry: Inquiry, everything: Sequence[Endpoint]) -> list[Endpoint]:
    """The endpoints of the question; those of the method it names, when it names one."""
    anchors = inquiry.anchors
    wanted = {path.lower().rstrip("/") or "/" for path in anchors.endpoint_paths}
    found = [e for e in everything if e.key in wanted]
    if not found and not wanted:
        own = {e.document for e in everything}
        hint = next((path for path in anchors.target_doc_hints if path in own), "")
        found = [e for e in everything if e.document == hint]
    methods = set(_METHOD.findall(inquiry.route.user_query))
    named = [e for e in found if e.method in methods]
    return named or ([] if methods and wanted and found and _all_known(found) else found)


def _all_known(found: Sequence[Endpoint]) -> bool:
    return all(e.method for e in found)


def _unknown(inquiry: Inquiry, everything: Sequence[Endpoint]) -> Findings:
    words = inquiry.words
    anchors = inquiry.anchors
    if not everything:
        return refused("no_records", words.say("no_methods"), anchors.target_doc_hints)
    wanted = anchors.endpoint_paths[0] if anchors.endpoint_paths else ""
    nearest = by_likeness(wanted, everything, lambda e: e.key)[:NEAREST]
    if wanted:
        methods = _METHOD.findall(inquiry.route.user_query)
        written = f"{methods[0]} {wanted}" if methods else wanted
        message = words.say("no_endpoint", endpoint=words.quote(written))
    else:
        message = words.say("no_endpoint_named", example=said(nearest[0].written))
    written = ", ".join(f"{said(e.written)} ({e.document})" for e in nearest)
    message = f"{message}\n{words.say('nearest', names=written)}"
    return refused("target_doc_missing", message, [e.document for e in nearest])


def _method(inquiry: Inquiry, cards: Mapping[str, Row], path: str) -> _Method:
    title = title_of(cards[path], path)
    found = passages(inquiry.quotes, path, title)
    words = quoting(inquiry.language)
    return _Method(inquiry.reader, cards[path], title, found, inquiry, words)


def _rows(inquiry: Inquiry, path: str) -> tuple[Row, ...]:
    """The records that the blocks are made of."""
    where = RowFilter(layers=(D2, D4, D6), paths=(path,))
    return inquiry.reader.rows_of(where, _ROWS)


def _defined(method: _Method, asked: Sequence[Endpoint]) -> list[Part]:
    """What the page says where it defines the endpoints; nothing for a document whose frontmatter
    says that all of it is about one."""
    if value_of(method.card, "endpoint"):
        return []
    own = [d for e in asked if (d := definition_of(method.card, e.written)) is not None]
    parts = list(_page_lead(method)) if own else []
    for definition in dict.fromkeys(d._replace(endpoint="") for d in own):
        others = others_of(method.card, definition)
        cut = [within(passage, definition, others) for passage in method.passages]
        inner = [passage for passage in cut if passage.statements]
        for position, passage in enumerate(inner[:MAX_SECTIONS]):
            parts.extend(_quoted(passage, definition, method, further=position > 0))
        if len(inner) > MAX_SECTIONS:
            note = method.quoting.more_items.format(count=len(inner) - MAX_SECTIONS)
            parts.append(Part(note, opens=True))
    return parts


def _quoted(
    passage: Passage, definition: Definition, method: _Method, *, further: bool
) -> list[Part]:
    """A section of a method; its heading is said unless it is the method itself."""
    told = list(quoted(passage, passage.statements, method.quoting, MAX_LINES))
    if definition.form == "heading":
        told = list(_without_title(passage, told))
        if further:
            told.insert(0, Part(f"{said(passage.title)}:"))
    return [told[0].opened(), *told[1:]] if told else []


def _page_lead(method: _Method) -> Sequence[Part]:
    """A short text above all methods: the base address, the header that every request needs."""
    first = method.passages[0] if method.passages else None
    if first is None or not first.is_page:
        return ()
    own = [s for s in first.statements if first.blocks[s.block].kind == "paragraph"]
    if not own or sum(len(s.unit.text) for s in own) > MAX_LEAD:
        return ()
    headed = min((d.start for d in definitions(method.card)), default=0)
    return quoted(first, own, method.quoting) if own[-1].unit.end < headed else ()


def _told(method: _Method) -> list[Part]:
    parts: list[Part] = []
    line = purpose(card_at(method.card, method.inquiry.quotes))
    if line is not None:
        parts.append(line)
    for label, block in BLOCKS:
        told = list(block(method))
        if told:
            parts.append(Part(f"{method.inquiry.words.say(label)}:", opens=True))
            parts.extend([told[0]._replace(opens=False), *told[1:]])
    return parts


def _section(method: _Method, names: Sequence[str]) -> Sequence[Part]:
    for passage in method.passages:
        if name_form(passage.title) in names and passage.statements:
            return _without_title(
                passage, quoted(passage, passage.statements, method.quoting, MAX_LINES)
            )
    return ()


def _without_title(passage: Passage, parts: Sequence[Part]) -> Sequence[Part]:
    """Our label already says what the heading says."""
    title = normalize(passage.title).strip(" :")
    return [p for p in parts if normalize(p.text).strip(" :") != title]


def _access(method: _Method) -> Sequence[Part]:
    """The endpoint's own section, then what the frontmatter states of it besides."""
    told = _section(method, _ACCESS)
    labels = {_label(part) for part in told}
    return [*told, *(part for part in _stated(method) if _label(part) not in labels)]


def _label(part: Part) -> str:
    """First word of what a line is about: `Timeout: 2000 ms` says what `timeout_ms: 2000` does."""
    return name_form(part.text.strip(" -").partition(":")[0]).partition(" ")[0]


def _stated(method: _Method) -> list[Part]:
    """Facts of the frontmatter that are about the method (`auth`, `timeout_ms`), not about the
    document or where it stands."""
    where = RowFilter(layers=(D2,), paths=(method.card.path,))
    parts: list[Part] = []
    for row in method.reader.rows_of(where, EVERYTHING):
        anchor = str(row.metadata.get("anchor", ""))
        key = anchor.removeprefix("frontmatter.")
        own = row.metadata.get("subject_id") == _id_of(method)
        if key == anchor or not own or name_form(key) in _about_document():
            continue
        if not relation_target_kind(key):
            predicate, value = (said(row.metadata.get(k, "")) for k in ("predicate", "object"))
            parts.append(Part(f"  - {predicate}: {value}", place_of(row, method.title)))
    return parts[:MAX_STATED]


def _id_of(method: _Method) -> str:
    return text_of(method.card, "id") or method.card.path


@lru_cache(maxsize=1)
def _about_document() -> frozenset[str]:
    return frozenset(name_form(name) for name in (*frontmatter_keys(), *_HOUSEKEEPING.split()))


def _request(method: _Method) -> Sequence[Part]:
    return _section(method, (*dict(SECTIONS)[REQUEST], "inputs", "input", "входные данные", "вход"))


def _response(method: _Method) -> Sequence[Part]:
    return _section(
        method, (*dict(SECTIONS)[RESPONSE], "outputs", "output", "выходные данные", "выход")
    )


def _contract(method: _Method) -> Sequence[Part]:
    """A contract told in one section of its own."""
    if _request(method) or _response(method):
        return ()
    for passage in method.passages:
        own = section_role(passage.title) == "contract" and name_form(passage.title) not in _ACCESS
        if own and passage.statements:
            return _without_title(
                passage, quoted(passage, passage.statements, method.quoting, MAX_LINES)
            )
    return ()


def _flow(method: _Method, field: str, limit: int) -> Sequence[Part]:
    where = RowFilter(layers=(D4,), paths=(method.card.path,))
    rows = method.reader.rows_of(where, _ROWS)
    row = best_workflow([r for r in rows if is_use_case(r)] or rows, _NOTHING_ASKED)
    if row is None:
        return ()
    return steps(row, field, method.passages, method.title, method.quoting, limit)


def _scenario(method: _Method) -> Sequence[Part]:
    return _flow(method, "main_flow", MAX_STEPS)


def _alternatives(method: _Method) -> Sequence[Part]:
    return _flow(method, "alternative_flow", MAX_BRANCHES)


def _rules(method: _Method) -> Sequence[Part]:
    """Functional and other requirements, as the document lists them."""
    told: list[Part] = []
    for passage in method.passages:
        roles = {section_role(title) for title in passage.section.split(" › ")}
        if not roles.isdisjoint(_RULES):
            own = quoted(passage, passage.statements, method.quoting, MAX_RULES)
            told.extend(_without_title(passage, own) if section_role(passage.title) else own)
    left = len(told) - MAX_RULES
    note = [Part("  " + method.quoting.more_items.format(count=left))] if left > 0 else []
    return [*told[:MAX_RULES], *note]


def _errors(method: _Method) -> Sequence[Part]:
    told = error_lines(method.passages, _NOTHING_ASKED, method.quoting, MAX_ERRORS)
    return told or [Part(f"  - {u.text.partition(':')[2].strip()}", p) for u, p in _summed(method)]


def _summed(method: _Method) -> list[tuple[Unit, Place]]:
    """Lines of the summary that tell the errors: `Main errors: 404 …`."""
    card = card_at(method.card, method.inquiry.quotes)
    return [
        (unit, card.place(unit))
        for unit in card.summary
        if section_role(unit.text.partition(":")[0]) == "errors" and ":" in unit.text
    ]


def _error_catalogue(method: _Method) -> Sequence[Part]:
    """What catalogues state of the errors of this document and the document itself does not."""
    own = _own_errors(method)
    known = {normalize(row.metadata.get("predicate", "")) for rows in own.values() for row in rows}
    parts: list[Part] = []
    for name in list(own)[:MAX_ERRORS]:
        facts = [f for f in _facts_on(method, name) if _predicate(f) not in known]
        by_path: dict[str, list[Row]] = {}
        for fact in facts:
            by_path.setdefault(fact.path, []).append(fact)
        for path, rows in list(by_path.items())[:1]:
            told = ", ".join(
                f"{said(r.metadata.get('predicate', ''))} {said(r.metadata.get('object', ''))}"
                for r in rows
            )
            card = cards_of(method.reader, [path]).get(path)
            place = place_of(rows[0], title_of(card, path))
            parts.append(Part(f"  - {said(name)}: {told}, {path}", place))
    return parts


def _own_errors(method: _Method) -> dict[str, list[Row]]:
    """Facts of the document's own errors table by error."""
    told = [p for p in method.passages if p.role in ("errors", "error_handling")]
    errors = [p.row for p in told]
    where = RowFilter(layers=(D2,), paths=(method.card.path,))
    found: dict[str, list[Row]] = {}
    for row in method.reader.rows_of(where, EVERYTHING):
        if any(e.span_start <= row.span_start <= e.span_end for e in errors):
            found.setdefault(str(row.metadata.get("subject_id", "")), []).append(row)
    found.pop(_id_of(method), None)
    listed = [s.unit for p in told for s in p.statements if not s.unit.cells]
    for unit in (*listed, *(unit for unit, _ in _summed(method))):
        for name in unit.text.split("`")[1::2]:
            if _ERROR_ID.fullmatch(name):
                found.setdefault(name, [])
    return found


def _facts_on(method: _Method, name: str) -> list[Row]:
    """Facts on an error outside of the documents of API methods."""
    where = RowFilter(layers=(D2,))
    weights = LexicalWeights()
    hits = method.reader.lexical(D2, stems(name)[:1], where, weights, 50)
    rows = [
        row
        for row in method.reader.rows([hit.row_id for hit in hits])
        if row.metadata.get("subject_id") == name and row.path != method.card.path
    ]
    cards = cards_of(method.reader, {row.path for row in rows})
    kept = [row for row in rows if text_of(cards.get(row.path), "type") != "api_method"]
    return sorted(kept, key=lambda row: (row.path, row.span_start, row.row_id))


def _predicate(row: Row) -> str:
    return normalize(str(row.metadata.get("predicate", "")))


def _integrations(method: _Method) -> Sequence[Part]:
    return integrations(
        method.reader, method.card.path, method.title, _NOTHING_ASKED, method.quoting
    )


def _dependencies(method: _Method) -> Sequence[Part]:
    """Relations that say what the method calls, uses or is used by."""
    where = RowFilter(layers=(D5,), paths=(method.card.path,))
    rows = [row for row in method.reader.rows_of(where, _ROWS) if _is_dependency(row)]
    rows = rows[:MAX_DEPENDENCIES]
    cards = cards_of(method.reader, {_target(row) for row in rows} - {""})
    parts: list[Part] = []
    for row in rows:
        kind, path = said(row.metadata.get("relation_type", "")), _target(row)
        label = said(row.metadata.get("target_id", ""))
        if path in cards:
            label = f"{title_of(cards[path], path)}, {path}"
        parts.append(Part(f"  - {kind}: {label}", place_of(row, method.title)))
    return parts


def _is_dependency(row: Row) -> bool:
    kind = name_form(str(row.metadata.get("relation_type", "")))
    return kind not in _NAVIGATION and row.metadata.get("target_kind") != "code"


def _target(row: Row) -> str:
    """The document that a relation leads to; empty when it leads to none."""
    return str(row.metadata.get("target_document") or "")


BLOCKS: Final[tuple[tuple[str, _Block], ...]] = (
    ("access", _access),
    ("contract", _contract),
    ("request", _request),
    ("response", _response),
    ("scenario", _scenario),
    ("alternatives", _alternatives),
    ("rules", _rules),
    ("errors", _errors),
    ("error_catalogue", _error_catalogue),
    ("integrations", _integrations),
    ("dependencies", _dependencies),
)
"""Label and reader of each block, in the order of the answer."""
