"""The words a search should use (seed 004, `target_terms.py`)."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from docs_agent.router.endpoints import Endpoints
from docs_agent.router.names import Names
from docs_agent.router.names_meant import Lexicon
from docs_agent.router.question import Question, Word

MAX_TERMS = 7
_MIN_LENGTH = 3
"""Characters; shorter only as an endpoint or alias."""


def target_terms(
    question: Question,
    endpoints: Endpoints,
    names: Names,
    informative: Collection[int],
    lexicon: Lexicon,
) -> tuple[str, ...]:
    """At most 7 terms, lower case, none twice: endpoints, identifiers, aliases, domain terms.

    `informative` are the positions of words that are no question, intent, filler, marker or generic
    words.
    When there are more domain terms than places, the rarer ones of the index are kept.
    """
    named = endpoints.positions | names.document_positions
    usable = [
        (i, question.words[i])
        for i in sorted(informative)
        if "/" not in question.words[i].form and len(question.words[i].form) >= _MIN_LENGTH
    ]
    identifiers = [w.form for i, w in usable if w.is_identifier and i not in endpoints.positions]
    aliases = [name.value.lower() for name in names.documents]
    first = dict.fromkeys((*endpoints.paths, *identifiers, *aliases))
    domain = [word for i, word in usable if i not in named and word.form not in first]
    return (*first, *_chosen(domain, MAX_TERMS - len(first), lexicon))[:MAX_TERMS]


def _chosen(words: list[Word], places: int, lexicon: Lexicon) -> Iterator[str]:
    """As many distinct words as there are places, in order of appearance."""
    forms = {word.form: word for word in words}
    ranked = sorted(forms, key=lambda form: lexicon.of(forms[form]) or lexicon.documents + 1)
    kept = set(ranked[: max(places, 0)])
    return (form for form in forms if form in kept)
