"""What was learnt of a file as JSON values and back."""

from __future__ import annotations

from typing import Any

from docs_agent.lint.contract import ContractFacts, EndpointFact, ErrorFact, IntegrationFact
from docs_agent.lint.facts import Facts, HeadingFact, KeyFact, LinkFact, Ref, TextFact
from docs_agent.lint.finding import Edit, Fix, Place, Span
from docs_agent.lint.one import Looked
from docs_agent.lint.rule import Hit
from docs_agent.lint.suppressions import Suppression


def to_json(looked: Looked) -> list[Any]:
    """Lists, texts and numbers; named tuples are lists to JSON already."""
    return [
        [[code, _hit_to_json(hit)] for code, hit in looked.hits],
        looked.facts,
        [[s.codes, s.first, s.last, s.span] for s in looked.suppressions],
    ]


def from_json(value: Any) -> Looked:
    """The same back. Raises TypeError, ValueError or IndexError for anything else."""
    hits, facts, suppressions = value
    return Looked(
        tuple((code, _hit(hit)) for code, hit in hits),
        _facts(facts) if facts else None,
        tuple(Suppression(tuple(c), f, last, Span(*s)) for c, f, last, s in suppressions),
    )


def _hit_to_json(hit: Hit) -> list[Any]:
    fix = hit.fix
    edits = [[edit.span, edit.text] for edit in fix.edits] if fix else []
    related = [[place.path, place.span, place.message] for place in hit.related]
    return [hit.span, hit.message, [fix.message, edits, fix.safe] if fix else None, related]


def _hit(value: Any) -> Hit:
    span, message, fix, related = value
    return Hit(
        Span(*span),
        message,
        Fix(fix[0], tuple(Edit(Span(*s), text) for s, text in fix[1]), fix[2]) if fix else None,
        tuple(Place(path, Span(*s), words) for path, s, words in related),
    )


def _facts(value: Any) -> Facts:
    path, root, title, modelled, state, body = value[:6]
    keys, refs, headings, anchors, links, texts, contract = value[6:]
    return Facts(
        path,
        root,
        title,
        modelled,
        state,
        body,
        keys=tuple(KeyFact(name, text, Span(*s)) for name, text, s in keys),
        refs=tuple(Ref(key, text, Span(*s)) for key, text, s in refs),
        headings=tuple(HeadingFact(*heading) for heading in headings),
        html_anchors=tuple(anchors),
        links=tuple(LinkFact(kind, target, Span(*s), image) for kind, target, s, image in links),
        texts=tuple(TextFact(digest, Span(*s), words) for digest, s, words in texts),
        contract=_contract(contract),
    )


def _contract(value: Any) -> ContractFacts:
    endpoints, errors, integrations = value
    return ContractFacts(
        tuple(EndpointFact(m, p, Span(*s), source) for m, p, s, source in endpoints),
        tuple(ErrorFact(e, c, Span(*s), Span(*t)) for e, c, s, t in errors),
        tuple(IntegrationFact(t, d, i, k, Span(*s)) for t, d, i, k, s in integrations),
    )
