"""How a route came about, for whoever asks. Routing itself does none of this work."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from docs_agent.core.knowledge import Knowledge
from docs_agent.core.router_config import RouterConfig
from docs_agent.core.routes import RouteResult
from docs_agent.core.text import name_key
from docs_agent.router import confidence
from docs_agent.router.catalogue import Route
from docs_agent.router.confidence import Grade, Step, adjustments
from docs_agent.router.deterministic import tried
from docs_agent.router.features import Features
from docs_agent.router.markers import WORD_GROUPS, vocabulary
from docs_agent.router.route import extract, result
from docs_agent.router.strategies import Trouble, Verdict, escalation, judge
from docs_agent.router.validator import Proposal

if TYPE_CHECKING:
    from docs_agent.core.llm.protocol import LLM

SUBJECT: Final = "subject"
"""Role of a word that is in no word list and no marker."""
MARKER: Final = "marker"


@dataclass(frozen=True, slots=True)
class ExplainedWord:
    """One word of the question."""

    word: str
    """In normal form."""
    stem: str
    role: str
    """The word list it stands in: question, intent, filler or generic; `marker` for a part of a
    marker that counts; else `subject`."""
    known: bool
    """Whether it counts as a word that the index has."""


@dataclass(frozen=True, slots=True)
class ExplainedMarker:
    """One phrase of the marker file found in the question."""

    group: str
    phrase: str
    """As written in the question."""
    counted: bool
    """False when it lies inside a known name and is therefore no marker."""


@dataclass(frozen=True, slots=True)
class ExplainedName:
    """One name of the project found in the question."""

    kind: str
    """A kind of known name, or `entity` also for a PascalCase word the index does not have."""
    value: str
    """As the index writes it."""
    documents: tuple[str, ...]
    """Paths of the documents that have the name; empty when the index does not know it."""


@dataclass(frozen=True, slots=True)
class ExplainedEndpoint:
    """One HTTP path of the question."""

    path: str
    """Lower case."""
    documents: tuple[str, ...]
    """Paths of the documents about it; empty when the index does not know it."""


@dataclass(frozen=True, slots=True)
class RuleStep:
    """What one rule said."""

    rule: str
    route: Route | None
    """The route it decided for; None when it left the question to the next one."""
    says: str
    """One line; empty when it said nothing."""


@dataclass(frozen=True, slots=True)
class ModelStep:
    """What a language model was asked and what came of it."""

    name: str
    """Provider and model."""
    proposal: Proposal | None
    """What passed the validator."""
    problem: str
    """Why nothing did; empty when something did."""
    reply: str
    """Beginning of the reply, one line."""
    corrected: Route | None
    """The route taken in place of the proposed one; None when that stayed."""
    because: str
    """Why it was corrected; empty when it was not."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """Everything that took part in one decision, in the order in which it did."""

    words: tuple[ExplainedWord, ...]
    markers: tuple[ExplainedMarker, ...]
    names: tuple[ExplainedName, ...]
    endpoints: tuple[ExplainedEndpoint, ...]
    rules: tuple[RuleStep, ...]
    """Up to the one that decided; last the fallback where it was needed."""
    escalation: str
    """Why the rules alone are not enough, so that a language model is asked where there is one;
    empty when they are."""
    model: ModelStep | None
    """None when no language model was asked."""
    confidence: tuple[Step, ...]
    """The figure to begin with, then what was added to it."""


def route_explained(
    question: str,
    knowledge: Knowledge,
    config: RouterConfig,
    llm: LLM | None = None,
    trouble: Trouble | None = None,
) -> tuple[RouteResult, Explanation]:
    """What `route` gives, and how it came about. Raises what `route` raises."""
    features = extract(question, knowledge, config)
    verdict = judge(features, config, llm, trouble)
    explanation = Explanation(
        words=tuple(_words(features, config)),
        markers=tuple(_markers(features, config)),
        names=tuple(_names(features, knowledge)),
        endpoints=tuple(_endpoints(features)),
        rules=tuple(_rules(features, verdict)),
        escalation=escalation(features, verdict.rules, config.confidence_threshold),
        model=_model(verdict),
        confidence=tuple(_confidence(features, verdict)),
    )
    return result(features, verdict), explanation


def _words(features: Features, config: RouterConfig) -> Iterator[ExplainedWord]:
    lists = vocabulary(config.markers)
    marked = {i for marker in features.markers for i in marker.positions}
    for i, word in enumerate(features.question.words):
        rest = MARKER if i in marked else SUBJECT
        role = next((group for group in WORD_GROUPS if lists.has(word, group)), rest)
        yield ExplainedWord(word.form, word.stem, role, word.form in features.known_words)


def _markers(features: Features, config: RouterConfig) -> Iterator[ExplainedMarker]:
    for marker in vocabulary(config.markers).find(features.question):
        yield ExplainedMarker(marker.group, marker.phrase, marker in features.markers)


def _names(features: Features, knowledge: Knowledge) -> Iterator[ExplainedName]:
    names = features.names
    for name in names.documents:
        yield ExplainedName(name.kind, name.value, (name.path,))
    others = [("entity", value) for value in names.entities]
    others += [("domain", names.domain)] if names.domain else []
    others += [("subdomain", names.subdomain)] if names.subdomain else []
    known = knowledge.names({name_key(value) for _, value in others}) if others else ()
    for kind, value in others:
        key = name_key(value)
        paths = (name.path for name in known if (name.kind, name.key) == (kind, key))
        yield ExplainedName(kind, value, tuple(dict.fromkeys(paths)))


def _endpoints(features: Features) -> Iterator[ExplainedEndpoint]:
    for path in features.endpoints.paths:
        documents = (name.path for name in features.endpoints.known if name.key == path)
        yield ExplainedEndpoint(path, tuple(dict.fromkeys(documents)))


def _rules(features: Features, verdict: Verdict) -> Iterator[RuleStep]:
    for rule, decision in tried(features):
        if decision is None:
            yield RuleStep(rule, None, "")
        else:
            yield RuleStep(rule, decision.route, decision.reason)
    if verdict.fallback is not None:
        yield RuleStep("fallback", verdict.fallback.route, verdict.fallback.reason)


def _model(verdict: Verdict) -> ModelStep | None:
    asked, correction = verdict.consultation, verdict.correction
    if asked is None:
        return None
    return ModelStep(
        name=asked.model,
        proposal=asked.proposal,
        problem=asked.problem,
        reply=asked.reply,
        corrected=correction.route if correction is not None else None,
        because=correction.reason if correction is not None else "",
    )


def _confidence(features: Features, verdict: Verdict) -> Iterator[Step]:
    decision = verdict.rules or verdict.fallback
    if verdict.consultation is not None and verdict.consultation.proposal is not None:
        yield Step(verdict.consultation.proposal.confidence, "said by the language model")
    elif decision is not None:
        yield Step(decision.grade.base, _grade_name(decision.grade))
        if not decision.grade.adjusted:
            return
    yield from adjustments(features)


def _grade_name(grade: Grade) -> str:
    """What the table of figures calls it."""
    names = (name for name, value in vars(confidence).items() if value is grade)
    return next(names, "rule").lower().replace("_", " ")
