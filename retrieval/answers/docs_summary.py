"""Explaining one thing: what it is, then what was asked.

A document of the document model opens with its purpose. A question that only names it gets the
scenario and the errors, or the facts of the summary; a question for a detail gets the statements
that speak of it. A document that follows no model gives the sections that answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from docs_agent.core.text import normalize, stems
from docs_agent.retrieval.answers import aspects, kinds
from docs_agent.retrieval.answers.cards import Card, card_of, lead, purpose, summary_facts
from docs_agent.retrieval.answers.contract import contract
from docs_agent.retrieval.answers.definition import definition
from docs_agent.retrieval.answers.direct import direct, named_first
from docs_agent.retrieval.answers.draft import Part
from docs_agent.retrieval.answers.errors import error_lines
from docs_agent.retrieval.answers.excerpt import Budget, excerpt
from docs_agent.retrieval.answers.facts import facts
from docs_agent.retrieval.answers.instructions import continuation, preferred
from docs_agent.retrieval.answers.integrations import integrations
from docs_agent.retrieval.answers.keys import stated, tabled
from docs_agent.retrieval.answers.named_endpoint import Named, named, whole_section
from docs_agent.retrieval.answers.passages import Passage, compared, passages, ranked
from docs_agent.retrieval.answers.procedures import procedure, without_summary
from docs_agent.retrieval.answers.quantities import quantity_of
from docs_agent.retrieval.answers.request import Request
from docs_agent.retrieval.answers.roles import own_first
from docs_agent.retrieval.answers.scenario import (
    MAX_BRANCHES,
    MAX_STEPS,
    best_workflow,
    is_use_case,
    steps,
    workflows,
)
from docs_agent.retrieval.answers.terms import Terms, fillers

DETAIL: Final = Budget(lines=13, characters=1300)
"""What the statements that answer may take."""
NAME_WEIGHT: Final = 0.25
"""What a word that names the document counts inside the document."""
SAID: Final = 0.4
"""Share of the question that a single fact must say, its heading included, to be the answer."""
SAID_UNASKED: Final = 0.75
"""The same when the question does not ask for a fact in so many words."""
PASSAGES: Final = 3
RELATIVE_SCORE: Final = 0.6
"""Share of the best passage's score that a further passage needs."""
RELATIVE_SCORE_ELSEWHERE: Final = 0.72
"""The same for a passage of another document than the best one's."""
RELATIVE_SCORE_MODELLED: Final = 0.85
"""The same where each section holds single facts and the next one is about something else."""
_REPEATABLE: Final = 12
"""Characters of a statement that may be said twice ("Yes.")."""
_ROOT: Final = 5
"""Letters by which a verb and its noun are told to be one word ("expires", "expiration")."""
_SIDE_ROLES: Final = (
    "summary",
    "alternative_flow",
    "alternative_flows",
    "errors",
    "error_handling",
)
SUMMARY_FACTS: Final = 6
CLEAR: Final = 0.85
"""Share of the first document's score below which another document is not quoted."""
HALF: Final = 0.5
"""Share of the question's words from which words are trusted as much as meaning."""
OTHER_DOCUMENT: Final = (0.25, 0.1, 0.0)
"""What the rank of its document adds to a passage, besides its lead over the last one."""


def docs_summary(request: Request) -> tuple[Part, ...]:
    """Composes the explanation from the evidence's documents."""
    if not request.found.evidence:
        return ()
    request = named_first(request)
    first = request.found.evidence[0]
    card = card_of(first, request.quotes)
    asked = request.terms.without(card.naming_stems())
    aspect = aspects.aspect_of(stems(request.question)) if card.modelled else ""
    about = named(request)
    own = _read(request, card.path, card.title, about)
    section = whole_section(request, card, about, own)
    if section:
        return tuple(section)
    opening = _opening(card, asked, own)
    keys = stated(request.reader, card, own, request.question, request.terms)
    keys = keys or tabled(request.quotes, own, request.question, request.words)
    if keys:
        return (*opening, *_opened(keys)) if opening else keys
    told = direct(request, own, asked, _said(card, opening), DETAIL) if card.modelled else ()
    told = _opened(told)
    if not told and aspect:
        told = _aspect(request, card, aspect, asked)
    if not told and kinds.asks_definition(request.question) and (asked.items or not card.modelled):
        meant = _definition(request)
        if meant:
            return meant
    if not told and not asked.items:
        told = _explanation(request, card)
    if not told:
        told = details(request, card, _said(card, opening))
        told = _opened(told) if opening else told
    return (*opening, *told)


def details(request: Request, card: Card, said: Sequence[str] = ()) -> tuple[Part, ...]:
    """The statements of the evidence that answer, best passages first, without those in `said`.

    A document of the model (`card`) is made of single facts: where some say enough, they alone are
    quoted, and words that merely name it count little.
    """
    names = card.naming_stems() if card.modelled else frozenset()
    terms = request.terms
    if terms.without(names).items:
        terms = terms.weakened(names, NAME_WEIGHT)
    best = _unsaid(_best_passages(request, terms), said)
    if not card.modelled:
        best = preferred(best, quantity=aspects.asks_quantity(request.question))
    if card.modelled:
        best = own_first(best, card.path, request.terms.without(names))
        if kinds.asks_way(request.question) and not aspects.asks_quantity(request.question):
            best = without_summary(best)
            told = procedure(best, card.path, terms, request.words)
            if told:
                return told
        ruled = _with_rule(best, terms)
        if ruled[:1] == best[:1]:
            told = _facts(request, best, terms)
            if told:
                return told
    return _sections(request, best, terms, modelled=card.modelled)


def _sections(
    request: Request, best: Sequence[Passage], terms: Terms, *, modelled: bool
) -> tuple[Part, ...]:
    """The best passages, each cut to what answers; a page of no model goes on from the trouble to
    the way out."""
    here = RELATIVE_SCORE_MODELLED if modelled else RELATIVE_SCORE
    elsewhere = max(here, RELATIVE_SCORE_ELSEWHERE)
    parts: list[Part] = []
    budget = DETAIL
    told_of: list[int] = []
    for position, passage in enumerate(_with_rule(best, terms)[:PASSAGES]):
        relative = here if passage.row.path == best[0].row.path else elsewhere
        if passage.row.row_id in told_of:
            continue
        if position and passage.score < relative * best[0].score:
            continue
        if budget.spent:
            break
        share = budget if not position else Budget(min(budget.lines, 5), budget.characters // 2)
        told = excerpt(passage, share, request.words)
        budget = budget.after(told)
        parts.extend(_opened(told) if position else told)
        further = None if position or modelled else continuation(passage, told, best, request.words)
        if further is not None:
            budget = budget.after(further[1])
            parts.extend(_opened(further[1]))
            told_of.append(further[0].row.row_id)
    return _headed_once(parts)


def _headed_once(parts: Sequence[Part]) -> tuple[Part, ...]:
    """The parts without the second heading of a section that is quoted in two pieces."""
    kept: list[Part] = []
    heading = ""
    for part in parts:
        if part.place is None and part.text == heading:
            continue
        if part.place is None and not part.text.startswith(" "):
            heading = part.text
        kept.append(part)
    return tuple(kept)


def _read(request: Request, path: str, title: str, about: Named) -> tuple[Passage, ...]:
    """The passages of a document, without what it says of endpoints that are not asked for."""
    cut = (about.own(passage) for passage in passages(request.quotes, path, title))
    return tuple(passage for passage in cut if passage.statements or not about.wanted)


def _definition(request: Request) -> tuple[Part, ...]:
    about = named(request)
    found = [
        passage
        for e in request.found.evidence
        for passage in _read(request, e.path, e.title, about)
    ]
    return definition(found, request.terms, request.words)


def _facts(request: Request, best: Sequence[Passage], terms: Terms) -> tuple[Part, ...]:
    asks = aspects.asks_quantity(request.question)
    quantity = quantity_of(request.question) if asks else None
    least = SAID if aspects.asks_fact(request.question) else SAID_UNASKED
    return facts(best, terms, request.words, least=least, quantity=quantity)


def _best_passages(request: Request, terms: Terms) -> list[Passage]:
    found: list[Passage] = []
    about = named(request)
    documents = request.found.evidence
    scores = {e.path: e.score_breakdown.get("semantic", e.score) for e in documents}
    near = [e for e in documents if scores[e.path] >= CLEAR * scores[documents[0].path]]
    least = min(scores[e.path] for e in near)
    sure = _known(request)
    for rank, evidence in enumerate(near):
        read = _read(request, evidence.path, evidence.title, about)
        own = ranked(read, terms, evidence.rows, sure)
        lead = (scores[evidence.path] - least) / max(*scores.values(), 1)
        bonus = OTHER_DOCUMENT[min(rank, len(OTHER_DOCUMENT) - 1)] + lead
        found.extend(passage.raised(bonus)._replace(bonus=bonus) for passage in own)
    gain = kinds.preference(request.question)
    first = documents[0].path
    found = [p.raised(gain(p.title)) if p.row.path == first else p for p in found]
    found.sort(key=lambda passage: -passage.score)
    if request.meaning is not None:
        found = list(compared(found, request.question, request.meaning, request.reader))
    return _speaking(found)


def _known(request: Request) -> float:
    """How far words can be trusted: 1.0 when the documents know half of the words of the question,
    near 0.0 when they are in another language."""
    words = frozenset(stems(request.question)) - fillers()
    return min(1.0, len(request.terms.items) / (len(words) * HALF)) if words else 1.0


def _unsaid(found: Sequence[Passage], said: Sequence[str]) -> list[Passage]:
    """The passages without statements that were said, alone or after a label, and without those
    that a better passage says too."""
    known = [normalize(text) for text in said]
    seen: set[str] = set()
    kept: list[Passage] = []
    for passage in found:
        statements = []
        for s in passage.statements:
            text = normalize(s.unit.text)
            if text in seen or any(text.endswith(one) or one.endswith(text) for one in known):
                continue
            if len(text) > _REPEATABLE:
                seen.add(text)
            statements.append(s)
        if statements:
            kept.append(passage._replace(statements=tuple(statements)))
    return kept


def _with_rule(found: Sequence[Passage], terms: Terms) -> list[Passage]:
    """Exceptions never without their rule: the section before them comes first, unless the question
    itself names what is exceptional."""
    if not found or not kinds.is_exceptional(found[0].title):
        return list(found)
    rule = _rule_of(found[0], found)
    if rule is None or _names_exception(found[0], rule, terms):
        return list(found)
    rule = rule.raised(max(0.0, found[0].score - rule.score))
    return [rule, *(p for p in found if p.row.row_id != rule.row.row_id)]


def _rule_of(exception: Passage, found: Sequence[Passage]) -> Passage | None:
    """The section under the same heading, before the exceptions, that says how it goes normally."""
    above = exception.section.rpartition(" › ")[0]
    before = [
        p
        for p in found
        if p.row.path == exception.row.path
        and p.row.span_start < exception.row.span_start
        and p.section.rpartition(" › ")[0] in (above, f"{above} › {p.section.rpartition(' › ')[0]}")
        and p.role not in _SIDE_ROLES
        and not kinds.is_exceptional(p.title)
    ]
    return max(before, key=lambda p: p.row.span_start, default=None)


def _names_exception(exception: Passage, rule: Passage, terms: Terms) -> bool:
    said = frozenset().union(*(s.found for s in exception.statements))
    general = frozenset().union(*(s.found for s in rule.statements)) | {
        *stems(rule.document_title),
        *stems(rule.title),
    }
    known = {stem[:_ROOT] for stem in general}
    return any(t.stem in said and t.stem[:_ROOT] not in known for t in terms.items)


def _speaking(found: Sequence[Passage]) -> list[Passage]:
    """Without the lines under a title that say nothing of the question ("Date: 2024-01-09") where
    other passages do."""
    said = [max((s.words for s in p.statements), default=0.0) for p in found]
    if not any(said):
        return list(found)
    return [p for p, words in zip(found, said, strict=True) if words or not p.is_page]


def _opening(card: Card, asked: Terms, own: Sequence[Passage]) -> tuple[Part, ...]:
    """What the document is in one line; without a model only a line that opens several sections."""
    line = lead(card)
    if line is None or (not card.modelled and (asked.items or len(own) < 2)):
        return ()
    opens = next((s.unit.start for p in own for s in p.statements), 0)
    if not card.modelled and line.place is not None and line.place.start > opens:
        return ()
    return (line,)


def _said(card: Card, opening: Sequence[Part]) -> list[str]:
    """The opening as the document writes it, without the title that we put before it."""
    told = purpose(card) if opening else None
    return [told.text] if told is not None else []


def _aspect(request: Request, card: Card, aspect: str, asked: Terms) -> tuple[Part, ...]:
    words = request.words
    wanted = asked.without(aspects.aspect_stems() | aspects.carrying_stems())
    if aspect == aspects.INTEGRATIONS:
        return _opened(integrations(request.reader, card.path, card.title, wanted, words))
    found = passages(request.quotes, card.path, card.title)
    if aspect == aspects.ERRORS:
        return _opened(error_lines(found, wanted, words))
    if aspect in (aspects.REQUEST, aspects.RESPONSE):
        return _opened(contract(found, aspect, wanted, words))
    row = best_workflow(workflows(request.reader, card.path), request.terms)
    if row is None:
        return ()
    field = "main_flow" if aspect == aspects.STEPS else "alternative_flow"
    return _opened(steps(row, field, found, card.title, words, MAX_STEPS))


def _explanation(request: Request, card: Card) -> tuple[Part, ...]:
    if not card.modelled:
        return ()
    words = request.words
    found = passages(request.quotes, card.path, card.title)
    how = kinds.asks_how(request.question)
    told = [row for row in workflows(request.reader, card.path) if how or is_use_case(row)]
    row = best_workflow(told, request.terms)
    if row is None:
        return _opened(summary_facts(card, SUMMARY_FACTS))
    main = steps(row, "main_flow", found, card.title, words, MAX_STEPS)
    errors = error_lines(found, Terms(()), words, MAX_BRANCHES)
    other = errors or steps(row, "alternative_flow", found, card.title, words, MAX_BRANCHES)
    label = words.errors if errors else words.alternatives
    tail = (Part(f"{label}:", opens=True), *other) if other else ()
    return (*_opened(main), *tail)


def _opened(parts: Sequence[Part]) -> tuple[Part, ...]:
    """The parts with an empty line before the first."""
    if not parts:
        return ()
    return (parts[0].opened(), *parts[1:])
