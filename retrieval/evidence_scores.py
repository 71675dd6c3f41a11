"""The score of a document as evidence, broken down by what earned it.

Retrieval's own score is the `semantic` part and dominates; what else a document gains is bounded
so that it breaks near ties, except for a document that the question names.
"""

from __future__ import annotations

import re
from typing import Final

from docs_agent.core.routes import GENERAL_QA, RouteResult
from docs_agent.core.rows import Row
from docs_agent.core.text import name_key, stems
from docs_agent.retrieval.execute_rows import RankedDocument
from docs_agent.retrieval.execute_terms import Question
from docs_agent.router.signals import (
    API_ENDPOINT,
    ARCHITECTURE,
    DOMAIN_ENTITY,
    LOGIC_FLOW,
    anchor_signal_types,
)

SCALE: Final = 1000
"""Points for a fused score of 1.0."""
TARGET: Final = 1000
ALIAS: Final = 120
ANCHOR: Final = 40
PATH: Final = 10
PATH_MAX: Final = 20
FILENAME: Final = 20
FILENAME_MAX: Final = 40
SPECIFIC: Final = 20
DEFINES: Final = 80
"""For a document whose name is what a definition is asked of, glossary items and entities first."""
NAMED: Final = 60
"""The same for any other document."""
GENERIC: Final = -60

GENERIC_KINDS: Final = frozenset({"readme", "index", "changelog"})
"""Kinds of documents (by path) that are about everything."""
GENERIC_TYPES: Final = frozenset(
    {"overview", "index", "index_page", "navigation", "catalog", "readme"}
)
"""Frontmatter types that are about everything."""
DEFINING_KINDS: Final = frozenset({"glossary", "entity"})
"""Kinds of documents that say what something is."""
_ASKS_DEFINITION: Final = re.compile(
    r"\s*(?:what(?:'s| is| are| does)|define|что (?:такое|значит|означает)|кто так(?:ой|ая|ие))\b",
    re.IGNORECASE,
)
SIGNAL_KINDS: Final = {
    API_ENDPOINT: frozenset({"api"}),
    ARCHITECTURE: frozenset({"architecture"}),
    LOGIC_FLOW: frozenset({"logic"}),
    DOMAIN_ENTITY: frozenset({"entity"}),
}


def breakdown(
    document: RankedDocument, question: Question, route: RouteResult, rows: tuple[Row, ...]
) -> dict[str, int]:
    """Points by cause, in the order of the seed; their sum is the score."""
    signals = document.signals
    *folders, name = document.path.split("/")
    asked = frozenset(question.idf) | frozenset(question.corrections.values())
    in_folders = asked.intersection(stems(" ".join(folders)))
    in_name = asked.intersection(stems(name.rpartition(".")[0] or name))
    generic = is_generic(document)
    defines = _definition(document, question, rows)
    penalised = generic and not defines and route.intent != GENERAL_QA
    return {
        "semantic": round(SCALE * signals.retrieved),
        "path_match": min(PATH_MAX, PATH * len(in_folders)),
        "filename_match": min(FILENAME_MAX, FILENAME * len(in_name)),
        "alias_match": ALIAS if _has_alias(document, route, rows) else 0,
        "anchor_boost": _anchor_boost(document, route, rows),
        "target_doc_boost": round(TARGET * signals.seed),
        "specificity_boost": max(0 if generic else SPECIFIC, defines),
        "generic_penalty": GENERIC if penalised else 0,
    }


def _definition(document: RankedDocument, question: Question, rows: tuple[Row, ...]) -> int:
    """Points of a document named what a question wants defined ("what is X", "что такое X")."""
    asked = _ASKS_DEFINITION.match(question.text)
    wanted = frozenset(s for t in question.told for s in t.stems)
    if not asked or not wanted or document.card is None:
        return 0
    titles = [document.card.title, *_aliases(document.card)]
    if document.card.metadata.get("doc_kind") in DEFINING_KINDS:
        titles += [row.title for row in rows]
        return DEFINES if any(wanted.issubset(stems(title)) for title in titles) else 0
    named = (set(stems(title)) for title in titles)
    # "Kite" names it better than "Installing Kite" does.
    return round(NAMED * max((len(wanted) / len(n) for n in named if wanted <= n), default=0.0))


def is_generic(document: RankedDocument) -> bool:
    """True for a document about everything, by its kind or type, never by a part of its name."""
    if document.card is None:
        return False
    metadata = document.card.metadata
    kind = str(metadata.get("doc_kind", ""))
    written = str(metadata.get("type", "")).lower()
    return kind in GENERIC_KINDS or written in GENERIC_TYPES


def _has_alias(document: RankedDocument, route: RouteResult, rows: tuple[Row, ...]) -> bool:
    aliases = {name_key(alias) for alias in route.anchors.matched_aliases} - {""}
    if not aliases:
        return False
    card = document.card
    names = [document.path.rpartition("/")[2].rpartition(".")[0], *(row.title for row in rows)]
    if card is not None:
        names += [card.title, *_aliases(card)]
    return not aliases.isdisjoint(name_key(name) for name in names)


def _aliases(card: Row) -> list[str]:
    written = card.metadata.get("aliases")
    return [str(a) for a in written] if isinstance(written, (list, tuple)) else []


def _anchor_boost(document: RankedDocument, route: RouteResult, rows: tuple[Row, ...]) -> int:
    """Points for each kind of anchor that the document answers to."""
    anchors = route.anchors
    kind = str(document.card.metadata.get("doc_kind", "")) if document.card else ""
    signals = anchor_signal_types(route)
    gained = ANCHOR * sum(kind in SIGNAL_KINDS.get(signal, ()) for signal in signals)
    texts = [row.content.lower() for row in rows]
    for endpoint in anchors.endpoint_paths:
        gained += ANCHOR * any(endpoint in text for text in texts)
    names = {name_key(row.title) for row in rows}
    gained += ANCHOR * any(name_key(entity) in names for entity in anchors.entity_names)
    return gained
