"""A service that is down is not asked again for a while: a thousand questions wait once."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

from docs_agent.core.errors import ServiceError

OPEN_SECONDS: Final = 60.0
"""How long a service is left alone."""
MAX_FAILURES: Final = 3
"""Calls in a row that failed after all retries, although the service could be reached."""


class Breaker:
    """What the calls of this process learned about one service."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._failures = 0
        self._closed_at = 0.0
        self._reason = ""

    def check(self) -> None:
        """Raises ServiceError while the service is left alone."""
        left = self._closed_at - self._clock()
        if self._reason and left > 0:
            raise ServiceError(
                f"{self._reason}; it is not asked again for {left:.0f} s",
                remedy="check that the service runs, and try again later",
            )

    def succeeded(self) -> None:
        """The service answered, be it with a refusal."""
        self._failures, self._reason = 0, ""

    def failed(self, error: ServiceError, *, reached: bool) -> None:
        """A call failed for good."""
        self._failures += 1
        if not reached or self._failures >= MAX_FAILURES:
            self._reason = error.message
            self._closed_at = self._clock() + OPEN_SECONDS
