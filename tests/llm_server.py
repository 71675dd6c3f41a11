"""A language model's service on loopback, for tests: a real HTTP server that follows a script.

    with llm_server(Reply(status=429, headers=(("Retry-After", "0"),)), chat("hello")) as server:
        config = LLMConfig(provider="openai", base_url=server.url, model="m", timeout=2.0)

Replies are given in the order of the script; the last one is given again and again. An element of
the script may also be a function of the request. `server.requests` holds what came, oldest first.
"""

from __future__ import annotations

import json
import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True, slots=True)
class Request:
    """A request that came in."""

    method: str
    path: str
    headers: dict[str, str]
    """Names in lower case."""
    body: bytes

    def json(self) -> Any:
        """The body as JSON."""
        return json.loads(self.body)


@dataclass(frozen=True, slots=True)
class Reply:
    """What the server does with a request."""

    status: int = 200
    body: bytes = b""
    headers: tuple[tuple[str, str], ...] = ()
    """Further headers; `Content-Type` is JSON unless it stands here."""
    delay: float = 0.0
    """Seconds before anything is sent."""
    chunks: tuple[bytes, ...] = ()
    """Sent one by one as a chunked body, in place of `body`."""
    pause: float = 0.0
    """Seconds before each chunk."""
    drop_after: int | None = None
    """The connection is cut after so many bytes of the body, or so many chunks; -1: at once,
    without even a status line."""
    raw: bytes | None = None
    """Sent byte for byte in place of everything else, `pause` seconds between two bytes."""


Script = Reply | Callable[[Request], Reply]


def chat(text: Any, *, finish_reason: str = "stop", model: str = "served", **more: Any) -> Reply:
    """A good answer of a chat completions service; `more` are fields of Reply."""
    message = {"role": "assistant", "content": text}
    value = {
        "model": model,
        "choices": [{"index": 0, "message": message, "finish_reason": finish_reason}],
        "usage": {"prompt_tokens": 7, "completion_tokens": 3, "total_tokens": 10},
    }
    return Reply(body=json.dumps(value, ensure_ascii=False).encode(), **more)


def failure(status: int, message: str = "", **more: Any) -> Reply:
    """An error as such services tell it."""
    return Reply(status=status, body=json.dumps({"error": {"message": message}}).encode(), **more)


def html(status: int = 200, text: str = "<html><body>Welcome</body></html>") -> Reply:
    """A page where JSON was expected: a portal, a proxy."""
    return Reply(status=status, body=text.encode(), headers=(("Content-Type", "text/html"),))


def token(value: str = "access", *, expires_at: int = 4_000_000_000_000, **more: Any) -> Reply:
    """A good answer of an OAuth service; `expires_at` in milliseconds since 1970."""
    body = json.dumps({"access_token": value, "expires_at": expires_at}).encode()
    return Reply(body=body, **more)


def stream(*pieces: str, finish_reason: str = "stop", done: bool = True, **more: Any) -> Reply:
    """A good streamed answer, one event for each piece."""
    chunks = [event({"choices": [{"index": 0, "delta": {"content": p}}]}) for p in pieces]
    if finish_reason:
        last = {"choices": [{"index": 0, "delta": {}, "finish_reason": finish_reason}]}
        chunks.append(event(last))
    if done:
        chunks.append(b"data: [DONE]\n\n")
    return events(*chunks, **more)


def event(value: Any) -> bytes:
    """One server-sent event."""
    return b"data: " + json.dumps(value, ensure_ascii=False).encode() + b"\n\n"


def events(*chunks: bytes, **more: Any) -> Reply:
    """A streamed answer of exactly these chunks of bytes."""
    return Reply(chunks=chunks, headers=(("Content-Type", "text/event-stream"),), **more)


class LLMServer:
    """A running server."""

    def __init__(self, script: tuple[Script, ...], tls: ssl.SSLContext | None = None) -> None:
        self.requests: list[Request] = []
        self.connections = 0
        """TCP connections that were accepted."""
        self._script = script
        self._given = 0
        self._lock = threading.Lock()
        self._closing = threading.Event()
        self._http = _Server(("127.0.0.1", 0), _Handler)
        self._http.owner = self
        self._scheme = "http" if tls is None else "https"
        if tls is not None:
            # The handshake belongs to the thread of the connection, not to the one that accepts.
            self._http.socket = tls.wrap_socket(
                self._http.socket, server_side=True, do_handshake_on_connect=False
            )
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.01,), daemon=True)
        self._thread.start()

    @property
    def port(self) -> int:
        return int(self._http.server_address[1])

    @property
    def url(self) -> str:
        """Base URL, without a slash at the end."""
        return f"{self._scheme}://127.0.0.1:{self.port}"

    def script(self, *replies: Script) -> None:
        """Starts another script; the requests so far stay."""
        with self._lock:
            self._script, self._given = replies, 0

    def next_reply(self, request: Request) -> Reply:
        with self._lock:
            self.requests.append(request)
            if not self._script:
                return Reply(status=404)
            step = self._script[min(self._given, len(self._script) - 1)]
            self._given += 1
        return step(request) if callable(step) else step

    def wait(self, seconds: float) -> bool:
        """False when the server is being closed."""
        return not (self._closing.is_set() if seconds <= 0 else self._closing.wait(seconds))

    def close(self) -> None:
        self._closing.set()
        self._http.shutdown()
        self._http.server_close()
        self._thread.join(5)


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 64
    owner: LLMServer

    def get_request(self) -> Any:
        found = super().get_request()
        self.owner.connections += 1
        return found

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that goes away is part of many tests."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    timeout = 30
    server: _Server

    def log_message(self, *_: Any) -> None:
        """Nothing is printed."""

    def _handle(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        headers = {name.lower(): value for name, value in self.headers.items()}
        owner = self.server.owner
        reply = owner.next_reply(Request(self.command, self.path, headers, body))
        if not owner.wait(reply.delay) or reply.drop_after == -1:
            self._cut()
        elif reply.raw is not None:
            for position in range(len(reply.raw)):
                if not owner.wait(reply.pause):
                    break
                self.wfile.write(reply.raw[position : position + 1])
            self._cut()
        else:
            self._send(reply)

    def _send(self, reply: Reply) -> None:
        self.send_response(reply.status)
        names = {name.lower() for name, _ in reply.headers}
        if "content-type" not in names:
            self.send_header("Content-Type", "application/json")
        for name, value in reply.headers:
            self.send_header(name, value)
        if reply.chunks:
            self.send_header("Transfer-Encoding", "chunked")
        elif "content-length" not in names:
            self.send_header("Content-Length", str(len(reply.body)))
        self.end_headers()
        if not reply.chunks:
            self.wfile.write(reply.body[: reply.drop_after])
            if reply.drop_after is not None:
                self._cut()
            return
        for chunk in reply.chunks[: reply.drop_after]:
            if not self.server.owner.wait(reply.pause):
                self._cut()
                return
            self.wfile.write(b"%x\r\n%s\r\n" % (len(chunk), chunk))
        if reply.drop_after is not None:
            self._cut()
        else:
            self.wfile.write(b"0\r\n\r\n")

    def _cut(self) -> None:
        self.close_connection = True
        self.connection.shutdown(socket.SHUT_RDWR)

    do_POST = do_GET = _handle


@contextmanager
def llm_server(*replies: Script, tls: ssl.SSLContext | None = None) -> Iterator[LLMServer]:
    """A server that follows the script until the block ends."""
    server = LLMServer(replies, tls)
    try:
        yield server
    finally:
        server.close()


def unused_port() -> int:
    """A port of loopback that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
