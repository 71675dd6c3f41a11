"""One HTTP request and its reply, with limits that hold whatever the other side does.

The request runs in a thread of its own and hands over what comes. Timeouts of sockets bound single
waits only: looking up a name, several addresses one after the other, or a reply that comes byte by
byte would outlast them. Whoever waits here stops at the deadline; the thread is told to end and is
not waited for.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from docs_agent.core.errors import ServiceError
from docs_agent.core.llm.excerpt import Hidden, shown
from docs_agent.core.llm.names import MODEL_NAMES, Names

if TYPE_CHECKING:
    import httpx

MAX_BYTES: Final = 8 * 2**20
"""Bytes of a reply; one of a language model has some thousands."""
_CONNECTED: Final = object()
_END: Final = object()


@dataclass(frozen=True, slots=True)
class Call:
    """What is sent. It holds a secret, so it is not to be shown."""

    url: str
    headers: Mapping[str, str]
    body: bytes
    method: str = "POST"

    def __repr__(self) -> str:
        return f"Call({self.url!r})"


@dataclass(frozen=True, slots=True)
class Head:
    """The beginning of a reply."""

    status: int
    headers: Mapping[str, str]
    """Names in lower case."""


class _Most(NamedTuple):
    """How much of a reply is taken."""

    kind: str
    section: str
    size: int
    """Bytes."""

    @property
    def remedy(self) -> str:
        return f"check that {self.section}.base_url leads to {self.kind}"


class Exchange:
    """A request under way. `head` first, then `chunks` or `body`; `close` in any case."""

    def __init__(
        self,
        client: httpx.Client,
        call: Call,
        hidden: Hidden,
        *,
        connect_deadline: float,
        silence_deadline: float,
        deadline: float,
        names: Names = MODEL_NAMES,
        max_bytes: int = MAX_BYTES,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.reached = False
        """Whether there is, or was, a connection."""
        self._name = call.url
        self._hidden = hidden
        self._names = names
        self._clock = clock
        self._connect_deadline = connect_deadline
        self._silence_deadline = silence_deadline
        self._deadline = deadline
        self._news: SimpleQueue[Any] = SimpleQueue()
        self._closed = threading.Event()
        now = clock()
        timeouts = {
            "connect": max(connect_deadline - now, 0.001),
            "read": max(deadline - now, 0.001),
            "write": max(deadline - now, 0.001),
            "pool": max(connect_deadline - now, 0.001),
        }
        # The thread must not hold this object: nobody would ever notice that it is forgotten.
        most = _Most(names.kind, names.section, max_bytes)
        work = (client, call, timeouts, self._news, self._closed, lambda: clock() > deadline, most)
        thread = threading.Thread(target=_work, args=work, name="docs-agent-llm", daemon=True)
        try:
            thread.start()
        except (RuntimeError, MemoryError):
            raise ServiceError(
                f"{self._name} could not be asked: the system starts no further thread",
                remedy="allow more processes or memory, see `ulimit -a`",
            ) from None

    def head(self) -> Head:
        """Status and headers. Raises ServiceError, retryable, when none come."""
        while True:
            news = self._next(self._silence_deadline)
            if isinstance(news, Head):
                return news

    def chunks(self) -> Iterator[bytes]:
        """The body as it comes. Raises ServiceError when it does not come whole."""
        while (news := self._next(self._deadline)) is not _END:
            yield news

    def body(self, limit: int = sys.maxsize) -> bytes:
        """The whole body, cut at `limit` bytes. Raises ServiceError as `chunks` does."""
        found = bytearray()
        for chunk in self.chunks():
            found += chunk
            if len(found) >= limit:
                break
        return bytes(found[:limit])

    def close(self) -> None:
        """Lets go of the connection; not a fault after the end."""
        self._closed.set()

    def _next(self, deadline: float) -> Any:
        """The next piece of news; `reached` is kept on the way."""
        while True:
            until = deadline if self.reached else min(self._connect_deadline, deadline)
            try:
                news = self._news.get(timeout=max(until - self._clock(), 0.0))
            except Empty:
                # What came just at the deadline still counts.
                if not self._news.empty():
                    continue
                self.close()
                raise self._late() from None
            if news is _CONNECTED:
                self.reached = True
            elif isinstance(news, ServiceError):
                raise news
            elif isinstance(news, Exception):
                raise self._lost(news) from None
            else:
                return news

    def _late(self) -> ServiceError:
        if not self.reached:
            return self._unreached("no connection in time")
        return ServiceError(
            f"{self._name} did not answer in time",
            remedy=f"raise {self._names.timeout}; {self._names.section}.retries = 0 leaves all of "
            "it to the first try",
            retryable=True,
        )

    def _lost(self, error: Exception) -> ServiceError:
        """An error of httpx in our words. The original is not kept: it holds the request."""
        import httpx

        reason = self._hidden.out_of(str(error)) or type(error).__name__
        if isinstance(error, httpx.ProxyError):
            return ServiceError(
                f"the proxy on the way to {self._name} refused{shown(reason)}",
                remedy="check HTTPS_PROXY, HTTP_PROXY and NO_PROXY",
            )
        if not self.reached and isinstance(error, httpx.TransportError):
            return self._unreached(reason)
        if isinstance(error, httpx.TimeoutException):
            return self._late()
        return ServiceError(
            f"the connection to {self._name} was lost{shown(reason)}",
            remedy="try again; when it happens each time, look at the service's own log",
            retryable=isinstance(error, httpx.TransportError),
        )

    def _unreached(self, reason: str) -> ServiceError:
        if "CERTIFICATE_VERIFY_FAILED" in reason:
            return ServiceError(
                f"the certificate of {self._name} is not trusted{shown(reason)}",
                remedy="name a file with the right authority in "
                f"{self._names.variables}_VERIFY, or in {self._names.section}.verify",
            )
        return ServiceError(
            f"{self._name} could not be reached{shown(reason)}",
            remedy="check that the service runs, its address and the proxy variables; "
            f"{self._names.section}.connect_timeout says how long to try",
            retryable=True,
        )


def _work(
    client: httpx.Client,
    call: Call,
    timeouts: dict[str, float],
    news: SimpleQueue[Any],
    closed: threading.Event,
    late: Callable[[], bool],
    most: _Most,
) -> None:
    def trace(event: str, info: Mapping[str, Any]) -> None:
        # Asking a proxy for a tunnel reaches the proxy, not yet the service.
        asks = event.endswith("send_request_headers.started")
        if asks and info["request"].method != b"CONNECT":
            news.put(_CONNECTED)

    try:
        request = client.build_request(
            call.method,
            call.url,
            headers=call.headers,
            content=call.body,
            extensions={"timeout": timeouts, "trace": trace},
        )
        response = client.send(request, stream=True, follow_redirects=False)
        try:
            names = {name.lower(): value for name, value in response.headers.items()}
            news.put(Head(response.status_code, names))
            _read(response, call.url, news, closed, late, most)
        finally:
            response.close()
        news.put(_END)
    except Exception as error:
        news.put(error)


def _read(
    response: httpx.Response,
    name: str,
    news: SimpleQueue[Any],
    closed: threading.Event,
    late: Callable[[], bool],
    most: _Most,
) -> None:
    import httpx

    if response.headers.get("content-encoding", "identity").lower() != "identity":
        # Unpacking could turn a small reply into a huge one.
        raise ServiceError(
            f"{name} sent a compressed reply although none was asked for",
            remedy=most.remedy,
        )
    size = 0
    for chunk in response.iter_raw():
        if closed.is_set():
            return
        if late():
            # Whoever reads what has come may take longer; the service may not.
            raise httpx.ReadTimeout("")
        size += len(chunk)
        if size > most.size:
            raise ServiceError(
                f"the reply of {name} is larger than {most.size:,} bytes",
                remedy=most.remedy,
            )
        news.put(chunk)
