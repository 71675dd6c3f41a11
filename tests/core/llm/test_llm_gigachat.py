"""GigaChat: the token, its end, and certificates."""

from __future__ import annotations

import socket
import ssl
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from llm_clients import KEY, PROMPT, QUICK, ask, failing, gigachat, made, openai, within
from llm_server import Reply, Request, chat, failure, html, llm_server, stream, token, unused_port

from docs_agent.core.errors import ConfigError
from docs_agent.core.llm import registry
from docs_agent.core.llm.check import language_model_fact
from docs_agent.core.llm.config import LLMConfig
from docs_agent.core.llm.gigachat import MARGIN_SECONDS, GigaChatLLM
from docs_agent.core.llm.resolve import resolve


def test_a_token_is_fetched_once_and_used() -> None:
    with llm_server(token("t1"), chat("раз"), chat("два")) as server:
        llm = gigachat(server)
        assert [ask(llm), ask(llm)] == ["раз", "два"]
    auth, first, second = server.requests
    assert (auth.method, auth.path, auth.body) == ("POST", "/oauth", b"scope=GIGACHAT_API_PERS")
    assert auth.headers["authorization"] == f"Basic {KEY}"
    assert auth.headers["content-type"] == "application/x-www-form-urlencoded"
    assert len(auth.headers["rquid"]) == 36
    assert first.path == "/chat/completions"
    assert first.headers["authorization"] == "Bearer t1"
    assert len(first.headers["x-request-id"]) == 36
    assert first.headers["x-request-id"] != second.headers["x-request-id"]
    assert first.json()["model"] == "GigaChat"
    assert 0 < first.json()["temperature"] < 0.01
    assert "response_format" not in first.json()


def test_a_streamed_reply() -> None:
    with llm_server(token(), stream("да", "!")) as server:
        pieces = gigachat(server).stream("s", PROMPT, max_tokens=5)
        assert list(pieces) == ["да", "!"]


def test_a_token_is_renewed_before_it_ends() -> None:
    now = [1000.0]
    with llm_server(token("t1", expires_at=2_000_000), chat("a")) as server:
        found = resolve(
            LLMConfig(provider="gigachat", **QUICK),
            {
                "GIGACHAT_TOKEN": KEY,
                "GIGACHAT_API_URL": server.url,
                "GIGACHAT_AUTH_URL": server.url,
                "GIGACHAT_SCOPE": "GIGACHAT_API_CORP",
                "GIGACHAT_MODEL": "GigaChat-Pro",
            },
        )
        assert found is not None
        llm = GigaChatLLM(found.config, found.key, lambda: now[0])
        ask(llm)
        now[0] = 2000.0 - MARGIN_SECONDS - 1
        ask(llm)
        assert len(server.requests) == 3
        now[0] += 2
        server.script(token("t2", expires_at=9_000_000), chat("b"))
        assert ask(llm) == "b"
    assert server.requests[-1].headers["authorization"] == "Bearer t2"
    assert server.requests[0].body == b"scope=GIGACHAT_API_CORP"
    assert llm.name == "gigachat:GigaChat-Pro"


def test_a_refused_token_is_renewed_once() -> None:
    with llm_server(token("t1"), failure(401, "expired"), token("t2"), chat("ok")) as server:
        assert ask(gigachat(server)) == "ok"
    assert [r.headers["authorization"] for r in server.requests[1::2]] == ["Bearer t1", "Bearer t2"]


def test_a_token_that_is_refused_twice_is_told() -> None:
    def reply(request: Request) -> Reply:
        return token() if request.path == "/oauth" else failure(401, "no")

    with llm_server(reply) as server:
        assert failing(lambda: ask(gigachat(server))).status == 401
    assert len(server.requests) == 4


def test_a_key_that_is_refused_is_told_with_its_variable() -> None:
    with llm_server(failure(401, f"bad {KEY}")) as server:
        error = failing(lambda: ask(gigachat(server)))
    assert len(server.requests) == 1
    assert "GIGACHAT_TOKEN" in error.remedy


def test_the_whole_way_is_tried_again() -> None:
    with llm_server(failure(500), token("x" * 20), failure(429), chat("ok")) as server:
        assert ask(gigachat(server)) == "ok"


def test_a_token_is_not_told_when_the_service_repeats_it() -> None:
    secret = "token-abcdefgh-12345678"
    with llm_server(token(secret), failure(403, f"token {secret} has no rights")) as server:
        error = failing(lambda: ask(gigachat(server)))
    assert secret not in error.message + error.detail
    assert "[secret]" in error.message


@pytest.mark.parametrize(
    "reply",
    [
        html(),
        Reply(body=b""),
        Reply(body=b"[]"),
        Reply(body=b'{"access_token": null}'),
        Reply(body=b'{"access_token": "a\\nb"}'),
        Reply(body=b'{"access_token": ""}'),
    ],
)
def test_a_broken_token_is_a_fault_of_the_service(reply: Reply) -> None:
    with llm_server(reply) as server:
        assert "no token" in failing(lambda: ask(gigachat(server))).message


@pytest.mark.parametrize(
    "ends", ["null", '"soon"', "true", "-1", "NaN", "Infinity", "1" + "0" * 400]
)
def test_a_strange_end_of_a_token_is_no_fault(ends: str) -> None:
    def reply(request: Request) -> Reply:
        body = f'{{"access_token": "t", "expires_at": {ends}}}'.encode()
        return Reply(body=body) if request.path == "/oauth" else chat("ok")

    with llm_server(reply) as server:
        llm = gigachat(server)
        assert [ask(llm), ask(llm)] == ["ok", "ok"]


def test_a_service_that_is_down_costs_no_more_than_the_connect_timeout() -> None:
    config = LLMConfig(provider="gigachat", **{**QUICK, "connect_timeout": 0.3})
    url = f"http://127.0.0.1:{unused_port()}"
    environ = {"GIGACHAT_TOKEN": KEY, "GIGACHAT_API_URL": url, "GIGACHAT_AUTH_URL": url}
    llm = made(config, environ)
    with within(0.3):
        for _ in range(100):
            failing(lambda: ask(llm))


def _certificate(folder: Path) -> Path:
    """A certificate of 127.0.0.1 that signs itself, with its key, in one file."""
    file = folder / "both.pem"
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"]
    command += ["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"]
    command += ["-keyout", str(folder / "key.pem"), "-out", str(folder / "cert.pem")]
    subprocess.run(command, check=True, capture_output=True, timeout=60)
    file.write_text((folder / "key.pem").read_text() + (folder / "cert.pem").read_text())
    return file


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    try:
        return _certificate(tmp_path_factory.mktemp("tls"))
    except FileNotFoundError:
        pytest.skip("no openssl to make a certificate with")


def test_doctor_is_told_that_certificates_are_not_checked(certificate: Path) -> None:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    with llm_server(token(), tls=context) as server:
        environ = {
            "GIGACHAT_TOKEN": KEY,
            "GIGACHAT_API_URL": server.url,
            "GIGACHAT_AUTH_URL": server.url,
            "GIGACHAT_SSL_VERIFY": "false",
        }
        check = language_model_fact(LLMConfig(provider="gigachat", **QUICK), environ)
    assert not check.ok
    assert "certificates are not checked" in check.detail


@pytest.mark.parametrize("verify", ["file", False, True])
def test_certificates(
    verify: bool | str, certificate: Path, caplog: pytest.LogCaptureFixture
) -> None:
    registry._warn_unverified.cache_clear()
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    with llm_server(token(), chat("ok"), tls=context) as server:
        wanted = str(certificate.parent / "cert.pem") if verify == "file" else verify
        if verify is True:
            error = failing(lambda: ask(gigachat(server)))
            assert "is not trusted" in error.message
            assert "llm.verify" in error.remedy
            return
        assert ask(gigachat(server, verify=wanted)) == "ok"
        gigachat(server, verify=wanted)
    assert len(caplog.records) == (1 if verify is False else 0)


@contextmanager
def _tunnel(certificate: Path) -> Iterator[tuple[str, list[bytes]]]:
    """A proxy that gives every tunnel it is asked for to itself; its address, what it was asked."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    asked: list[bytes] = []

    def serve() -> None:
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            with connection, suppress(OSError):
                connection.settimeout(5)
                asked.append(connection.recv(4096).partition(b" ")[0])
                connection.sendall(b"HTTP/1.1 200 ok\r\n\r\n")
                context.wrap_socket(connection, server_side=True).close()

    listener = socket.create_server(("127.0.0.1", 0))
    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}", asked
    finally:
        listener.shutdown(socket.SHUT_RDWR)
        listener.close()
        thread.join(5)


def test_a_certificate_behind_a_proxy_is_refused_once(
    certificate: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with _tunnel(certificate) as (proxy, asked):
        monkeypatch.setenv("HTTPS_PROXY", proxy)
        monkeypatch.delenv("NO_PROXY", raising=False)
        llm = openai("https://llm.example.com/v1")
        error = failing(lambda: ask(llm))
        assert "is not trusted" in error.message
        assert "llm.verify" in error.remedy
        assert asked == [b"CONNECT"]
        config = LLMConfig(
            provider="openai", base_url="https://llm.example.com/v1", model="m", **QUICK
        )
        check = language_model_fact(config, {})
    assert not check.ok
    assert "is not trusted" in check.detail


def test_a_file_without_certificates_is_told(tmp_path: Path) -> None:
    (tmp_path / "ca.pem").write_text("nothing")
    config = LLMConfig(provider="gigachat", verify=str(tmp_path / "ca.pem"), **QUICK)
    with pytest.raises(ConfigError, match="holds no certificates") as caught:
        made(config, {"DOCS_AGENT_LLM_API_KEY": KEY})
    assert caught.value.exit_status == 2
    assert "PEM" in caught.value.remedy


def test_a_refused_token_names_the_variable_of_the_key() -> None:
    def reply(request: Request) -> Reply:
        return token() if request.path == "/oauth" else failure(401, "no")

    with llm_server(reply) as server:
        assert "GIGACHAT_TOKEN" in failing(lambda: ask(gigachat(server))).remedy


@pytest.mark.parametrize("ends", ["NaN", "Infinity", "-Infinity", "-5", "1" + "0" * 400, "9e300"])
def test_no_token_holds_for_ever(ends: str) -> None:
    now = [1000.0]

    def reply(request: Request) -> Reply:
        body = f'{{"access_token": "t", "expires_at": {ends}}}'.encode()
        return Reply(body=body) if request.path == "/oauth" else chat("ok")

    with llm_server(reply) as server:
        addresses = {"GIGACHAT_API_URL": server.url, "GIGACHAT_AUTH_URL": f"{server.url}/oauth"}
        found = resolve(
            LLMConfig(provider="gigachat", **QUICK), {"GIGACHAT_TOKEN": KEY, **addresses}
        )
        assert found is not None
        llm = GigaChatLLM(found.config, found.key, lambda: now[0])
        ask(llm)
        server.requests.clear()
        now[0] += 2 * 86_400.0
        ask(llm)
        assert [r.path for r in server.requests] == ["/oauth", "/chat/completions"]


def test_a_token_that_fits_in_no_header_is_none() -> None:
    with llm_server(token("t" * 100_000)) as server:
        assert "no token" in failing(lambda: ask(gigachat(server))).message


def test_nothing_shows_the_key() -> None:
    with llm_server(token(), chat("ok")) as server:
        llm = gigachat(server)
        ask(llm)
    assert KEY not in repr(llm) + repr(llm._tokens) + repr(llm._service)  # type: ignore[attr-defined]
