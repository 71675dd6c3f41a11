"""The honest "no": what was not found and which documents are nearest. Nothing else is said."""

from __future__ import annotations

from typing import Final

from docs_agent.core.evidence import EvidenceSet, GateDecision
from docs_agent.retrieval.answers.quote import plain, shortened
from docs_agent.retrieval.answers.wording import Wording

_TERMS: Final = 5


def insufficient(found: EvidenceSet, gate: GateDecision, words: Wording) -> str:
    """The gate's message, or one of ours, and the nearest documents unless it names them."""
    message = gate.message.strip() or _message(found, words)
    nearest = [path for path in gate.supporting_paths if path not in message]
    if not nearest:
        return message
    return f"{message}\n{words.nearest.format(paths=', '.join(nearest))}"


def _message(found: EvidenceSet, words: Wording) -> str:
    missing = [
        words.quoted.format(text=shortened(plain(term), 60))
        for term in found.missing_terms[:_TERMS]
    ]
    if not missing:
        return words.no_answer
    return words.no_answer_terms.format(terms=", ".join(missing))
