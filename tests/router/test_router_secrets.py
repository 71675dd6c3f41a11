"""A language model's reply that repeats the key: the route counts, the key is told nowhere."""

from __future__ import annotations

import pytest
from llm_cases import ROWS, TIMEOUT, proposing
from llm_server import chat, llm_server

from docs_agent.core.knowledge import NoKnowledge
from docs_agent.core.llm.config import LLMConfig
from docs_agent.core.llm.registry import make_llm
from docs_agent.core.router_config import RouterConfig
from docs_agent.router.llm import consult
from docs_agent.router.route import extract

KEY = "sk-very-secret-0123456789"


@pytest.mark.parametrize("question", ["how does billing work", "как работает оплата"])
@pytest.mark.parametrize("parting", ["", "\x1b[0m", "\x1b]0;x\x07", "\u200b"])
def test_a_reason_that_repeats_the_key_is_shown_without_it(question: str, parting: str) -> None:
    name = next(iter(ROWS))
    reply = proposing(name, reason=f"the key is {KEY[:6]}{parting}{KEY[6:]}")
    with llm_server(chat(reply)) as server:
        config = LLMConfig(provider="openai", base_url=server.url, model="m", timeout=TIMEOUT)
        llm = make_llm(config, {"DOCS_AGENT_LLM_API_KEY": KEY})
        assert llm is not None
        found = consult(llm, extract(question, NoKnowledge(), RouterConfig()))
    assert found.proposal is not None or parting
    assert KEY[6:] not in str(found)
    assert "[secret]" in found.reply
