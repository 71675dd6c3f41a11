"""Who decides: the rules, a language model, or the one with the help of the other.

Whatever a model says, anchors and target terms are ours; it only chooses a row of the catalogue.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final, NamedTuple

from docs_agent.core.errors import DocsAgentError
from docs_agent.core.router_config import RouterConfig, RouterStrategy
from docs_agent.router import confidence
from docs_agent.router.catalogue import EXPLAIN_ROUTE, GENERAL_ROUTE, Route
from docs_agent.router.correction import Correction, correct
from docs_agent.router.decision import Decision
from docs_agent.router.deterministic import decide, has_conflict
from docs_agent.router.fallback import fall_back
from docs_agent.router.features import Features

if TYPE_CHECKING:
    from docs_agent.core.llm.protocol import LLM
    from docs_agent.router.llm import Consultation

Trouble = Callable[[DocsAgentError], None]
"""Is told what went wrong when the question is routed all the same."""

MODES: Final[dict[RouterStrategy, str]] = {
    "deterministic_first": "llm_assisted",
    "llm_first": "llm_default",
}
"""The mode of a route that a language model chose, by strategy."""


class Verdict(NamedTuple):
    """Where a question goes, who said so, and what was said on the way."""

    route: Route
    confidence: float
    """0.0 to 1.0."""
    reason: str
    """One line."""
    mode: str
    rules: Decision | None
    """What the rules said; None when they left it open."""
    fallback: Decision | None = None
    """What the fallback said, where it was needed."""
    consultation: Consultation | None = None
    """What the language model said, where it was asked."""
    correction: Correction | None = None
    """What was made of the model's proposal, where it did not stay."""

    @property
    def llm_used(self) -> bool:
        """Whether the route goes back to a model's proposal."""
        return self.mode in MODES.values()

    @property
    def is_models_own(self) -> bool:
        """Whether the route is a model's own: the rules understood the question otherwise."""
        return self.llm_used and (self.rules is None or self.rules.route != self.route)


def judge(
    features: Features, config: RouterConfig, llm: LLM | None, trouble: Trouble | None
) -> Verdict:
    """Decides by the configured strategy. A language model that fails or talks nonsense changes
    nothing but the mode; `trouble` is told of a failure. Raises ConfigError when the model is to
    be asked and its configuration cannot be used."""
    rules = decide(features)
    if llm is None or not _asks(config, features, rules):
        return _offline(features, rules, None)
    from docs_agent.router.llm import consult

    consultation = consult(llm, features, trouble)
    proposal = consultation.proposal
    if proposal is None:
        return _offline(features, rules, consultation)
    rules_first = config.strategy == "deterministic_first"
    correction = correct(proposal.route, features, rules, rules_first=rules_first)
    reason = proposal.reason or f"language model: {proposal.route.meaning}"
    if correction is not None:
        reason = f"{correction.reason}; the language model said {proposal.route.name}"
    return Verdict(
        route=correction.route if correction is not None else proposal.route,
        confidence=confidence.adjust(proposal.confidence, features),
        reason=reason,
        mode=MODES[config.strategy],
        rules=rules,
        consultation=consultation,
        correction=correction,
    )


def escalation(features: Features, rules: Decision | None, threshold: float) -> str:
    """Why the rules alone are not enough (seed 004, `intent-router-mvp.md`); empty when they are.

    threshold: confidence from which on a decision of the rules stands, 0.0 to 1.0.
    """
    if rules is None:
        return "several signals" if has_conflict(features) else "no rule decided"
    if rules.route in (EXPLAIN_ROUTE, GENERAL_ROUTE) and has_conflict(features):
        return "several signals"
    if confidence.grade(rules.grade, features) < threshold:
        return f"confidence below {threshold:g}"
    return ""


def _asks(config: RouterConfig, features: Features, rules: Decision | None) -> bool:
    """Whether the language model is asked."""
    if rules is not None and rules.route == GENERAL_ROUTE and rules.grade is confidence.CHATTER:
        return False
    if config.strategy == "llm_first":
        return True
    return bool(escalation(features, rules, config.confidence_threshold))


def _offline(
    features: Features, rules: Decision | None, consultation: Consultation | None
) -> Verdict:
    """The verdict without a model's help."""
    decision = rules if rules is not None else fall_back(features)
    mode = "deterministic" if rules is not None else "deterministic_fallback"
    return Verdict(
        route=decision.route,
        confidence=confidence.grade(decision.grade, features),
        reason=decision.reason,
        mode="llm_fallback" if consultation is not None else mode,
        rules=rules,
        fallback=None if rules is not None else decision,
        consultation=consultation,
    )
