"""What the tests of the two strategies share: cases in YAML, a served language model."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml
from llm_server import LLMServer, Reply, chat, failure, html

from docs_agent.core.llm.config import LLMConfig
from docs_agent.core.llm.protocol import LLM
from docs_agent.core.llm.registry import make_llm
from docs_agent.router.catalogue import ROUTES

_CASES = Path(__file__).parent / "strategies"
ROWS = {row.name: row for row in ROUTES}
TIMEOUT = 1.5
"""Seconds; what a case of silence costs."""


def load(name: str) -> Any:
    """A case file."""
    return yaml.safe_load((_CASES / f"{name}.yml").read_text(encoding="utf-8"))


def script(steps: list[dict[str, Any]]) -> list[Reply]:
    """The script of a case as the server takes it."""
    return [_reply(step) for step in steps]


def _reply(step: Mapping[str, Any]) -> Reply:
    if "html" in step:
        return html()
    if "status" in step:
        return failure(step["status"], "no", headers=(("Retry-After", "0"),))
    return chat(step["chat"], delay=step.get("delay", 0.0), drop_after=step.get("drop"))


def served(server: LLMServer, **config: Any) -> LLM:
    """The real client, talking to that server."""
    given = {"timeout": TIMEOUT, "connect_timeout": 1.0, "retries": 1, **config}
    llm = make_llm(LLMConfig(provider="openai", base_url=server.url, model="m", **given), {})
    assert llm is not None
    return llm


def proposing(name: str, confidence: float = 0.8, reason: str = "because") -> str:
    """A reply that proposes the row of that name."""
    row = ROWS[name]
    return json.dumps(
        {
            "routing_domain": row.routing_domain,
            "intent": row.intent,
            "subintent": row.subintent,
            "confidence": confidence,
            "reason_short": reason,
        }
    )
