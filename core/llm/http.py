"""Calls to one service over HTTP: retries, limits, and errors that tell no secrets."""

from __future__ import annotations

import threading
import time
import weakref
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final, TypeVar

from docs_agent.core.errors import ServiceError
from docs_agent.core.llm.address import host_of, is_loopback
from docs_agent.core.llm.breaker import Breaker
from docs_agent.core.llm.excerpt import Hidden, detail, shown
from docs_agent.core.llm.exchange import MAX_BYTES, Call, Exchange, Head
from docs_agent.core.llm.names import MODEL_NAMES, Names
from docs_agent.core.llm.patience import Limits, Patience
from docs_agent.core.llm.trust import no_trust, trust

if TYPE_CHECKING:
    import httpx

T = TypeVar("T")
_REFUSAL_BYTES: Final = 65_536
"""So much of the body of an error is read."""
_TRANSIENT: Final = frozenset({408, 425, 429})
_REMEDIES: Final = {
    401: "check the key: {key}",
    402: "check the account of the key: {key}",
    403: "check the key and what it may use: {key}",
    429: "wait, or ask the service for a higher limit",
}


class HttpService:
    """A service at one origin. Connections are kept between calls and closed with the object."""

    def __init__(
        self,
        address: str,
        limits: Limits,
        verify: bool | str,
        key_name: str,
        *,
        names: Names = MODEL_NAMES,
        max_bytes: int = MAX_BYTES,
    ) -> None:
        """address: any URL of the service. verify: as in `LLMConfig`. key_name: the variable that
        holds the key, for remedies. max_bytes: of a reply."""
        self.limits = limits
        self.attempts = 0
        """Requests that were begun."""
        self.breaker = Breaker()
        self._address = address
        self._verify = verify
        self._key_name = key_name
        self._names = names
        self._max_bytes = max_bytes
        self._client: httpx.Client | None = None
        self._lock = threading.Lock()

    def __repr__(self) -> str:
        return f"HttpService({self._address!r})"

    def begin(self) -> Patience:
        """The limits of a call that begins now. What is loaded first does not count."""
        self._open()
        return Patience(self.limits)

    def call(
        self,
        call: Call,
        use: Callable[[Head, Exchange], T],
        *,
        patience: Patience,
        hidden: Hidden,
    ) -> T:
        """What `use` makes of a reply with status 2xx, tried again as far as `patience` goes.

        `use` reads the exchange and may keep it; it closes what it does not keep. A ServiceError
        of its own that is retryable is tried again as well. Raises ServiceError.
        """
        self.breaker.check()
        while True:
            exchange = self._attempt(call, patience, hidden)
            wait: float | None = None
            try:
                head = exchange.head()
                if 200 <= head.status < 300:
                    result = use(head, exchange)
                    self.breaker.succeeded()
                    return result
                wait = retry_after(head.headers.get("retry-after", ""), time.time())
                error = self._refusal(head, exchange, hidden)
            except ServiceError as failure:
                error = failure
            except BaseException:
                exchange.close()
                raise
            exchange.close()
            if not error.retryable:
                self._failed_for_good(error, exchange)
                raise error
            if not patience.again(reached=exchange.reached, wait=wait):
                self.breaker.failed(error, reached=exchange.reached)
                raise error

    def probe(self, url: str) -> str:
        """Why the service cannot be reached; empty when it answers, be it with a refusal. Nothing
        but the question for `url` is sent.
        Raises ServiceError when there is no way to ask.
        """
        call = Call(url, {}, b"", method="GET")
        exchange = self._attempt(call, self.begin(), Hidden())
        try:
            exchange.head()
        except ServiceError as error:
            return "" if exchange.reached else error.message
        finally:
            exchange.close()
        return ""

    def _failed_for_good(self, error: ServiceError, exchange: Exchange) -> None:
        if exchange.reached:
            self.breaker.succeeded()
        else:
            self.breaker.failed(error, reached=False)

    def _attempt(self, call: Call, patience: Patience, hidden: Hidden) -> Exchange:
        self.attempts += 1
        return Exchange(
            self._open(),
            call,
            hidden,
            connect_deadline=patience.connect_deadline,
            silence_deadline=patience.silence_deadline(),
            deadline=patience.deadline,
            names=self._names,
            max_bytes=self._max_bytes,
        )

    def _refusal(self, head: Head, exchange: Exchange, hidden: Hidden) -> ServiceError:
        try:
            body = exchange.body(_REFUSAL_BYTES)
        except ServiceError:
            body = b""  # the status says enough
        said = detail(body, hidden)
        status = head.status
        if 300 <= status < 400:
            return ServiceError(
                f"{self._address} answered {status}: it sends on to another address",
                remedy=f"write the final address into {self._names.section}.base_url; "
                "redirects are not followed, so that no key reaches another host",
                status=status,
            )
        remedies = {**_REMEDIES, **self._names.remedies}
        remedy = remedies.get(status, "try again later" if status >= 500 else remedies[400])
        return ServiceError(
            f"{self._address} answered {status}{shown(said)}",
            remedy=remedy.format(key=self._key_name),
            retryable=status in _TRANSIENT or status >= 500,
            status=status,
            detail=said,
        )

    def _open(self) -> httpx.Client:
        with self._lock:
            if self._client is None:
                self._client = _client(self._address, self._verify, self._names)
                # Also at the end of the process, and before its sockets are collected unclosed.
                weakref.finalize(self, self._client.close)
            return self._client


def _client(address: str, verify: bool | str, names: Names) -> httpx.Client:
    import httpx

    # What is on this machine is not asked for through a proxy, whatever the environment says.
    host = host_of(address)
    direct = {f"all://{f'[{host}]' if ':' in host else host}": None} if is_loopback(address) else {}
    context = trust(verify, names.section) if address.startswith("https://") else no_trust()
    try:
        return httpx.Client(
            headers={"Accept-Encoding": "identity", "User-Agent": "docs-agent"},
            verify=context,
            follow_redirects=False,
            mounts=direct,
            limits=httpx.Limits(max_connections=8, keepalive_expiry=30.0),
        )
    except OSError as error:
        raise ServiceError(
            f"the accepted authorities cannot be loaded: {error.strerror or type(error).__name__}",
            remedy="check SSL_CERT_FILE and SSL_CERT_DIR, and how many files may be open",
        ) from None
    except (ImportError, ValueError, httpx.InvalidURL):
        # The reason is not repeated: the address of a proxy can hold a password.
        raise ServiceError(
            "a proxy that the environment names cannot be used",
            remedy="correct HTTPS_PROXY, HTTP_PROXY and ALL_PROXY: http:// or https:// proxies",
        ) from None


def retry_after(value: str, now: float) -> float | None:
    """Seconds to wait by a `Retry-After` header, in seconds or as a date; None without a valid one.

    now: seconds since 1970.
    """
    from email.utils import parsedate_to_datetime

    value = value.strip()
    if value.isascii() and value.isdigit() and len(value) < 10:
        return float(value)
    try:
        return max(parsedate_to_datetime(value).timestamp() - now, 0.0)
    except (ValueError, OverflowError, TypeError):
        return None


def bearer(key: str, more: Mapping[str, str]) -> dict[str, str]:
    """Headers of a call with JSON in both directions."""
    headers = {"Content-Type": "application/json", "Accept": "application/json", **more}
    return {**headers, "Authorization": f"Bearer {key}"} if key else headers
