"""Which address, model and key are used, and what is refused; what doctor says about it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import certifi
import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from llm_clients import KEY, QUICK, no_thread, within
from llm_server import chat, failure, llm_server, unused_port

from docs_agent.core.errors import ConfigError
from docs_agent.core.llm import exchange
from docs_agent.core.llm.address import address_fault, is_loopback
from docs_agent.core.llm.check import language_model_fact
from docs_agent.core.llm.config import LLMConfig
from docs_agent.core.llm.registry import _MAKERS, make_llm
from docs_agent.core.llm.resolve import PROVIDERS, resolve

CASES = yaml.safe_load((Path(__file__).parent / "cases/resolve.yml").read_text("utf-8"))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_what_is_used(case: dict[str, Any]) -> None:
    config = LLMConfig(**case.get("file", {}), source="docs-agent.toml")
    environ = case.get("env", {})
    if "error" in case:
        with pytest.raises(ConfigError) as caught:
            make_llm(config, environ)
        assert case["error"] in caught.value.message
        assert case["remedy"] in caught.value.remedy
        assert caught.value.message.isprintable()
        assert not any(environ[name] in caught.value.message for name in environ if "KEY" in name)
        return
    found = resolve(config, environ)
    if case.get("unused"):
        assert found is None
        assert make_llm(config, environ) is None
        return
    assert found is not None
    assert make_llm(config, environ) is not None
    assert found.key == environ.get(case["key"], "")
    assert (found.key_source or "none") == case["key"]
    written = (found.config.base_url, found.config.auth_url, found.config.model)
    for name, value in zip(("url", "auth_url", "model"), written, strict=True):
        assert case.get(name, value) == value
    assert case.get("verify", found.config.verify) == found.config.verify


def test_every_provider_can_be_made() -> None:
    assert [provider.name for provider in PROVIDERS] == list(_MAKERS)


@pytest.mark.parametrize(
    ("said", "verify"),
    [("true", True), ("FALSE", False), ("0", False), (certifi.where(), certifi.where())],
)
def test_the_environment_says_how_certificates_are_checked(said: str, verify: bool | str) -> None:
    environ = {"GIGACHAT_TOKEN": KEY, "GIGACHAT_SSL_VERIFY": said}
    found = resolve(LLMConfig(provider="gigachat"), environ)
    assert found is not None
    assert found.config.verify == verify
    assert KEY not in repr(found)


@settings(derandomize=True, deadline=None, max_examples=100)
@given(st.text("htps:/@.[]%?#01a\\\n é", max_size=24))
def test_any_text_is_an_address_or_has_a_fault(text: str) -> None:
    for address in (text, f"http://{text}"):
        if not address_fault(address):
            is_loopback(address)
            assert "@" not in address
            assert address.isprintable()


@pytest.mark.parametrize(
    "host",
    [
        *("xn--", "xn--a", "a.xn--", "a..b", ".a", "a" * 64, "a." * 150 + "b", "a%20b"),
        *("1.2.3.999", "1.2.3.4.5", "[v1.x]", "[::1]x", "[::1]evil.example.com", "a,b", "a!b"),
    ],
)
def test_a_host_that_cannot_be_looked_up_is_no_address(host: str) -> None:
    assert address_fault(f"http://{host}/v1")


@pytest.mark.parametrize(
    "host",
    [
        *("localhost", "llm_1.example.com.", "xn--80aswg.xn--p1ai", "xn--strae-oqa.de", "1"),
        *("10.0.0.1:8080", "a-b.c", "3com.com", "API.Example.com", "[::1]", "[::1]:80"),
    ],
)
def test_a_host_that_can_be_looked_up_is_an_address(host: str) -> None:
    assert address_fault(f"https://{host}/v1") == ""


@pytest.mark.parametrize(
    "address",
    ["http://localhost.evil", "http://127.0.0.1.evil", "http://0.0.0.0", "http://[::]", "http://1"],
)
def test_what_is_not_this_machine(address: str) -> None:
    assert not is_loopback(address)


@pytest.mark.parametrize("address", ["http://LOCALHOST:1/", "http://127.9.9.9", "http://[::1]:80"])
def test_what_is_this_machine(address: str) -> None:
    assert is_loopback(address)


def test_a_model_that_is_not_asked_loads_no_http() -> None:
    code = (
        "import sys; from docs_agent.core.llm.config import LLMConfig\n"
        "from docs_agent.core.llm.registry import make_llm\n"
        "assert make_llm(LLMConfig(), {}) is None\n"
        "assert make_llm(LLMConfig('openai', model='m'), {'OPENAI_API_KEY': 'k'})\n"
        "assert make_llm(LLMConfig('gigachat'), {'GIGACHAT_TOKEN': 'k'})\n"
        "sys.exit(any(name in sys.modules for name in ('httpx', 'ssl', 'yaml', 'numpy')))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_doctor_is_told_that_there_is_no_model() -> None:
    check = language_model_fact(LLMConfig(), {})
    assert check.ok
    assert "none configured" in check.detail


@pytest.mark.parametrize("reply", [chat("hello"), failure(404)])
def test_doctor_is_told_that_the_service_answers(reply: Any) -> None:
    with llm_server(reply) as server:
        config = LLMConfig(provider="openai", base_url=server.url, model="m", **QUICK)
        check = language_model_fact(config, {"DOCS_AGENT_LLM_API_KEY": KEY})
    assert check.ok, check
    assert check.detail == f"openai:m at {server.url}, key from DOCS_AGENT_LLM_API_KEY"
    assert [(r.method, r.path, r.body) for r in server.requests] == [("GET", "/models", b"")]
    assert "authorization" not in server.requests[0].headers


def test_doctor_is_told_that_the_service_is_down() -> None:
    url = f"http://127.0.0.1:{unused_port()}"
    config = LLMConfig(provider="openai", base_url=url, model="m", connect_timeout=0.3)
    with within(0.3):
        check = language_model_fact(config, {})
    assert not check.ok
    assert "could not be reached" in check.detail
    assert check.remedy


def test_doctor_is_told_that_no_thread_can_be_started(monkeypatch: pytest.MonkeyPatch) -> None:
    with llm_server(chat("hello")) as server:
        monkeypatch.setattr(exchange.threading.Thread, "start", no_thread)
        config = LLMConfig(provider="openai", base_url=server.url, model="m", **QUICK)
        check = language_model_fact(config, {})
        monkeypatch.undo()
    assert not check.ok
    assert "no further thread" in check.detail


def test_doctor_is_told_what_is_missing() -> None:
    check = language_model_fact(LLMConfig(provider="gigachat", source="docs-agent.toml"), {})
    assert not check.ok
    assert "needs a key (docs-agent.toml)" in check.detail
    assert "GIGACHAT_TOKEN" in check.remedy


def test_doctor_has_nothing_to_tell_of_certificates_where_there_are_none() -> None:
    with llm_server(chat("hello")) as server:
        environ = {
            "GIGACHAT_TOKEN": KEY,
            "GIGACHAT_API_URL": server.url,
            "GIGACHAT_AUTH_URL": server.url,
        }
        config = LLMConfig(provider="gigachat", verify=False, **QUICK)
        check = language_model_fact(config, environ)
    assert check.ok
    assert "certificates" not in check.detail
