"""A question that names one endpoint of a page of many: what the page says of the others is no
answer to it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from docs_agent.core.layers import D1
from docs_agent.core.rows import Row
from docs_agent.core.store.protocol import RowFilter
from docs_agent.core.text import stems
from docs_agent.retrieval.answers.cards import Card
from docs_agent.retrieval.answers.definitions import Definition, definitions, others_of, within
from docs_agent.retrieval.answers.draft import Part
from docs_agent.retrieval.answers.excerpt import Budget, excerpt
from docs_agent.retrieval.answers.passages import Passage
from docs_agent.retrieval.answers.rendering import quoted
from docs_agent.retrieval.answers.request import Request
from docs_agent.templates.endpoint_forms import METHODS

SECTION: Final = Budget(lines=30, characters=2400)
"""What is told of an endpoint that the question merely names."""
_METHOD = re.compile(rf"\b({'|'.join(METHODS)})\b")


class Named(NamedTuple):
    """The endpoints of a question and what stands on each page of others."""

    wanted: frozenset[str]
    """Paths in lower case; empty for a question that names none."""
    methods: frozenset[str]
    """Methods it names."""
    pages: dict[str, tuple[Definition, ...]]
    """By document: the headings that define what is asked for."""
    cards: dict[str, Row]

    def own(self, passage: Passage) -> Passage:
        """The passage without what is said of other endpoints of its page."""
        meant = self.pages.get(passage.row.path)
        if not meant:
            return passage
        card = self.cards[passage.row.path]
        others = [d for d in others_of(card, meant[0]) if d not in meant]
        whole = Definition("", "heading", passage.row.span_start, passage.row.span_end)
        return within(passage, whole, others) if others else passage


def named(request: Request) -> Named:
    """What the question names and which headings of its evidence define it."""
    wanted = frozenset(p.rstrip("/") or "/" for p in request.route.anchors.endpoint_paths)
    methods = frozenset(_METHOD.findall(request.question))
    if not wanted:
        return Named(wanted, methods, {}, {})
    paths = tuple(e.path for e in request.found.evidence)
    where = RowFilter(layers=(D1,), paths=paths)
    cards = {row.path: row for row in request.reader.rows_of(where, len(paths))} if paths else {}
    pages = {path: _meant(card, wanted, methods) for path, card in cards.items()}
    return Named(wanted, methods, {p: found for p, found in pages.items() if found}, cards)


def whole_section(request: Request, card: Card, about: Named, own: Sequence[Passage]) -> list[Part]:
    """The section of the one endpoint that the question merely names."""
    meant = about.pages.get(card.path, ())
    if len({d.start for d in meant}) != 1 or card.endpoint:
        return []
    title = next((p.title for p in own if p.row.span_start >= meant[0].start), "")
    names = {*card.naming_stems(), *stems(meant[0].endpoint), *stems(title)}
    if request.terms.without(names).items:
        return []
    parts: list[Part] = []
    budget = SECTION
    for passage in own:
        inner = within(passage, meant[0])
        if not inner.statements or budget.spent:
            continue
        told = quoted(inner, inner.statements, request.words)
        if not budget.after(told).spent or not parts:
            short = budget.after(told).spent
            told = excerpt(inner, budget, request.words) if short else told
            budget = budget.after(told)
            parts.extend([told[0].opened(), *told[1:]] if parts and told else told)
    return parts


def _meant(card: Row, wanted: frozenset[str], methods: frozenset[str]) -> tuple[Definition, ...]:
    """Headings of the very endpoint; of those of the named method below its path where there is
    none."""
    headed = [d for d in definitions(card) if d.form == "heading"]
    if methods:
        headed = [d for d in headed if d.endpoint.partition(" ")[0] in methods]
    same = tuple(d for d in headed if _path(d) in wanted)
    if same or not methods:
        return same
    return tuple(d for d in headed if any(_path(d).startswith(f"{path}/") for path in wanted))


def _path(definition: Definition) -> str:
    return definition.endpoint.partition(" ")[2].lower().rstrip("/") or "/"
