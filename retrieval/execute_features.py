"""What retrieval knows about its own success, as figures the gate decides by."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Final, NamedTuple

from docs_agent.core.routes import RouteAnchors
from docs_agent.core.text import stems, stop_stems
from docs_agent.retrieval.answers.aspects import aspect_stems
from docs_agent.retrieval.execute_concepts import same_concept
from docs_agent.retrieval.execute_coverage import MAX_LOOKUPS
from docs_agent.retrieval.execute_rows import RankedDocument
from docs_agent.retrieval.execute_terms import (
    CORRECTED_WEIGHT,
    Question,
    Term,
    is_version,
    weak_stems,
)
from docs_agent.retrieval.fusion import DocumentSignals
from docs_agent.retrieval.rerank import Reranked, is_foreign

_KINDS: Final = """
api method endpoint call http service server client entity
метод ручка эндпоинт вызов сервис сервер клиент сущность
"""
"""What a named thing may be called beside its name."""
_PROPERTY: Final = re.compile(
    r"\s*(?:what(?:'s| is| are| was| were) the ([\w-]+) (?:of|for)"
    r"|как(?:ой|ая|ое|ие|ов|ова|ово|овы) ([\w-]+) (?:у|для|при|за|на|в)) ",
    re.IGNORECASE,
)
"""A question for one property of something; the property is its first or second group."""
_ASPECTS: Final = """
status code purpose example contract auth timeout retry
статус код назначение пример контракт авторизация таймаут повтор
"""
"""What is told of any method or process and the aspects of answers do not list."""
_METHODS: Final = frozenset(stems("get head post put patch delete options"))
"""Of HTTP: part of an endpoint's name."""
NAMES_COUNTED: Final = 2
"""Unknown names of a question beyond these change nothing."""


class Missing(NamedTuple):
    """Words of a question, as asked, that are not where they should be."""

    nowhere: tuple[str, ...]
    """In no record of the index, in any spelling."""
    apart: tuple[str, ...]
    """Somewhere in the index, but not in the best document."""


def features(
    question: Question,
    ranked: Sequence[RankedDocument],
    contained: Mapping[str, frozenset[str]],
    reranked: Reranked | None,
    anchors: RouteAnchors,
    *,
    vectors: bool,
) -> Mapping[str, float]:
    """Figures of the question and, by `of_document`, of the best document, each 0.0 to 1.0.

    known: share of the question's idf mass that the index has at all. margin: lead over the second
    document. property_unknown: 1.0, else left out, when the question asks for one property ("the
    price of …") that the index has in no word. vectors, reranked: 1.0 when these signals took part.
    """
    figures = {
        "known": question.covered(question.known | frozenset(question.corrections.values())),
        "margin": _lead(ranked),
        "vectors": float(vectors),
        "reranked": float(reranked is not None),
    }
    if _lacks_property(question, contained):
        figures["property_unknown"] = 1.0
    best = ranked[0] if ranked else RankedDocument("", DocumentSignals())
    return {**_within(figures), **of_document(question, best, contained, anchors)}


def _lead(ranked: Sequence[RankedDocument]) -> float:
    """Lead of the first document over the second; over nothing when it is alone."""
    scores = [document.score for document in ranked[:2]] + [0.0, 0.0]
    return scores[0] - scores[1]


def _lacks_property(question: Question, contained: Mapping[str, frozenset[str]]) -> bool:
    asked = _PROPERTY.match(question.text)
    if asked is None:
        return False
    word = asked[1] or asked[2]
    there = frozenset().union(*contained.values()) | question.known | aspects()
    there |= frozenset(question.corrections)
    return any(t.text == word and there.isdisjoint(t.stems) for t in question.told)


def of_document(
    question: Question,
    document: RankedDocument,
    contained: Mapping[str, frozenset[str]],
    anchors: RouteAnchors,
) -> Mapping[str, float]:
    """Figures of one document, each 0.0 to 1.0.

    lexical, dense, encoder, nearness: its shares and cosines (`fusion`). coverage: share of the
    question's idf mass on its page. asked: share of what is asked about a named document
    (`asked_about`). unknown_names: 0, 0.5 or 1.0 for none, one, more names that the index lacks, or
    across languages the page. same_language: 0.0 when it is in another language than the question.
    """
    there = contained.get(document.path, frozenset())
    foreign = _is_foreign(document, question)
    called = naming_stems(anchors) if anchors.target_doc_hints else frozenset()
    names = sum(
        _is_missing_name(term, question, there if foreign else None)
        and not called.issuperset(term.stems)
        for term in question.told
    )
    return _within(
        {
            "lexical": document.signals.lexical,
            "dense": document.signals.dense,
            "encoder": document.signals.encoder,
            "nearness": document.signals.nearness,
            "coverage": question.covered(there),
            "asked": asked_about(question, there, anchors),
            "unknown_names": min(names, NAMES_COUNTED) / NAMES_COUNTED,
            "same_language": float(not foreign),
        }
    )


def _within(figures: Mapping[str, float]) -> dict[str, float]:
    return {name: round(min(1.0, max(0.0, value)), 6) for name, value in figures.items()}


def asked_about(question: Question, there: frozenset[str], anchors: RouteAnchors) -> float:
    """Share of the weight of what a question asks about the thing it names, found on a page.

    Left out are the names of the thing and words of asking. What a description of anything of its
    kind tells (errors, parameters, timeout) counts as found: that there is none is an answer too.
    1.0 when nothing is left.
    """
    ignored = naming_stems(anchors) | _kind_stems()
    if anchors.endpoint_paths:
        ignored |= _METHODS
    asked = [t for t in question.told if not ignored.intersection(t.stems)]
    weights = {t: max(question.idf.get(s, 0.0) for s in t.stems) for t in asked}
    total = sum(weights.values())
    met = sum(weight * _met(t, question, there | aspects()) for t, weight in weights.items())
    return met / total if total else 1.0


def _met(term: Term, question: Question, there: frozenset[str]) -> float:
    if not there.isdisjoint(term.stems):
        return 1.0
    corrected = {question.corrections.get(s) for s in term.stems}
    return 0.0 if there.isdisjoint(corrected - {None}) else CORRECTED_WEIGHT


def naming_stems(anchors: RouteAnchors) -> frozenset[str]:
    """Stems of the names by which the question calls documents and entities."""
    names = (
        *anchors.endpoint_paths,
        *anchors.file_names,
        *anchors.matched_aliases,
        *anchors.entity_names,
    )
    return frozenset(stems(" ".join(names)))


@cache
def aspects() -> frozenset[str]:
    """Stems of what is told of any method or process, with their synonyms."""
    named = aspect_stems() | frozenset(stems(_ASPECTS))
    return named.union(*(same_concept(stem) for stem in named))


@cache
def _kind_stems() -> frozenset[str]:
    return frozenset(stems(_KINDS))


def missing_terms(
    question: Question,
    contained: Mapping[str, frozenset[str]],
    paths: Sequence[str],
    anchors: RouteAnchors,
    filed: frozenset[str] = frozenset(),
) -> Missing:
    """Which words of the question are not found, and where.

    paths: the evidence, best first. filed: stems that only the records of frontmatter have.
    """
    asked_of = paths[:1] if anchors.target_doc_hints else paths
    pages = frozenset().union(*(contained.get(path, frozenset()) for path in asked_of))
    corrected = {s for s, meant in question.corrections.items() if meant in pages}
    called = naming_stems(anchors) if anchors.target_doc_hints else frozenset()
    if anchors.endpoint_paths:
        called |= _METHODS
    told = [t for t in question.told if not called.intersection(t.stems) and not _is_asking(t)]
    somewhere = question.known | filed | corrected
    nowhere = [
        t for t in told if somewhere.isdisjoint(t.stems) or is_unknown_name(t, question, filed)
    ]
    first = contained.get(paths[0], frozenset()) if paths else None
    apart = [
        t
        for t in told
        # Of the words of a long question only the rarest ones have been looked for on the pages.
        if first is not None
        and len(question.idf) <= MAX_LOOKUPS
        and t not in nowhere
        and (first | filed | corrected).isdisjoint(t.stems)
    ]
    return Missing(tuple(t.text for t in nowhere), tuple(t.text for t in apart))


def _is_asking(term: Term) -> bool:
    return (stop_stems() | weak_stems()).issuperset(term.stems)


def _is_foreign(document: RankedDocument, question: Question) -> bool:
    return is_foreign(document.card.lang if document.card else "", question)


def _is_missing_name(term: Term, question: Question, page: frozenset[str] | None) -> bool:
    """True for a name that the index lacks; or the page, when its language is another.

    Across languages names in Latin letters are the words that can be compared, and Cyrillic ones
    cannot.
    """
    if page is None:
        return is_unknown_name(term, question)
    if not term.named or not term.text.isascii():
        return False
    return is_unknown_name(term, question) or not _met(term, question, page)


def is_unknown_name(term: Term, question: Question, filed: frozenset[str] = frozenset()) -> bool:
    """True for a name that the index has neither whole nor in part, nor under a near spelling.

    An identifier (`SessionMiddleware`) must be known as a whole: that its parts are words of the
    index says nothing. filed: stems that are known besides.
    """
    if not term.named:
        return False
    had = question.known | filed
    known = [s for s in term.stems if s in had or s in question.corrections]
    # `WidgetV2030` is not `WidgetV2029`: the number is what tells them apart.
    number_lacks = any(s.isdigit() and len(s) > 1 and s not in known for s in term.stems)
    return not known or number_lacks or (_is_code(term.text) and term.stems[0] not in known)


def _is_code(text: str) -> bool:
    """An identifier of a program or a path, not a word with a hyphen or an acronym."""
    if not text.isascii() or "-" in text or "'" in text:
        return False
    if is_version(text):
        return True
    return "_" in text or text.startswith("/") or (text.isalpha() and _humps(text) > 1)


def _humps(text: str) -> int:
    """Capital letters that begin a part: 2 in `SessionMiddleware`, 1 in `JSONs`."""
    return sum(
        letter.isupper() and (i == 0 or text[i - 1].islower()) for i, letter in enumerate(text)
    )
