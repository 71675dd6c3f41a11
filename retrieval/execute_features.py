"""What retrieval knows about its own success, as figures the gate decides by."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from docs_agent.retrieval.execute_rows import RankedDocument
from docs_agent.retrieval.execute_terms import Question, Term
from docs_agent.retrieval.rerank import Similarity

NAMES_COUNTED: Final = 2
"""Unknown names of a question beyond these change nothing."""


def features(
    question: Question,
    ranked: Sequence[RankedDocument],
    contained: Mapping[str, frozenset[str]],
    similarity: Similarity | None,
    *,
    vectors: bool,
) -> Mapping[str, float]:
    """Figures of the best document and of the question, each 0.0 to 1.0.

    lexical, dense, encoder: its shares and cosines (`fusion`). coverage: share of the question's
    idf mass on the best page. known: share that the index has at all. unknown_names: 0, 0.5 or 1.0
    for none, one, more names that the index lacks. margin: lead over the second document.
    same_language: 0.0 when the best document is in another language than the question. vectors,
    reranked: 1.0 when these signals took part.
    """
    best = ranked[0].signals if ranked else None
    lead = ranked[0].score - ranked[1].score if len(ranked) > 1 else 0.0
    names = sum(is_unknown_name(term, question) for term in question.terms)
    figures = {
        "lexical": best.lexical if best else 0.0,
        "dense": best.dense if best else 0.0,
        "encoder": best.encoder if best else 0.0,
        "coverage": max((question.covered(stems) for stems in contained.values()), default=0.0),
        "known": question.covered(question.known | frozenset(question.corrections.values())),
        "unknown_names": min(names, NAMES_COUNTED) / NAMES_COUNTED,
        "margin": lead,
        "same_language": float(not (ranked and _is_foreign(ranked[0], question))),
        "vectors": float(vectors),
        "reranked": float(similarity is not None),
    }
    return {name: round(min(1.0, max(0.0, value)), 6) for name, value in figures.items()}


def missing_terms(
    question: Question, contained: Mapping[str, frozenset[str]], paths: Sequence[str]
) -> tuple[str, ...]:
    """Words of the question, as asked, that none of these documents contains in any spelling."""
    there = frozenset().union(*(contained.get(path, frozenset()) for path in paths))
    there |= {s for s, corrected in question.corrections.items() if corrected in there}
    return tuple(
        t.text
        for t in question.terms
        if not there.intersection(t.stems) or is_unknown_name(t, question)
    )


def _is_foreign(document: RankedDocument, question: Question) -> bool:
    language = document.card.lang if document.card else ""
    return bool(language and question.language) and language != question.language


def is_unknown_name(term: Term, question: Question) -> bool:
    """True for a name that the index has neither whole nor in part, nor under a near spelling.

    An identifier (`SessionMiddleware`) must be known as a whole: that its parts are words of the
    index says nothing.
    """
    if not term.named:
        return False
    known = [s for s in term.stems if s in question.known or s in question.corrections]
    return not known or (_is_code(term.text) and term.stems[0] not in known)


def _is_code(text: str) -> bool:
    """An identifier of a program or a path, not a word with a hyphen or an acronym."""
    if not text.isascii() or "-" in text or "'" in text:
        return False
    return "_" in text or text.startswith("/") or (text.isalpha() and _humps(text) > 1)


def _humps(text: str) -> int:
    """Capital letters that begin a part: 2 in `SessionMiddleware`, 1 in `JSONs`."""
    return sum(
        letter.isupper() and (i == 0 or text[i - 1].islower()) for i, letter in enumerate(text)
    )
